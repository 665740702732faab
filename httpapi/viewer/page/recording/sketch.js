// @ts-check
// What is drawn by hand onto a frame: an angle, a line or a word. Click its points, drag any of them, type a text. It stays with the
// recording, is seen for a second from its frame on, and is in movies and reports that are made afterwards.
import { amount } from '../base/amount.js';
import { h, button, segments } from '../base/dom.js';
import { svg } from '../base/icons.js';
import { label, t } from '../base/i18n.js';
import { frameAt } from '../player/playhead.js';

const kinds = ['', 'word', 'line', 'angle']; // by the number of points

// whole is whether nothing of one is missing.
/** @param {Sketched} s */
const whole = ({ points, text, n = points.length }) => points.length === n && Boolean(n > 1 || text);

// kept is what is written to the record.
/** @param {Sketched[]} list */
const kept = (list) => list.filter(whole).map(({ n, ...s }) => s);

const act = (key, icon, click) => button(`sketch.${key}`, click, { icon, only: true });

export class Sketch {
  #app;
  #view;
  #group = svg('g', { class: 'fix' });
  #grips = h('div');
  #out = h('output', { class: 'measured', role: 'status' });
  #text = h('input', { maxLength: 80, autocomplete: 'off', label: 'sketch.text', on: { change: () => this.#write() } });
  #kind = segments(
    'tool.draw',
    kinds
      .map((name, n) => /** @type {[string, string, string]} */ ([String(n), `sketch.${name}`, name]))
      .slice(1)
      .reverse(),
    '',
    (n) => this.#begin(Number(n)),
  );
  #acts = [
    act('add', 'plus', () => this.#add()),
    act('delete', 'bin', () => this.#set(this.#list.filter((_, i) => i !== this.#chosen))),
    act('undo', 'undo', () => this.#go(this.#past, this.#future)),
    act('redo', 'redo', () => this.#go(this.#future, this.#past)),
  ];
  #bar = h('div', { class: 'drawbar' }, this.#kind, this.#out, this.#text, ...this.#acts);
  /** @type {Sketched[]} */
  #list;
  /** @type {Sketched[][]} */
  #past = [];
  /** @type {Sketched[][]} */
  #future = [];
  #need = 3;
  #chosen = -1; // of the list
  #point = 0; // of it
  /** @type {Sketched[] | null} */
  #before = null; // the list, while a point is held
  /** @type {[number, number][]} */
  #spots = []; // whose points the grips are
  #saved = Promise.resolve();
  quiet = true;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    this.#list = view.recording.sketches ?? [];
    view.stage.above.append(this.#group);
    view.stage.addEventListener('draw', () => this.#draw());
  }

  enter(key) {
    this.#view.playhead.pause();
    this.#view.stage.el.append(this.#grips);
    this.#view.stage.el.after(this.#bar);
    this.#begin({ t: 1, l: 2, a: 3 }[key] ?? this.#need);
  }

  leave() {
    this.#choose(-1);
    this.#grips.remove();
    this.#bar.remove();
  }

  // begin draws another kind from now on.
  #begin(n) {
    this.#need = n;
    this.#kind.choose(n);
    this.#choose(-1);
  }

  // choose makes one the one that is edited; another one that is not whole goes.
  #choose(i, point = 0) {
    this.#write();
    const one = this.#list[i];
    this.#list = this.#list.filter((s) => s === one || whole(s));
    this.#chosen = this.#list.indexOf(one);
    this.#point = point;
    this.#text.value = one?.text ?? '';
    this.#view.stage.draw();
  }

  // set makes another list, as a step that can be undone if more than what is not whole changes.
  #set(list, before = this.#list) {
    this.#list = list;
    if (JSON.stringify(kept(before)) !== JSON.stringify(kept(list))) {
      this.#past.push(before);
      this.#future = [];
      this.#save();
    }
    if (!list[this.#chosen] || list.length < before.length) this.#choose(-1);
    this.#view.stage.draw();
  }

  #save() {
    const { recording } = this.#view,
      sketches = (recording.sketches = kept(this.#list));
    this.#saved = this.#saved.then(() => this.#app.api.patch(`keypoints/${recording.id}/`, { sketches })).catch((e) => this.#app.fail(e));
  }

  #go(from, to) {
    this.#choose(-1);
    to.push(this.#list);
    this.#list = from.pop();
    this.#save();
    this.#choose(-1);
  }

  // write takes over the text that was typed.
  #write() {
    const one = this.#list[this.#chosen],
      text = this.#text.value.trim();
    if (one && text !== (one.text ?? '')) this.#set(this.#list.with(this.#chosen, { ...one, text }));
  }

  // fresh adds one with its first points.
  #fresh(points) {
    const { frame, time, times } = this.#view.playhead,
      last = frameAt(times, time + 1);
    this.#list = [...this.#list.filter(whole), { frame, ...(last > frame && { last }), points, n: this.#need }];
    this.#choose(this.#list.length - 1);
    points.forEach((at, k) => this.#put(k, at));
  }

  // add draws one in the middle, for the keyboard.
  #add() {
    const { stage } = this.#view,
      before = this.#list,
      r = stage.height / 6;
    this.#fresh([-1, 0, 1].slice(0, this.#need).map((x) => stage.pick([stage.width / 2 + x * r, stage.height / 2 + (x ? -r : r)])));
    this.#set(this.#list, before);
    (this.#need > 1 ? this.#grips.children[this.#spots.findIndex(([i]) => i === this.#chosen)] : this.#text).focus();
  }

  // put puts a point of the one that is edited inside the picture.
  #put(k, at) {
    const one = this.#list[this.#chosen],
      points = [...one.points];
    points[k] = at.map((v, i) => Math.round(10 * Math.min(this.#view.stage.size[i], Math.max(0, v))) / 10);
    this.#point = k;
    this.#list = this.#list.with(this.#chosen, { ...one, points });
    this.#view.stage.draw();
  }

  down = (at) => {
    this.#write();
    this.#before = this.#list;
    const { place } = this.#view.stage,
      [x, y] = place(at),
      near = this.#spots.find(([i, k]) => {
        const [a, b] = place(this.#list[i].points[k]);
        return Math.hypot(a - x, b - y) < 18;
      }),
      one = this.#list[this.#chosen];
    if (near) this.#choose(...near);
    else if (one && one.points.length < (one.n ?? 0)) this.#put(one.points.length, at);
    else this.#fresh([at]);
  };

  move = (at) => {
    if (this.#before) this.#put(this.#point, at);
  };

  up = () => {
    if (this.#before) this.#set(this.#list, this.#before);
    this.#before = null;
    const one = this.#list[this.#chosen];
    if (one?.n === 1 && !one.text) this.#text.focus();
  };

  key(e) {
    const spot = this.#spots[[...this.#grips.children].indexOf(e.target)],
      step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key],
      [, bin, undo, redo] = this.#acts;
    if (e.target === this.#text && e.key !== 'Escape') return false;
    if ((e.ctrlKey || e.metaKey) && /^[zy]$/i.test(e.key)) (e.shiftKey || /y/i.test(e.key) ? redo : undo).click();
    else if (spot && step) {
      const before = this.#list,
        [i, k] = spot;
      this.#choose(i, k);
      this.#put(
        k,
        before[i].points[k].map((v, x) => v + step[x] * (e.shiftKey ? 10 : 1)),
      );
      this.#set(this.#list, before);
    } else if (e.key === 'Delete') bin.click();
    else if (e.key === 'Escape' && this.#chosen >= 0) this.#choose(-1);
    else return false;
    return true;
  }

  // measured is the length of a line, or the degrees of an angle; '' of what has neither.
  /** @param {Sketched} s */
  #measured({ points: [a, b, c], n }) {
    const m = this.#view.recording.world?.metresPerPixel;
    if (!b || (n === 3 && !c)) return '';
    const d = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!c) return m ? amount(d * m, 'm') : amount(d, 'px');
    const turn = Math.atan2(c[1] - b[1], c[0] - b[0]) - Math.atan2(a[1] - b[1], a[0] - b[0]);
    return amount(Math.abs((Math.atan2(Math.sin(turn), Math.cos(turn)) * 180) / Math.PI), '°');
  }

  #draw() {
    const { stage, playhead, tools } = this.#view,
      shown = [...this.#list.keys()].filter((i) => {
        const { frame, last = frame } = this.#list[i];
        return frame <= playhead.frame && playhead.frame <= last;
      });
    this.#group.replaceChildren(
      ...shown.map((i) => {
        const s = this.#list[i],
          at = s.points.map(stage.place),
          angle = at.length > 2,
          [x, y] = at[angle ? 1 : at.length - 1],
          d = `M${at.join('L')}`;
        const g = svg(
          'g',
          { class: 'sketch' },
          svg('path', { class: 'under', d }),
          svg('path', { d }),
          svg('text', { x: x + 16, y: y + (angle ? 22 : 5) }, `${s.text ?? ''} ${angle ? this.#measured(s) : ''}`.trim()),
        );
        g.style.color = s.color ?? '';
        return g;
      }),
    );
    if (tools?.now !== this) return;
    this.#spots = shown.flatMap((i) => this.#list[i].points.map((_, k) => /** @type {[number, number]} */ ([i, k])));
    while (this.#grips.children.length > this.#spots.length) this.#grips.lastChild?.remove();
    this.#spots.forEach(([i, k], n) => {
      const { points, text = '' } = this.#list[i],
        el =
          this.#grips.children[n] ??
          this.#grips.appendChild(
            h('button', { type: 'button', class: 'spot spot--on', on: { focus: () => this.#choose(...this.#spots[n]) } }),
          );
      el.style.translate = stage
        .place(points[k])
        .map((v) => `${v}px`)
        .join(' ');
      label(el, 'sketch.point', { n: k + 1, what: t(`sketch.${kinds[points.length]}`), text });
    });
    const one = this.#list[this.#chosen],
      open = !one || one.points.length < (one.n ?? 0);
    this.#out.textContent = (one && this.#measured(one)) || (open ? t(`tool.${kinds[this.#need]}.how`) : '');
    this.#text.hidden = open;
    [false, !one, !this.#past.length, !this.#future.length].forEach((off, i) => {
      this.#acts[i].disabled = off;
    });
  }
}
