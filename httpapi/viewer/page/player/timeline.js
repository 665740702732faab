// @ts-check
// The time axis: the slider, the repetitions, the places of warnings and corrections, and the charts under
// one cursor. All of them share its left and right edge and can be zoomed together.
import { h } from '../base/dom.js';
import { label, t } from '../base/i18n.js';
import { ticks } from './chart.js';
import { frameAt } from './playhead.js';

export class Timeline {
  #playhead;
  #done = h('div', { class: 'scrub__done' });
  #marks = h('div', { class: 'marks' });
  #scrub = h(
    'div',
    { class: 'scrub', role: 'slider', tabIndex: 0, label: 'player.time' },
    h('div', { class: 'scrub__track' }),
    this.#done,
    this.#marks,
  );
  #bands = h('div', {});
  #reps = h('div', { class: 'reps' });
  #charts = h('div', { class: 'charts' });
  #cursor = h('div', { class: 'cursor' }, h('i'));
  #hover = h('div', { class: 'cursor cursor--hover', hidden: true }, h('output'));
  #veils = [0, 1].map(() => h('div', { class: 'veil', hidden: true }));
  #axis = h('div', { class: 'axis', 'aria-hidden': 'true' });
  #legend = h('ul', { class: 'mkey' });
  #plot = h(
    'div',
    { class: 'time__plot' },
    this.#bands,
    this.#scrub,
    this.#reps,
    this.#charts,
    ...this.#veils,
    this.#cursor,
    this.#hover,
    this.#axis,
  );
  /** @type {import('./chart.js').Chart[]} */
  #list = [];
  #spans = []; // repetitions: {from, to, turn, flag} in seconds
  #places = []; // [from, to, class, key]
  #from = 0; // what is shown, in thousandths
  #to = 1000;
  /** @type {(number | null)[]} */
  #part = [null, null]; // the first and the last frame of the part that is measured; null is that of the movie

  #ends = [];

  // cut is called with an end (0 or 1) and a frame when the part to measure is cut; without it, it cannot be.
  /** @param {import('./playhead.js').Playhead} playhead @param {{cut?: ((end: number, frame: number) => void) | null}} options */
  constructor(playhead, { cut } = {}) {
    this.#playhead = playhead;
    if (cut) this.#cutting(cut);
    // What is enlarged goes on with the cursor.
    playhead.addEventListener('frame', () => {
      if (playhead.playing && this.#cursor.hidden) this.zoom(1, 50, playhead.time);
    });
    this.el = h('div', { class: 'time' }, this.#plot, this.#legend);
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

  get #length() {
    return this.#playhead.times.at(-1) - this.#playhead.times[0] || 1;
  }

  // x is the place of a time on the whole axis, in thousandths.
  #x(time) {
    return (1000 * (time - this.#playhead.times[0])) / this.#length;
  }

  // left is its place on what is shown, in percent.
  #left(time) {
    return (100 * (this.#x(time) - this.#from)) / (this.#to - this.#from);
  }

  // x gives charts the places of frames.
  x = (frame) => this.#x(this.#playhead.times[frame]);

  // charts shows the charts.
  charts(list) {
    const same = list.length === this.#list.length && list.every((c, i) => c === this.#list[i]);
    this.#list = list;
    if (!same) this.#charts.replaceChildren(...list.map((c) => c.el));
    this.#charts.dataset.n = list.length;
    for (const c of list) c.zoom(this.#from, this.#to);
    this.#mark();
  }

  // follow shows what another one has shown, until it is known better.
  /** @param {Timeline} other */
  follow(other) {
    this.charts(other.#list);
    this.repetitions(other.#spans);
  }

  // repetitions shows spans {from, to, turn, flag}, in seconds.
  repetitions(spans) {
    this.#spans = spans;
    this.#lay();
  }

  // places marks runs of frames [first, last, class, words]. The legend has the kinds that occur; band is whether a
  // curve has one.
  places(list, band = false) {
    this.#places = list;
    const kinds = [...new Map(list.map(([, , kind, words]) => [kind === 'warn' ? words : t(`mark.${kind}`), kind]))];
    this.#legend.replaceChildren(
      ...kinds.map(([words, kind]) => h('li', {}, h('i', { class: `mk mark--${kind}` }), words)),
      ...(band ? [h('li', {}, h('i', { class: 'mk un-k' }), t('mark.band'))] : []),
    );
    this.#lay();
  }

  // lay puts repetitions and marks where they belong.
  #lay() {
    const put = (el, from, to) => {
      const a = Math.max(0, this.#left(from)),
        b = Math.min(100, this.#left(to));
      el.hidden = b <= 0 || a >= 100;
      el.style.left = `${a}%`;
      el.style.width = `${Math.max(0, b - a)}%`;
      el.classList.toggle('narrow', b - a < 4);
      return el;
    };
    this.#bands.replaceChildren(
      ...this.#spans.map(({ from, to, flag }) => put(h('div', { class: `band${flag ? ' band--flag' : ''}` }), from, to)),
    );
    this.#reps.replaceChildren(
      ...this.#spans.map(({ from, to, turn, flag, first, last, title, label = 'repetition.of' }, i) =>
        put(
          h(
            'button',
            {
              type: 'button',
              class: `rep${flag ? ' rep--flag' : ''}`,
              title,
              label,
              labelArgs: { n: i + 1, from: from.toFixed(2), to: to.toFixed(2) },
              on: {
                click: () => {
                  const { loop } = this.#playhead;
                  const again = Math.abs(this.#playhead.time - turn) < 0.05;
                  if (loop && loop[0] === first) this.#playhead.repeat(null);
                  else if (again) this.#playhead.repeat([first, last]);
                  this.#playhead.pause();
                  this.#playhead.at(turn);
                },
              },
            },
            h('span', {}, String(i + 1)),
          ),
          from,
          to,
        ),
      ),
    );
    const { times } = this.#playhead;
    this.#marks.replaceChildren(
      ...this.#places.map(([first, last, kind, words]) =>
        put(h('i', { class: `mark mark--${kind}`, title: words ?? '' }), times[first], times[Math.min(times.length - 1, last + 1)]),
      ),
    );
    const [first, last] = [this.#part[0] ?? 0, this.#part[1] ?? times.length - 1];
    put(this.#veils[0], times[0], times[first]);
    put(this.#veils[1], times[last], times.at(-1));
    this.#ends.forEach((el, i) => {
      const frame = i ? last : first,
        left = this.#left(times[frame]);
      el.hidden = left < -0.1 || left > 100.1;
      el.style.left = `${left}%`;
      el.setAttribute('aria-valuenow', times[frame].toFixed(2));
      el.setAttribute('aria-valuemax', times.at(-1).toFixed(2));
      el.setAttribute('aria-valuetext', t('player.seconds', { seconds: times[frame].toFixed(2) }));
    });
    this.#repeats();
    this.#mark();
  }

  #repeats() {
    [...this.#reps.children].forEach((b, i) =>
      b.setAttribute('aria-pressed', String(this.#playhead.loop?.[0] === this.#spans[i].first && this.#spans[i].first !== undefined)),
    );
  }

  #scale() {
    const [first] = this.#playhead.times,
      l = this.#length;
    const low = first + (l * this.#from) / 1000,
      high = first + (l * this.#to) / 1000;
    this.#axis.replaceChildren(
      ...ticks(low, high, 7).map((v) =>
        h('span', { style: { left: `${this.#left(v)}%` } }, v === ticks(low, high, 7)[0] ? `${v} s` : String(v)),
      ),
    );
  }

  // cutting makes the handles at both ends of the part: dragged, or moved with the arrow keys.
  #cutting(cut) {
    this.#ends = ['part.from', 'part.to'].map((name, i) => {
      const el = h('div', { class: `end end--${i}`, role: 'slider', tabIndex: 0, label: name, 'aria-valuemin': 0 });
      const at = () => this.#part[i] ?? (i ? this.#playhead.last : 0);
      const other = () => this.#part[1 - i] ?? (i ? 0 : this.#playhead.last);
      const move = (frame) => {
        this.#part[i] = i ? Math.max(other() + 1, Math.min(this.#playhead.last, frame)) : Math.min(other() - 1, Math.max(0, frame));
        this.#playhead.seek(at());
        this.#lay();
      };
      const done = () => cut(i, at());
      /** @type {number | null} */
      let held = null;
      let waiting = 0;
      el.addEventListener('pointerdown', (e) => {
        e.stopPropagation();
        if (e.button > 0) return;
        el.setPointerCapture(e.pointerId);
        held = e.clientX - el.getBoundingClientRect().left + (i ? 7 : -el.offsetWidth - 7); // from the end itself
        this.#playhead.pause();
      });
      el.addEventListener('pointermove', (e) => {
        if (held !== null) move(this.#frame(e.clientX - held));
      });
      for (const end of ['pointerup', 'pointercancel'])
        el.addEventListener(end, () => {
          if (held !== null) {
            held = null;
            done();
          }
        });
      el.addEventListener('keydown', (e) => {
        const steps = {
          ArrowLeft: -1,
          ArrowDown: -1,
          ArrowRight: 1,
          ArrowUp: 1,
          PageDown: -10,
          PageUp: 10,
          Home: -Infinity,
          End: Infinity,
        };
        if (!(e.key in steps) || e.ctrlKey || e.altKey || e.metaKey) return;
        e.preventDefault();
        e.stopPropagation();
        this.#playhead.pause();
        move(at() + steps[e.key] * (e.shiftKey ? 10 : 1));
        clearTimeout(waiting);
        waiting = setTimeout(done, 400); // so that holding the key does not measure each frame
      });
      return el;
    });
    this.#plot.append(...this.#ends);
  }

  // part marks the part between two frames that is measured; null is the first or the last of the movie.
  part(first, last) {
    this.#part = [first, last];
    this.#lay();
  }

  // zoom shows more or less of the time around a place, in percent of what is shown: what is there now, or a time.
  zoom(factor, at, time) {
    this.#window(
      (this.#to - this.#from) * factor,
      at,
      time === undefined ? this.#from + ((this.#to - this.#from) * at) / 100 : this.#x(time),
    );
  }

  // window shows a width of the axis, in thousandths, with a place of it at a percentage of what is shown.
  #window(wanted, at, here) {
    const width = Math.min(1000, Math.max(Math.min(1000, 400 / this.#length), wanted));
    this.#from = Math.min(1000 - width, Math.max(0, here - (width * at) / 100));
    this.#to = this.#from + width;
    for (const c of this.#list) c.zoom(this.#from, this.#to);
    this.#scale();
    this.#lay();
  }

  #mark() {
    const { frame, time, times, last } = this.#playhead;
    const left = this.#left(time);
    this.#cursor.style.translate = `${left}%`; // of its own width, which is that of the plot: this lays nothing out
    this.#cursor.hidden = left < -0.1 || left > 100.1;
    this.#done.style.scale = `${Math.min(1, Math.max(0, left / 100))} 1`;
    for (const c of this.#list) c.cursor(frame, left);
    const n = this.#spans.findIndex((s) => time >= s.from && time <= s.to);
    this.#scrub.setAttribute('aria-valuemin', '0');
    this.#scrub.setAttribute('aria-valuemax', times[last].toFixed(2));
    this.#scrub.setAttribute('aria-valuenow', time.toFixed(2));
    this.#scrub.setAttribute(
      'aria-valuetext',
      [
        t('player.seconds', { seconds: time.toFixed(2) }),
        ...(n >= 0 ? [t('repetition.n', { n: n + 1 })] : []),
        ...this.#list.map((c) => c.say(frame)),
      ].join(', '),
    );
  }

  // place is where a pointer is on what is shown, in percent; frame is the frame there.
  #place(x) {
    const box = this.#plot.getBoundingClientRect();
    return (100 * (x - box.left)) / box.width;
  }

  #frame(x) {
    const { times } = this.#playhead;
    const time = times[0] + (this.#length * (this.#from + ((this.#to - this.#from) * this.#place(x)) / 100)) / 1000,
      i = frameAt(times, time);
    return times[i + 1] - time < time - times[i] ? i + 1 : i;
  }

  // pointing drags the cursor and shows a second one where the mouse is. Two fingers, or the wheel with Ctrl, zoom;
  // two fingers, or the wheel to the side, move what is shown.
  #pointing() {
    const place = (e) => this.#place(e.clientX),
      frame = (e) => this.#frame(e.clientX);
    const x = (e) => this.#from + ((this.#to - this.#from) * place(e)) / 100;
    const held = new Map(); // where pointers are, and in what place of the axis they went down, by their ids
    /** @type {{at: number, before: number} | null} */
    let drag = null; // the frame where a single pointer went down, and the one before
    this.#plot.addEventListener('pointerdown', (e) => {
      if (e.button > 0 || held.size === 2) return;
      held.set(e.pointerId, { now: place(e), x: x(e) });
      const own = e.target?.closest('.rep'); // which is a button
      if (held.size === 2) {
        for (const id of held.keys()) this.#plot.setPointerCapture(id);
        if (drag) this.#playhead.seek(drag.before);
        drag = null;
      } else if (!own) {
        this.#plot.setPointerCapture(e.pointerId);
        drag = { at: frame(e), before: this.#playhead.frame };
        this.#playhead.pause();
        this.#playhead.seek(drag.at);
        this.#scrub.focus({ preventScroll: true });
      }
    });
    this.#plot.addEventListener('pointermove', (e) => {
      const finger = held.get(e.pointerId);
      if (finger) finger.now = place(e);
      if (finger && held.size === 2) {
        const [a, b] = [...held.values()].sort((p, q) => p.x - q.x);
        this.#window((100 * (b.x - a.x)) / Math.max(1, b.now - a.now), (a.now + b.now) / 2, (a.x + b.x) / 2);
      } else if (drag) this.#playhead.seek(e.shiftKey ? Math.round(drag.at + (frame(e) - drag.at) / 10) : frame(e));
      this.#hover.hidden = held.size > 0 || e.pointerType !== 'mouse' || !e.target?.closest('.charts');
      if (this.#hover.hidden) return;
      const i = frame(e),
        left = this.#left(this.#playhead.times[i]);
      this.#hover.style.translate = `${left}%`;
      this.#hover.classList.toggle('cursor--end', left > 75);
      this.#hover.children[0].textContent = [`${this.#playhead.times[i].toFixed(2)} s`, ...this.#list.map((c) => c.say(i))].join(' · ');
    });
    // What was held by two fingers is not dragged by the one that is left.
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel']))
      this.#plot.addEventListener(end, (e) => {
        held.delete(e.pointerId);
        drag = null;
      });
    this.#plot.addEventListener('pointerleave', () => {
      this.#hover.hidden = true;
    });
    this.#plot.addEventListener(
      'wheel',
      (e) => {
        const aside = e.shiftKey ? e.deltaY || e.deltaX : e.deltaX;
        if (e.ctrlKey) this.zoom(Math.exp(e.deltaY / 300), Math.min(100, Math.max(0, place(e))));
        else if (Math.abs(aside) > Math.abs(e.shiftKey ? 0 : e.deltaY) && this.#to - this.#from < 1000)
          this.zoom(1, 50 - aside / 10, this.#playhead.times[0] + (this.#length * (this.#from + this.#to)) / 2000);
        else return;
        e.preventDefault();
      },
      { passive: false },
    );
    this.#plot.addEventListener('dblclick', (e) => {
      if (!e.target?.closest('.rep')) this.zoom(1e6, 50);
    });
    label(this.#plot, 'player.axis');
    this.#plot.setAttribute('role', 'group');
  }
}
