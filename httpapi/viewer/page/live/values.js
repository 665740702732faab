// @ts-check
// What is measured while pictures come: the values of the newest seconds, the repetitions, and where both stand.
import { h, span } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { amount, Chart } from '../player/chart.js';
import { angles, rulesOf } from '../numbers/measures.js';

const length = 15; // seconds that the charts show
const recent = 60; // pictures that the stage knows, to follow the person

// LiveMeasures has the choice and the values of a session, as Measures has those of a recording.
export class LiveMeasures extends EventTarget {
  #list = []; // {time, frame, scores, values} of the newest seconds
  #counts = []; // of the rules in this connection
  #before = []; // of the rules in the connections before it
  #leads = null; // the choice whose repetitions are counted
  chosen = [];
  side = 'both';
  rules = rulesOf(Object.keys(angles), undefined, { repetitions: true });

  withheld = () => null; // no choice is struck through while the person may turn

  get shownSides() { return this.side === 'both' ? ['left', 'right'] : [this.side]; }

  // add takes what the service found in a picture.
  add({ time, keypoint, scores, values, repetitions }) {
    this.#list.push({ time, frame: keypoint, scores, values });
    const first = this.#list.findIndex((e) => e.time >= time - length);
    if (first > 0) this.#list.splice(0, first);
    if (repetitions) this.count(repetitions);
  }

  count(repetitions) { this.#counts = repetitions; }

  // part begins another connection: counts go on, and the curves have a gap.
  part() {
    const last = this.#list.at(-1);
    if (last) this.#list.push({ time: last.time, frame: {}, scores: {}, values: [] });
    this.#before = this.rules.map((_, k) => this.#sum(k));
    this.#counts = [];
  }

  // clear forgets everything.
  clear() { this.#list = []; this.#counts = []; this.#before = []; this.#leads = null; }

  #sum(k) {
    const [a, b] = [this.#before[k], this.#counts[k]];
    return { count: (a?.count ?? 0) + (b?.count ?? 0), complete: (a?.complete ?? 0) + (b?.complete ?? 0), last: b?.last ?? a?.last ?? null };
  }

  // mirror turns what is known around, as the picture is.
  mirror(width) {
    for (const e of this.#list) e.frame = mirrored(e.frame, width);
  }

  get #newest() { return this.#list.slice(-recent); }

  get times() { return this.#newest.map((e) => e.time); }

  get frames() { return this.#newest.map((e) => e.frame); }

  get scores() { return this.#newest.map((e) => e.scores); }

  // nobody reports whether no person has been seen for two seconds.
  get nobody() {
    const last = this.#list.at(-1)?.time, late = this.#list.filter((e) => e.time > last - 2);
    return late.length > 4 && this.#list[0].time <= last - 2 && late.every((e) => !Object.keys(e.frame).length);
  }

  // of are the rules of a choice that are shown, by their places in the list of rules.
  #of(name) {
    return this.rules.map((rule, k) => ({ rule, k })).filter(({ rule }) => rule.analysisType === angles[name].type && (!rule.side || this.shownSides.includes(rule.side)));
  }

  #results(name, list) {
    return this.#of(name).map(({ rule: { analysisType, side }, k }) => ({ analysisType, side, unit: '°', values: list.map((e) => e.values[k] ?? null) }));
  }

  // results are the values of a choice in the frames that the stage knows.
  results(name) { return this.#results(name, this.#newest); }

  // curves are those of the seconds that the charts show.
  curves(name) { return this.#results(name, this.#list); }

  // range is the first and the last time that the charts show.
  get range() {
    const last = this.#list.at(-1)?.time ?? 0;
    return [last - length, last];
  }

  // x is the place of an entry on their axis, in thousandths.
  x = (i) => 1000 * (this.#list[i].time - this.range[0]) / length;

  // now is the newest value of each rule of a choice.
  now(name) {
    const values = this.#list.at(-1)?.values ?? [];
    return this.#of(name).map(({ rule: { side }, k }) => ({ side, value: values[k] ?? null }));
  }

  // repetitions are those of the chosen angle that moves most: {name, count, complete, last}, null if there are none.
  repetitions() {
    const best = new Map(); // by choice, of its side with the deepest
    for (const name of this.chosen) {
      for (const { k } of this.#of(name)) {
        const sum = this.#sum(k), depth = sum.last?.depth ?? 0;
        if (sum.count && depth >= (best.get(name)?.last?.depth ?? 0)) best.set(name, { name, ...sum });
      }
    }
    const deepest = [...best.values()].sort((a, b) => (b.last?.depth ?? 0) - (a.last?.depth ?? 0))[0];
    // Another angle takes over only if it moves much more: a count that jumps is of no use.
    const held = best.get(this.#leads);
    const lead = held && (held.last?.depth ?? 0) > 0.75 * (deepest.last?.depth ?? 0) ? held : deepest;
    this.#leads = lead?.name ?? null;
    return lead ?? null;
  }
}

// mirrored is a frame as a mirror shows it; left and right stay the person's own.
export const mirrored = (frame, width) => Object.fromEntries(Object.entries(frame ?? {}).map(([part, [x, y]]) => [part, [width - x, y]]));

// Board shows the values: large, and as curves of the newest seconds.
export class Board {
  #sides = h('tr');
  #numbers = h('tbody');
  #cells = []; // [choice, side, cell]
  #charts = h('div', { class: 'charts' });
  #axis = h('div', { class: 'axis', 'aria-hidden': 'true' });
  #span = new Map(); // the lowest and the highest value of a choice so far
  measures;

  constructor(measures) {
    this.measures = measures;
    this.table = h('table', { class: 'live__v' }, h('thead', {}, this.#sides), this.#numbers);
    this.el = h('div', { class: 'time live__t' }, h('div', { class: 'time__plot' }, this.#charts, this.#axis));
    for (const s of [-15, -10, -5, 0]) this.#axis.append(h('span', { style: { left: `${100 * (1 + s / length)}%` } }, s ? `${s} s`.replace('-', '−') : '0'));
  }

  // choose shows the rows of other choices.
  choose() {
    const { measures } = this;
    this.#cells = [];
    this.#sides.replaceChildren(h('th', { scope: 'col', t: 'values.of' }), ...measures.shownSides.map((side) =>
      h('th', { scope: 'col' }, h('i', { class: `dot ${side}` }), ' ', span(`side.${side}`))));
    this.#numbers.replaceChildren(...measures.chosen.map((name) => {
      const cell = (side) => {
        const el = h('td', { class: side ?? 'trunk', colSpan: side ? 1 : measures.shownSides.length }, '–');
        this.#cells.push([name, side, el]);
        return el;
      };
      return h('tr', {}, h('th', { scope: 'row', t: `angle.${name}` }), ...(angles[name].sides ? measures.shownSides.map(cell) : [cell(undefined)]));
    }));
    if (!measures.chosen.length) this.#numbers.append(h('tr', {}, h('th', { colSpan: 3, class: 'quiet', t: 'values.none' })));
    this.show();
  }

  // show shows the newest values.
  show() {
    const { measures } = this;
    for (const [name, side, el] of this.#cells) {
      const now = measures.now(name).find((v) => v.side === side)?.value;
      el.textContent = amount(now, '°');
    }
    this.#charts.dataset.n = measures.chosen.length;
    this.#charts.replaceChildren(...measures.chosen.map((name) => {
      const series = measures.curves(name).map((r) => ({ side: r.side ?? 'trunk', name: r.side ? t(`side.${r.side}`) : '', values: r.values }));
      const chart = new Chart({ key: `angle.${name}`, unit: '°', x: measures.x, series, span: this.#span.get(name) });
      this.#span.set(name, chart.span);
      chart.cursor(series[0] ? series[0].values.length - 1 : 0, 100);
      return chart.el;
    }));
  }

  // forget forgets the range of the curves.
  forget() { this.#span.clear(); }
}
