// @ts-check
// Correcting a point: drag it, or move it with the arrow keys; keep it, or put it back. Corrections are listed
// and undone one by one.
import { h, button, card } from '../base/dom.js';
import { svg } from '../base/svg.js';
import { t, day, hour } from '../base/i18n.js';
import { parts } from '../base/names.js';
import { sideOf } from '../player/skeleton.js';

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
  quiet = true;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    view.stage.above.append(this.#group);
    view.stage.el.append(this.#loupe);
    view.stage.addEventListener('draw', () => this.#draw());
    view.playhead.addEventListener('frame', () => { if (this.#to && view.playhead.frame !== this.#frame) this.#back(); });
  }

  enter() { this.#view.playhead.pause(); }

  leave() {
    this.#back();
    this.#part = '';
    this.#group.replaceChildren();
    this.#loupe.hidden = true;
  }

  get #points() { return this.#view.stage.frames[this.#view.playhead.frame] ?? {}; }

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

  move = (at) => { if (this.#dragging) this.#move(at); };

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
    this.#view.stage.draw();
    this.#magnify();
  }

  // magnify shows what is under the point, four times as large.
  #magnify() {
    const { media, size } = this.#view.stage, { mirrored } = this.#view.recording;
    if (!media || !this.#to) return;
    const ctx = /** @type {CanvasRenderingContext2D} */ (this.#loupe.getContext('2d')), r = 148 / 8;
    ctx.fillStyle = '#000';
    ctx.fillRect(0, 0, 148, 148);
    if (mirrored) ctx.setTransform(-1, 0, 0, 1, 148, 0);
    ctx.drawImage(media, (mirrored ? size[0] - this.#to[0] : this.#to[0]) - r, this.#to[1] - r, 2 * r, 2 * r, 0, 0, 148, 148);
    ctx.resetTransform();
    ctx.strokeStyle = '#fff';
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    for (const [a, b, c, d] of [[74, 20, 74, 62], [74, 86, 74, 128], [20, 74, 62, 74], [86, 74, 128, 74]]) { ctx.moveTo(a, b); ctx.lineTo(c, d); }
    ctx.stroke();
    this.#loupe.hidden = false;
  }

  key(e) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.target.matches('input, textarea')) return false;
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'z') { this.#undoLast(); return true; }
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
    if (e.key === 'Escape' && this.#to) { this.#back(); return true; }
    if (e.key === 'Enter' && this.#to && !e.target.matches('button')) { this.#keep(); return true; }
    return false;
  }

  #draw() {
    if (this.#view.tools?.now !== this) return;
    const { stage } = this.#view, out = [];
    for (const [part, p] of Object.entries(this.#points)) {
      const q = stage.place(p);
      if (part !== this.#part) out.push(svg('circle', { class: `grip ${sideOf(part)}`, cx: q[0], cy: q[1], r: 4 }));
    }
    const now = this.#to ?? this.#points[this.#part];
    if (this.#part && now) {
      const q = stage.place(now);
      if (this.#to && this.#from) {
        const f = stage.place(this.#from);
        out.push(svg('path', { class: 'was', d: `M${f.join(' ')}L${q.join(' ')}` }), svg('circle', { class: 'hollow', cx: f[0], cy: f[1], r: 5 }));
      }
      out.push(svg('circle', { class: 'ring', cx: q[0], cy: q[1], r: 13 }), svg('circle', { class: `ring2 ${sideOf(this.#part)}`, cx: q[0], cy: q[1], r: 4.5 }));
    }
    this.#group.replaceChildren(...out);
  }

  async #send(edits) {
    const { id, person } = this.#view.recording;
    try {
      await this.#app.api.patch(`keypoints/${id}/`, { edits: edits.map((e) => (person ? { ...e, person } : e)) });
      await this.#view.again();
      this.#view.panel();
    } catch (e) { this.#app.fail(e); }
  }

  #keep() {
    const edit = { frame: this.#frame, part: this.#part, point: this.#to?.map((v) => Math.round(v * 100) / 100) };
    this.#to = null;
    return this.#send([edit]);
  }

  #undoLast() {
    const last = this.#edits().at(-1);
    if (last) this.#send([{ frame: last.frame, part: last.part, undo: true }]);
  }

  // exchange changes left and right of all parts in this frame.
  #exchange() {
    const points = this.#points, frame = this.#view.playhead.frame;
    const pairs = parts.filter((p) => p.startsWith('left') && (points[p] || points[p.replace('left', 'right')]));
    this.#send(pairs.flatMap((left) => {
      const right = left.replace('left', 'right');
      return [{ frame, part: left, point: points[right] ?? null }, { frame, part: right, point: points[left] ?? null }];
    }));
  }

  #edits() {
    const { edits = [], person } = this.#view.recording;
    return edits.filter((e) => (e.person ?? 0) === (person || 0) || e.person === undefined);
  }

  panel() {
    const { times } = this.#view.recording, frame = this.#view.playhead.frame;
    const choice = h('select', { label: 'correct.part', on: { change: () => this.#choose(choice.value) } },
      ...(this.#part ? [] : [h('option', { value: '', t: 'correct.choose' })]), ...parts.map((p) => h('option', { value: p, t: `part.${p}` })));
    choice.value = this.#part ?? '';
    const moved = this.#to && this.#from ? Math.round(Math.hypot(this.#to[0] - this.#from[0], this.#to[1] - this.#from[1])) : null;
    const edits = this.#edits();
    const where = (e) => t('correct.at', { frame: e.frame + 1, seconds: (times[e.frame] ?? 0).toFixed(2) });
    return h('div', { class: 'side' },
      card('correct.title', { note: 'correct.frame', noteArgs: { frame: frame + 1 } },
        h('p', { class: 'say', t: this.#to ? 'correct.moved' : 'correct.how', args: { pixels: moved ?? '' } }),
        h('label', { class: 'field' }, h('span', { t: 'correct.part' }), choice),
        h('div', { class: 'verdict__a' },
          button('correct.keep', () => this.#keep(), { class: 'btn--primary keep', disabled: !this.#to }),
          button('correct.absent', () => this.#send([{ frame, part: this.#part, point: null }]), { class: 'btn--line', disabled: !this.#part || !this.#points[this.#part] }),
          button('correct.exchange', () => this.#exchange(), { icon: 'swap', class: 'btn--line' })),
        h('p', { class: 'foot', t: 'correct.path' })),
      card('correct.list', { note: 'correct.count', noteArgs: { n: edits.length } },
        edits.length ? h('ul', { class: 'hist' }, ...[...edits].reverse().map((e) => h('li', {},
          h('b', {}, h('i', { class: `dot ${sideOf(e.part)}` }), t(`part.${e.part}`)),
          h('small', {}, `${where(e)}${e.point ? '' : ` · ${t('correct.removed')}`}${e.at ? ` · ${day(e.at)} ${hour(e.at)}` : ''}`),
          button('correct.undo', () => this.#send([{ frame: e.frame, part: e.part, undo: true }]), { class: 'btn--line btn--small' }))))
          : h('p', { class: 'foot', t: 'correct.none' }),
        h('p', { class: 'foot', t: 'correct.kept' })),
      button('tool.done', () => this.#view.tools.use('select'), { class: 'btn--line' }));
  }
}
