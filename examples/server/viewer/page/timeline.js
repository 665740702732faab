// The time axis: the slider, the repetitions, the places of warnings and corrections, and the charts under
// one cursor. All of them share its left and right edge and can be zoomed together.
import { h } from './dom.js';
import { label, t } from './i18n.js';
import { ticks } from './chart.js';
import { frameAt } from './playhead.js';

export class Timeline {
  #playhead;
  #done = h('div', { class: 'scrub__done' });
  #marks = h('div', { class: 'marks' });
  #scrub = h('div', { class: 'scrub', role: 'slider', tabIndex: 0, label: 'player.time' }, h('div', { class: 'scrub__track' }), this.#done, this.#marks);
  #bands = h('div', {});
  #reps = h('div', { class: 'reps' });
  #charts = h('div', { class: 'charts' });
  #cursor = h('div', { class: 'cursor' }, h('i'));
  #hover = h('div', { class: 'cursor cursor--hover', hidden: true }, h('output'));
  #axis = h('div', { class: 'axis', 'aria-hidden': 'true' });
  #plot = h('div', { class: 'time__plot' }, this.#bands, this.#scrub, this.#reps, this.#charts, this.#cursor, this.#hover, this.#axis);
  #list = [];
  #spans = []; // repetitions: {from, to, turn, flag} in seconds
  #places = []; // [from, to, class, key]
  #from = 0; // what is shown, in thousandths
  #to = 1000;
  #part = [null, null]; // the first and the last frame of the part that is drawn; null is that of the movie

  constructor(playhead) {
    this.#playhead = playhead;
    // What is enlarged goes on with the cursor.
    playhead.addEventListener('frame', () => { if (playhead.playing && this.#cursor.hidden) this.zoom(1, 50, playhead.time); });
    this.el = h('div', { class: 'time' }, this.#plot);
    playhead.addEventListener('frame', () => this.#mark());
    playhead.addEventListener('state', () => this.#repeats());
    this.#pointing();
    this.#scrub.addEventListener('keydown', (e) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };
      if (!(e.key in steps) || e.ctrlKey || e.altKey || e.metaKey) return;
      e.preventDefault();
      e.stopPropagation();
      playhead.step(Number.isFinite(steps[e.key]) ? steps[e.key] * (e.shiftKey ? 10 : 1) : Math.sign(steps[e.key]) * (playhead.last + 1));
    });
    this.#scale();
  }

  // key handles a key, and reports whether it was one of the axis.
  key(e) {
    const factor = { '+': 1 / 1.5, '-': 1.5, 0: 1e6 }[e.key];
    if (!factor || e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input:not([type=checkbox]), textarea, select')) return false;
    this.zoom(factor, 50, this.#playhead.time);
    return true;
  }

  get #length() { return this.#playhead.times.at(-1) - this.#playhead.times[0] || 1; }

  // x is the place of a time on the whole axis, in thousandths.
  #x(time) { return 1000 * (time - this.#playhead.times[0]) / this.#length; }

  // left is its place on what is shown, in percent.
  #left(time) { return 100 * (this.#x(time) - this.#from) / (this.#to - this.#from); }

  // x gives charts the places of frames.
  x = (frame) => this.#x(this.#playhead.times[frame]);

  // charts shows the charts.
  charts(list) {
    this.#list = list;
    this.#charts.replaceChildren(...list.map((c) => c.el));
    this.#charts.dataset.n = list.length;
    for (const c of list) c.zoom(this.#from, this.#to);
    this.#mark();
  }

  // repetitions shows spans {from, to, turn, flag}, in seconds.
  repetitions(spans) {
    this.#spans = spans;
    this.#lay();
  }

  // places marks runs of frames [first, last, class, words].
  places(list) {
    this.#places = list;
    this.#lay();
  }

  // lay puts repetitions and marks where they belong.
  #lay() {
    const put = (el, from, to) => {
      const a = Math.max(0, this.#left(from)), b = Math.min(100, this.#left(to));
      el.hidden = b <= 0 || a >= 100;
      el.style.left = `${a}%`;
      el.style.width = `${Math.max(0, b - a)}%`;
      el.classList.toggle('narrow', b - a < 4);
      return el;
    };
    this.#bands.replaceChildren(...this.#spans.map(({ from, to, flag }) => put(h('div', { class: `band${flag ? ' band--flag' : ''}` }), from, to)));
    this.#reps.replaceChildren(...this.#spans.map(({ from, to, turn, flag, first, last, title, label = 'repetition.of' }, i) => put(h('button', {
      type: 'button', class: `rep${flag ? ' rep--flag' : ''}`, title, label, labelArgs: { n: i + 1, from: from.toFixed(2), to: to.toFixed(2) },
      on: { click: () => {
        const { loop } = this.#playhead;
        const again = Math.abs(this.#playhead.time - turn) < 0.05;
        if (loop && loop[0] === first) this.#playhead.repeat(null);
        else if (again) this.#playhead.repeat([first, last]);
        this.#playhead.pause();
        this.#playhead.at(turn);
      } },
    }, h('span', {}, String(i + 1))), from, to)));
    const { times } = this.#playhead;
    this.#marks.replaceChildren(...this.#places.map(([first, last, kind, words]) =>
      put(h('i', { class: `mark mark--${kind}`, title: words ?? '' }), times[first], times[Math.min(times.length - 1, last + 1)])),
    ...(this.#part[0] === null ? [] : [put(h('i', { class: 'mark mark--out' }), times[0], times[this.#part[0]])]),
    ...(this.#part[1] === null ? [] : [put(h('i', { class: 'mark mark--out' }), times[this.#part[1]], times.at(-1))]));
    this.#repeats();
    this.#mark();
  }

  #repeats() {
    [...this.#reps.children].forEach((b, i) => b.setAttribute('aria-pressed', String(this.#playhead.loop?.[0] === this.#spans[i].first && this.#spans[i].first !== undefined)));
  }

  #scale() {
    const [first] = this.#playhead.times, l = this.#length;
    const low = first + l * this.#from / 1000, high = first + l * this.#to / 1000;
    this.#axis.replaceChildren(...ticks(low, high, 7).map((v) =>
      h('span', { style: { left: `${this.#left(v)}%` } }, v === ticks(low, high, 7)[0] ? `${v} s` : String(v))));
  }

  // part marks the part between two frames that is drawn; null is the first or the last of the movie.
  part(first, last) {
    this.#part = [first, last];
    this.#lay();
  }

  // zoom shows more or less of the time around a place, in percent of what is shown: what is there now, or a time.
  zoom(factor, at, time) {
    const width = Math.min(1000, Math.max(Math.min(1000, 400 / this.#length), (this.#to - this.#from) * factor));
    const here = time === undefined ? this.#from + (this.#to - this.#from) * at / 100 : this.#x(time);
    this.#from = Math.min(1000 - width, Math.max(0, here - width * at / 100));
    this.#to = this.#from + width;
    for (const c of this.#list) c.zoom(this.#from, this.#to);
    this.#scale();
    this.#lay();
  }

  #mark() {
    const { frame, time, times, last } = this.#playhead;
    const left = this.#left(time);
    this.#cursor.style.left = `${left}%`;
    this.#cursor.hidden = left < -0.1 || left > 100.1;
    this.#done.style.width = `${Math.min(100, Math.max(0, left))}%`;
    for (const c of this.#list) c.cursor(frame, left);
    const n = this.#spans.findIndex((s) => time >= s.from && time <= s.to);
    this.#scrub.setAttribute('aria-valuemin', 0);
    this.#scrub.setAttribute('aria-valuemax', times[last].toFixed(2));
    this.#scrub.setAttribute('aria-valuenow', time.toFixed(2));
    this.#scrub.setAttribute('aria-valuetext', [t('player.seconds', { seconds: time.toFixed(2) }),
      ...(n >= 0 ? [t('repetition.n', { n: n + 1 })] : []), ...this.#list.map((c) => c.say(frame))].join(', '));
  }

  // pointing drags the cursor, shows a second one where the pointer is, and zooms with the wheel.
  #pointing() {
    const place = (e) => {
      const box = this.#plot.getBoundingClientRect();
      return 100 * (e.clientX - box.left) / box.width;
    };
    const frame = (e) => {
      const x = this.#from + (this.#to - this.#from) * place(e) / 100;
      const time = this.#playhead.times[0] + this.#length * x / 1000, i = frameAt(this.#playhead.times, time);
      const next = this.#playhead.times[i + 1];
      return next !== undefined && next - time < time - this.#playhead.times[i] ? i + 1 : i;
    };
    let held = null; // where the pointer went down, and the frame then
    this.#plot.addEventListener('pointerdown', (e) => {
      if (e.target.closest('.rep') || e.button > 0) return;
      held = { x: e.clientX, at: frame(e) };
      this.#plot.setPointerCapture(e.pointerId);
      this.#playhead.pause();
      this.#playhead.seek(held.at);
      this.#scrub.focus({ preventScroll: true });
    });
    this.#plot.addEventListener('pointermove', (e) => {
      if (held) this.#playhead.seek(e.shiftKey ? Math.round(held.at + (frame(e) - held.at) / 10) : frame(e));
      this.#hover.hidden = Boolean(held) || e.pointerType !== 'mouse' || !e.target.closest('.charts');
      if (this.#hover.hidden) return;
      const i = frame(e), left = this.#left(this.#playhead.times[i]);
      this.#hover.style.left = `${left}%`;
      this.#hover.classList.toggle('cursor--end', left > 75);
      this.#hover.firstChild.textContent = [`${this.#playhead.times[i].toFixed(2)} s`, ...this.#list.map((c) => c.say(i))].join(' · ');
    });
    for (const end of ['pointerup', 'pointercancel']) this.#plot.addEventListener(end, () => { held = null; });
    this.#plot.addEventListener('pointerleave', () => { this.#hover.hidden = true; });
    this.#plot.addEventListener('wheel', (e) => {
      if (!e.ctrlKey && !e.target.closest('.charts')) return;
      e.preventDefault();
      this.zoom(Math.exp(e.deltaY / 300), Math.min(100, Math.max(0, place(e))));
    }, { passive: false });
    this.#plot.addEventListener('dblclick', () => this.zoom(1e6, 50));
    label(this.#plot, 'player.axis');
    this.#plot.setAttribute('role', 'group');
  }
}
