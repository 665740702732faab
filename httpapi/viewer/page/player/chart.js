// @ts-check
// A chart of one value of the body: both sides over the time axis that all charts share.
import { brief, tick } from '../base/amount.js';
import { h } from '../base/dom.js';
import { svg } from '../base/icons.js';
import { t } from '../base/i18n.js';

// ticks returns about n round numbers from low to high, and the step between them.
/** @param {number} low @param {number} high @param {number} n */
export function ticks(low, high, n) {
  const raw = (high - low || 1) / n;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((m) => m * power >= raw * 0.999) ?? 10);
  const list = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step / 1e6; v += step) list.push(Number(v.toPrecision(12)));
  return list;
}

// runs are the stretches [first, end) of values that are there.
/** @param {Value[]} values */
function runs(values) {
  /** @type {[number, number][]} */
  const list = [];
  values.forEach((v, i) => {
    if (typeof v !== 'number') return;
    const last = list.at(-1);
    if (last?.[1] === i) last[1] = i + 1;
    else list.push([i, i + 1]);
  });
  return list;
}

// Chart shows the series [{side, name, values, uncertainty, held, dashed, estimated}] of one value, with a band where the curve
// may lie. held is why there is no curve; what is estimated is dotted.
export class Chart {
  #svg = svg('svg', { preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  #plot = h('div', { class: 'chart__p' }, this.#svg);
  #readings;
  #dots;

  // key is what is shown, a key of the dictionaries; x gives the place of a frame, in thousandths of the axis; span
  // is what the scale shows at least.
  constructor({ key, unit, series, x, span = [Infinity, -Infinity] }) {
    this.series = series;
    this.unit = unit;
    const all = series.flatMap((s) => s.values).filter((v) => typeof v === 'number');
    let low = all.reduce((a, b) => Math.min(a, b), span[0]),
      high = all.reduce((a, b) => Math.max(a, b), span[1]);
    this.span = [low, high];
    if (low > high) [low, high] = [0, unit === '°' ? 90 : 1];
    if (unit === '°' && high - low < 20) [low, high] = [low - 5, high + 5];
    const marks = ticks(Math.min(low, unit === '°' ? 0 : low), high, 3);
    const step = marks.length > 1 ? marks[1] - marks[0] : 1;
    this.low = Math.min(low, marks[0]);
    this.high = Math.max(high, marks.at(-1) + (high > marks.at(-1) + 1e-9 ? step : 0));
    if (this.high > marks.at(-1) + step / 2) marks.push(Number((marks.at(-1) + step).toPrecision(12)));
    for (const v of marks) {
      this.#plot.append(h('span', { class: 'tick', style: { bottom: `${this.#y(v)}%` } }, tick(v, unit)));
    }
    const at = (i, v) => `${x(i).toFixed(1)} ${(100 - this.#y(v)).toFixed(1)}`;
    for (const s of [...series].reverse()) {
      // where they are the same, the left lies above
      let line = '',
        band = '';
      for (const [from, to] of runs(s.values)) {
        const frames = Array.from({ length: to - from }, (_, k) => from + k);
        line += `M${frames.map((i) => at(i, s.values[i])).join('L')}${frames.length > 1 ? '' : 'h.1'}`;
        if (!s.uncertainty) continue;
        const edge = (i, sign) => at(i, s.values[i] + sign * (s.uncertainty[i] ?? 0));
        band += `M${[...frames.map((i) => edge(i, 1)), ...frames.reverse().map((i) => edge(i, -1))].join('L')}Z`;
      }
      if (band) this.#svg.append(svg('path', { class: `un ${s.side}`, d: band }));
      if (line) this.#svg.append(svg('path', { class: `ln ${s.side}${s.dashed ? ' b' : s.estimated ? ' est' : ''}`, d: line }));
    }
    this.#dots = series.map((s) => this.#plot.appendChild(h('i', { class: `now ${s.side}` })));
    this.#readings = series.map(() => h('b'));
    this.el = h(
      'figure',
      { class: 'chart' },
      h(
        'figcaption',
        {},
        h('b', { t: key }),
        h(
          'span',
          { class: 'chart__v' },
          ...series.map((s, k) =>
            h(
              'span',
              { class: `val ${s.side}${s.held ? ' val--held' : ''}` },
              s.dashed === undefined ? h('i', { class: `dot ${s.side}` }) : h('i', { class: `keyline ${s.side}${s.dashed ? ' b' : ''}` }),
              h('span', {}, s.held ? [s.name, s.held].filter(Boolean).join(': ') : s.name),
              ' ',
              s.held ? null : this.#readings[k],
            ),
          ),
        ),
      ),
      this.#plot,
    );
    this.zoom(0, 1000);
  }

  #y(v) {
    return (100 * (v - this.low)) / (this.high - this.low);
  }

  // zoom shows a part of the axis, in thousandths.
  zoom(from, to) {
    this.#svg.setAttribute('viewBox', `${from} 0 ${to - from} 100`);
  }

  // cursor shows the values of a frame; left is its place in percent.
  cursor(frame, left) {
    this.series.forEach((s, k) => {
      const v = s.values[s.frame ? s.frame(frame) : frame];
      const dot = this.#dots[k];
      dot.hidden = typeof v !== 'number' || left < 0 || left > 100;
      if (typeof v === 'number') {
        dot.style.translate = `${left}% ${-this.#y(v)}%`; // of its own size, which is that of the plot
      }
      this.#readings[k].textContent = (s.estimated && typeof v === 'number' ? '~ ' : '') + brief(v, this.unit);
    });
  }

  // say is the frame's values in words, for screen readers.
  say(frame) {
    return this.series
      .map((s) => `${s.name} ${typeof s.values[frame] === 'number' ? brief(s.values[frame], this.unit) : t('value.none')}`)
      .join(', ');
  }
}
