// A line chart of values over the frames of a recording, with a cursor at the frame that
// the player shows. It is a slider for the keyboard and for screen readers.
import { h, svg } from './dom.js';
import { t, label } from './i18n.js';

const height = 220, left = 52, right = 12, top = 24, bottom = 28;

// ticks returns about n round numbers from low to high.
function ticks(low, high, n) {
  const raw = (high - low || 1) / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= raw);
  const list = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step / 1e6; v += step) list.push(Number(v.toPrecision(12)));
  return list;
}

export class Chart {
  #box = h('div', { class: 'chart', tabIndex: 0, role: 'slider', on: { keydown: (e) => this.#key(e) } });
  #legend = h('div', { class: 'legend' });
  #readout = h('output', { class: 'readout' });
  #data = null;
  #frame = 0;
  #cursor = null;
  #seek;

  // seek is called with the frame that the user points at.
  constructor(seek) {
    this.#seek = seek;
    this.el = h('div', { class: 'chart-box' }, this.#legend, this.#box, this.#readout);
    new ResizeObserver(() => this.#draw()).observe(this.#box);
    let dragging = false;
    this.#box.addEventListener('pointerdown', (e) => { dragging = true; this.#box.setPointerCapture(e.pointerId); this.#point(e); });
    this.#box.addEventListener('pointermove', (e) => { if (dragging) this.#point(e); });
    for (const end of ['pointerup', 'pointercancel']) this.#box.addEventListener(end, () => { dragging = false; });
    document.addEventListener('language', () => this.#draw());
  }

  // set shows data: name (a key or words), unit (a key), times, series of {name, values}
  // with null for no value, least (what values cannot be below, or nothing), level (a number to mark, or null) and cycles (frames).
  set(data) {
    this.#data = data;
    this.#legend.replaceChildren(...(data.series.length < 2 ? [] : data.series.map((s, i) =>
      h('span', { class: `key series${i}` }, s.name))));
    label(this.#box, 'chart.label', { name: t(data.name) });
    this.#box.setAttribute('aria-valuemin', 1);
    this.#box.setAttribute('aria-valuemax', data.times.length);
    this.#draw();
  }

  // cursor moves the cursor to a frame.
  cursor(frame) {
    this.#frame = frame;
    this.#mark();
  }

  #x(i) {
    const { times } = this.#data;
    const span = times.at(-1) - times[0];
    return left + (span > 0 ? (times[i] - times[0]) / span : 0.5) * (this.#box.clientWidth - left - right);
  }

  #range() {
    const all = this.#data.series.flatMap((s) => s.values).filter((v) => v !== null);
    if (typeof this.#data.level === 'number') all.push(this.#data.level);
    let low = all.reduce((a, b) => Math.min(a, b), Infinity), high = all.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!all.length) [low, high] = [0, 1];
    if (high - low < 1e-9) [low, high] = [low - 1, high + 1];
    const air = (high - low) * 0.06;
    return [Math.max(low - air, this.#data.least ?? -Infinity), high + air];
  }

  #draw() {
    const width = this.#box.clientWidth;
    if (!this.#data || !width) return;
    const { series, times, cycles = [], level = null, unit } = this.#data;
    const [low, high] = this.#range();
    const y = (v) => top + (high - v) / (high - low) * (height - top - bottom);
    const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
    cycles.forEach((c, i) => {
      const x = this.#x(c.start);
      root.append(svg('rect', { class: i % 2 ? 'cycle odd' : 'cycle', x, y: top, width: Math.max(1, this.#x(c.end) - x), height: height - top - bottom }),
        svg('text', { class: 'count', x: this.#x(c.turn), y: top - 8 }, String(i + 1)));
    });
    for (const v of ticks(low, high, 4)) {
      root.append(svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(v), y2: y(v) }),
        svg('text', { class: 'tick y', x: left - 6, y: y(v) + 4 }, String(v)));
    }
    const span = times.at(-1) - times[0];
    for (const v of ticks(times[0], times.at(-1), Math.max(2, width / 110))) {
      const x = left + (v - times[0]) / (span || 1) * (width - left - right);
      root.append(svg('text', { class: 'tick', x, y: height - 9 }, `${v} s`));
    }
    if (typeof level === 'number') root.append(svg('line', { class: 'level', x1: left, x2: width - right, y1: y(level), y2: y(level) }));
    series.forEach((s, k) => {
      let path = '', pen = false;
      s.values.forEach((v, i) => {
        if (v !== null) path += `${pen ? 'L' : 'M'}${this.#x(i).toFixed(1)} ${y(v).toFixed(1)}${!pen && (s.values[i + 1] ?? null) === null ? 'h0.1' : ''}`;
        pen = v !== null;
      });
      root.append(svg('path', { class: `line series${k}`, d: path }));
    });
    if (unit) root.append(svg('text', { class: 'tick unit', x: 4, y: 10 }, t(unit)));
    this.#cursor = svg('line', { class: 'cursor', y1: top - 5, y2: height - bottom });
    root.append(this.#cursor);
    this.#box.replaceChildren(root);
    this.#mark();
  }

  #mark() {
    if (!this.#data || !this.#cursor) return;
    const i = Math.min(this.#frame, this.#data.times.length - 1);
    this.#cursor.setAttribute('x1', this.#x(i));
    this.#cursor.setAttribute('x2', this.#x(i));
    const values = this.#data.series.map((s) => {
      const v = s.values[i];
      return `${s.name ? `${s.name} ` : ''}${v === null || v === undefined ? t('chart.none') : Number(v.toFixed(3))}`;
    }).join(', ');
    const measured = this.#data.unit && this.#data.series.some((s) => Number.isFinite(s.values[i]));
    const text = t('chart.at', { frame: i + 1, seconds: this.#data.times[i].toFixed(2), values, unit: measured ? t(this.#data.unit) : '' }).trim();
    this.#readout.textContent = text;
    this.#box.setAttribute('aria-valuenow', i + 1);
    this.#box.setAttribute('aria-valuetext', text);
  }

  #point(e) {
    const x = e.clientX - this.#box.getBoundingClientRect().left;
    let best = 0;
    for (let i = 0; i < this.#data.times.length; i++) if (Math.abs(this.#x(i) - x) < Math.abs(this.#x(best) - x)) best = i;
    this.#seek(best);
  }

  #key(e) {
    const last = this.#data.times.length - 1;
    const to = { ArrowLeft: this.#frame - 1, ArrowDown: this.#frame - 1, ArrowRight: this.#frame + 1, ArrowUp: this.#frame + 1,
      PageDown: this.#frame - 10, PageUp: this.#frame + 10, Home: 0, End: last }[e.key];
    if (to === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    this.#seek(Math.min(last, Math.max(0, to)));
  }
}
