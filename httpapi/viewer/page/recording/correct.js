// @ts-check
// Correcting a point: drag it, or move it with the arrow keys; keep it, carried over neighbouring frames, or put it back;
// or exchange left and right, here or in the marked part of the movie. What was done together is listed and undone together.
import { h, button, card, field, select } from '../base/dom.js';
import { svg } from '../base/icons.js';
import { t, title, day, hour } from '../base/i18n.js';
import { parts } from '../base/names.js';
import { sideOf } from '../player/skeleton.js';

const halves = {
  body: parts,
  legs: parts.slice(parts.indexOf('leftHip')),
  arms: parts.slice(parts.indexOf('leftShoulder'), parts.indexOf('leftHip')),
};

export class Correct {
  #app;
  #view;
  #group = svg('g', { class: 'fix' });
  #loupe = h('canvas', { class: 'loupe', width: 148, height: 148, hidden: true, 'aria-hidden': 'true' });
  #part = ''; // the part that is moved, if any
  /** @type {Place | null} */
  #from = null; // where it was
  /** @type {Place | null} */
  #to = null; // where it is put
  #frame = 0; // of the movement
  #dragging = false;
  #carry = 3; // frames each way
  #half = 'body'; // what is exchanged
  #pill = h('span', { class: 'tag', hidden: true, 'aria-hidden': 'true' });
  #toast = h('div', { class: 'toast', role: 'status', hidden: true });
  quiet = true;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    view.stage.above.append(this.#group);
    view.stage.el.append(this.#loupe, this.#pill, this.#toast);
    view.stage.addEventListener('draw', () => this.#draw());
    view.playhead.addEventListener('frame', () => {
      if (this.#to && view.playhead.frame !== this.#frame) this.#back();
    });
  }

  enter() {
    this.#view.playhead.pause();
  }

  leave() {
    this.#back();
    this.#part = '';
    this.#group.replaceChildren();
    this.#loupe.hidden = this.#pill.hidden = this.#toast.hidden = true;
  }

  get #points() {
    return this.#view.stage.frames[this.#view.playhead.frame] ?? {};
  }

  #back() {
    if (!this.#to) return;
    this.#to = null;
    this.#loupe.hidden = true;
    this.#view.panel();
    this.#view.stage.draw();
  }

  down = (at) => {
    const { stage } = this.#view;
    let best = stage.near(stage.place(at), 24);
    // A part that was not found is put where the user clicks.
    if (!best && this.#part && !this.#points[this.#part]) best = this.#part;
    if (!best) return;
    this.#choose(best);
    this.#dragging = true;
    if (!this.#points[best]) this.#move(at);
  };

  move = (at) => {
    if (this.#dragging) this.#move(at);
  };

  up = () => {
    this.#dragging = false;
    this.#loupe.hidden = true;
    if (this.#to) this.#view.panel();
  };

  #choose(part) {
    if (part !== this.#part) this.#to = null;
    this.#part = part;
    this.#frame = this.#view.playhead.frame;
    this.#from = this.#points[part] ?? null;
    this.#view.panel();
    this.#view.stage.draw();
  }

  #move(at) {
    const [w, hh] = this.#view.stage.size;
    this.#to = [Math.min(w, Math.max(0, at[0])), Math.min(hh, Math.max(0, at[1]))];
    this.#toast.hidden = true;
    this.#view.stage.draw();
    this.#magnify();
  }

  // magnify shows what is under the point, four times as large.
  #magnify() {
    const { media, size } = this.#view.stage,
      { mirrored } = this.#view.recording;
    if (!media || !this.#to) return;
    const ctx = /** @type {CanvasRenderingContext2D} */ (this.#loupe.getContext('2d')),
      r = 148 / 8;
    ctx.fillStyle = '#000';
    ctx.fillRect(0, 0, 148, 148);
    if (mirrored) ctx.setTransform(-1, 0, 0, 1, 148, 0);
    ctx.drawImage(media, (mirrored ? size[0] - this.#to[0] : this.#to[0]) - r, this.#to[1] - r, 2 * r, 2 * r, 0, 0, 148, 148);
    ctx.resetTransform();
    ctx.strokeStyle = '#fff';
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    for (const [a, b, c, d] of [
      [74, 20, 74, 62],
      [74, 86, 74, 128],
      [20, 74, 62, 74],
      [86, 74, 128, 74],
    ]) {
      ctx.moveTo(a, b);
      ctx.lineTo(c, d);
    }
    ctx.stroke();
    ctx.strokeStyle = getComputedStyle(this.#loupe).getPropertyValue(`--${sideOf(this.#part)}-film`) || '#fff';
    ctx.lineWidth = 3;
    ctx.beginPath();
    ctx.arc(74, 74, 9, 0, 2 * Math.PI);
    ctx.stroke();
    this.#loupe.hidden = false;
  }

  key(e) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.target.matches('input, textarea')) return false;
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'z') {
      this.#undoLast();
      return true;
    }
    if (e.target.matches('select')) return false;
    if (step && this.#part && !e.target.matches('[role=slider], .tool')) {
      const from = this.#to ?? this.#points[this.#part];
      if (!from) return false;
      const k = e.shiftKey ? 10 : 1;
      this.#frame = this.#view.playhead.frame;
      this.#from = this.#points[this.#part];
      this.#move([from[0] + k * step[0], from[1] + k * step[1]]);
      this.#loupe.hidden = true;
      this.#view.panel();
      if (e.target.matches('button')) this.#view.el.querySelector('.keep').focus(); // so that Enter keeps it
      return true;
    }
    if (e.key === 'Escape' && this.#to) {
      this.#back();
      return true;
    }
    if (e.key === 'Enter' && this.#to && !e.target.matches('button')) {
      this.#keep();
      return true;
    }
    return false;
  }

  #draw() {
    if (this.#view.tools?.now !== this) return;
    const { stage } = this.#view,
      out = [];
    for (const [part, p] of Object.entries(this.#points)) {
      const q = stage.place(p);
      if (part !== this.#part) out.push(svg('circle', { class: `grip ${sideOf(part)}`, cx: q[0], cy: q[1], r: 4 }));
    }
    const now = this.#to ?? this.#points[this.#part];
    this.#pill.hidden = !this.#part || !now;
    if (this.#part && now) {
      const q = stage.place(now);
      if (this.#to && this.#from) {
        const f = stage.place(this.#from);
        out.push(
          svg('path', { class: 'was', d: `M${f.join(' ')}L${q.join(' ')}` }),
          svg('circle', { class: 'hollow', cx: f[0], cy: f[1], r: 5 }),
        );
      }
      this.#pill.className = `tag ${sideOf(this.#part)}`;
      this.#pill.textContent = t(`part.${this.#part}`);
      const left = q[0] > stage.width / 2; // the pill is beside, and inside
      const top = Math.min(stage.height - 30, Math.max(4, q[1] - 34));
      this.#pill.style.transform = `translate(${q[0] + (left ? -24 : 24)}px, ${top}px) translateX(${left ? -100 : 0}%)`;
      out.push(
        svg('path', {
          class: 'cross',
          d: [
            [0, -1],
            [0, 1],
            [-1, 0],
            [1, 0],
          ]
            .map(([x, y]) => `M${q[0] + 16 * x} ${q[1] + 16 * y}l${14 * x} ${14 * y}`)
            .join(''),
        }),
      );
      out.push(
        svg('circle', { class: 'ring', cx: q[0], cy: q[1], r: 13 }),
        svg('circle', { class: `ring2 ${sideOf(this.#part)}`, cx: q[0], cy: q[1], r: 4.5 }),
      );
    }
    this.#group.replaceChildren(...out);
  }

  // send asks for edits, and says what they have done.
  async #send(edits, done = '', args = {}) {
    const { id, person } = this.#view.recording;
    try {
      await this.#app.api.patch(`keypoints/${id}/`, { edits: edits.map((e) => (person ? { ...e, person } : e)) });
      await this.#view.again();
      this.#toast.hidden = !done;
      if (done)
        this.#toast.replaceChildren(
          h('span', { t: done, args }),
          button('correct.undo', () => this.#undoLast(), { icon: 'undo' }),
          h('kbd', {}, 'Ctrl Z'),
        );
      this.#view.panel();
    } catch (e) {
      this.#app.fail(e);
    }
  }

  #keep() {
    const edit = { frame: this.#frame, part: this.#part, point: this.#to?.map((v) => Math.round(v * 100) / 100), carry: this.#carry };
    this.#to = null;
    const [first, last] = this.#reach(edit);
    return this.#send([edit], first === last ? 'correct.done.one' : 'correct.done', { part: t(`part.${this.#part}`), n: last - first + 1 });
  }

  // reach are the first and the last frame that an edit is about.
  /** @param {{frame: number, last?: number, exchange?: boolean, carry?: number}} edit */
  #reach({ frame, last = frame, exchange, carry = 0 }) {
    return exchange ? [frame, last] : [Math.max(0, frame - carry), Math.min(this.#view.recording.times.length - 1, frame + carry)];
  }

  #undo = (edits) =>
    this.#send(
      edits.map(({ frame, part, exchange, last }) => ({ frame, part, undo: true, ...(exchange && { exchange, last: last ?? frame }) })),
    );

  #undoLast() {
    const last = this.#groups().at(-1);
    if (last) this.#undo(last);
  }

  // stretch are the first and the last frame that are exchanged: those of the marked part, or the one that is seen.
  get #stretch() {
    const { part, recording, playhead } = this.#view;
    return part.some((end) => end !== null) ? recording.span : [playhead.frame, playhead.frame];
  }

  // exchange changes left and right of what was chosen in the stretch.
  #exchange() {
    const [frame, last] = this.#stretch,
      there = this.#view.stage.frames.slice(frame, last + 1);
    const pairs = halves[this.#half].filter((p) => p.startsWith('left') && there.some((f) => f?.[p] || f?.[p.replace('left', 'right')]));
    if (pairs.length)
      this.#send(
        pairs.map((part) => ({ frame, last, part, exchange: true, carry: this.#carry })),
        frame === last ? 'correct.exchanged.one' : 'correct.exchanged',
        { n: last - frame + 1 },
      );
  }

  // groups are the corrections that were made together, the latest last.
  #groups() {
    const { edits = [], person } = this.#view.recording,
      groups = new Map();
    for (const e of edits.filter((e) => (e.person ?? 0) === (person || 0) || e.person === undefined)) {
      const key = [e.at, e.exchange ? `${e.frame} ${e.last}` : ''].join();
      groups.set(key, [...(groups.get(key) ?? []), e]);
    }
    return [...groups.values()].sort(([a], [b]) => (a.at < b.at ? -1 : 1));
  }

  // about is a line of the list: what was corrected together.
  #about(edits) {
    const [e] = edits,
      [first, last] = this.#reach(e),
      { times } = this.#view.recording;
    const where =
      first === last
        ? t('correct.at', { frame: e.frame + 1, seconds: (times[e.frame] ?? 0).toFixed(2) })
        : t('correct.frames', { from: first + 1, to: last + 1 });
    const name = e.exchange
      ? [title(t('mark.swapped'))]
      : [h('i', { class: `dot ${sideOf(e.part)}` }), edits.map((c) => t(`part.${c.part}`)).join(', ')];
    return h(
      'li',
      {},
      h('b', {}, ...name),
      h(
        'small',
        {},
        [where, e.point || e.exchange ? '' : t('correct.removed'), e.at ? `${day(e.at)} ${hour(e.at)}` : ''].filter(Boolean).join(' · '),
      ),
      button('correct.undo', () => this.#undo(edits), { class: 'btn--line btn--small' }),
    );
  }

  panel() {
    const frame = this.#view.playhead.frame,
      [first, last] = this.#stretch;
    const chosen = (key, names, words, value, change) => {
      const el = select(key, names, (name) => (name ? words + name : 'correct.choose'), { value, on: { change: () => change(el.value) } });
      return field(key, el);
    };
    const moved = this.#to && this.#from ? Math.round(Math.hypot(this.#to[0] - this.#from[0], this.#to[1] - this.#from[1])) : null;
    const far = h('output', {}, t('correct.carry.n', { n: this.#carry }));
    const carry = h('input', {
      type: 'range',
      min: 0,
      max: 15,
      step: 1,
      value: this.#carry,
      label: 'correct.carry',
      on: {
        input: () => {
          this.#carry = carry.valueAsNumber;
          far.textContent = t('correct.carry.n', { n: this.#carry });
        },
      },
    });
    const groups = this.#groups();
    return h(
      'div',
      { class: 'side' },
      card(
        'correct.title',
        { note: 'correct.frame', noteArgs: { frame: frame + 1 } },
        h('p', { class: 'say', t: this.#to ? 'correct.moved' : 'correct.how', args: { pixels: moved ?? '' } }),
        chosen('correct.part', [...(this.#part ? [] : ['']), ...parts], 'part.', this.#part, (part) => this.#choose(part)),
        h('div', { class: 'field carry' }, h('span', { t: 'correct.carry' }), far, carry),
        h(
          'div',
          { class: 'verdict__a' },
          button('correct.keep', () => this.#keep(), { class: 'btn--primary keep', disabled: !this.#to }),
          button('correct.absent', () => this.#send([{ frame, part: this.#part, point: null }]), {
            class: 'btn--line',
            disabled: !this.#part || !this.#points[this.#part],
          }),
        ),
      ),
      card(
        'correct.sides',
        {},
        chosen('correct.half', Object.keys(halves), 'correct.half.', this.#half, (half) => {
          this.#half = half;
        }),
        h(
          'div',
          { class: 'verdict__a' },
          first === last
            ? button('correct.exchange', () => this.#exchange(), { icon: 'swap', class: 'btn--line' })
            : button('correct.exchange.part', () => this.#exchange(), {
                icon: 'swap',
                class: 'btn--line',
                args: { from: first + 1, to: last + 1 },
              }),
        ),
        first === last && this.#view.recording.movie ? h('p', { class: 'foot', t: 'correct.stretch' }) : null,
      ),
      card(
        'correct.list',
        { note: 'correct.count', noteArgs: { n: groups.length } },
        groups.length
          ? h('ul', { class: 'hist' }, ...groups.reverse().map((g) => this.#about(g)))
          : h('p', { class: 'foot', t: 'correct.none' }),
        h('p', { class: 'foot', t: 'correct.kept' }),
      ),
      button('tool.done', () => this.#view.tools.use('select'), { class: 'btn--line' }),
    );
  }
}
