// @ts-check
// What is measured while pictures come: the values of the newest seconds, the repetitions, and where both stand.
import { h, span } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { Chart } from '../player/chart.js';
import { angles, choiceOf, labelOf, rulesOf } from '../numbers/measures.js';
import { types } from '../base/names.js';
import { held, sure, why } from '../numbers/trust.js';

const length = 15; // seconds that the charts show
const recent = 60; // pictures that the stage knows, to follow the person

const kind = (name) => types.find((type) => type.name === angles[name].type) ?? { unit: '°', front: false, good: 0 };

// LiveMeasures has the choice and the values of a session, as Measures has those of a recording.
export class LiveMeasures extends EventTarget {
  #list = []; // {time, frame, scores, values, uncertainty, why} of the newest seconds
  #counts = []; // of the rules in this connection
  #before = []; // of the rules in the connections before it
  #former = 0; // repetitions that counted by the exercise in the connections before
  /** @type {any} */
  graded = null; // what the service says of the exercise, null without one
  #lead = null; // the place of the rule whose repetitions count
  /** @type {Facing | null} */
  facing = null; // from where the person is seen, null before that is known
  #against = new Map(); // by choice, why this view cannot tell it
  chosen = [];
  side = 'both';
  rules = rulesOf(Object.keys(angles), undefined, { repetitions: true });

  // withheld is why this view cannot tell a choice: as soon as in half of a second it does not, until in a whole one it does.
  withheld(name) {
    return this.#against.get(name) ?? null;
  }

  // turn are the names of what is chosen and shows from another side, of those from the side first.
  get turn() {
    const list = this.chosen.filter((name) => this.withheld(name)?.why[0] === 'outOfPlane');
    const front = list.length > 0 && list.every((name) => kind(name).front);
    return { front, names: list.filter((name) => kind(name).front === front) };
  }

  get shownSides() {
    return this.side === 'both' ? ['left', 'right'] : [this.side];
  }

  // add takes what the service found in a picture.
  add({ time, keypoint, scores, values, uncertainty, why: codes, repetitions, exercise, lead, facing }) {
    this.#list.push({
      time,
      frame: keypoint,
      scores,
      values,
      uncertainty,
      why: codes.map((code) => (code === 'hiddenSide' ? 'hidden' : code)),
    });
    this.facing = facing ?? this.facing;
    this.#judge(this.#list.filter((e) => e.time > time - 1));
    const first = this.#list.findIndex((e) => e.time >= time - length);
    if (first > 0) this.#list.splice(0, first);
    this.count({ repetitions, exercise });
    // Somebody who rests sways: what moves most then leads only once it has counted something.
    if (this.#lead === null || this.#counts[lead]?.count > 0) this.#lead = lead ?? this.#lead;
  }

  #judge(late) {
    for (const name of Object.keys(angles)) {
      const places = this.#of(name).map(({ k }) => k);
      const out = late.filter((e) => places.every((k) => ['outOfPlane', 'facing', 'hidden'].includes(e.why[k])));
      if (2 * out.length > late.length) this.#against.set(name, { why: [out.at(-1)?.why[places[0]]] });
      else if (!out.length) this.#against.delete(name);
    }
  }

  // count takes the repetitions that the service has found in this connection.
  count({ repetitions, exercise }) {
    this.#counts = repetitions;
    if (exercise) this.graded = { ...exercise, count: this.#former + exercise.count };
  }

  // part begins another connection: counts go on, and the curves have a gap.
  part() {
    const last = this.#list.at(-1);
    if (last) this.#list.push({ time: last.time, frame: {}, scores: {}, values: [], uncertainty: [], why: [] });
    this.#before = this.rules.map((_, k) => this.#sum(k, true));
    this.#counts = [];
    this.#former = this.graded?.count ?? 0;
  }

  // clear forgets everything.
  clear() {
    this.#list = [];
    this.#counts = [];
    this.#before = [];
    this.#lead = this.graded = this.facing = null;
    this.#against.clear();
  }

  // sum is what a rule has counted: one that goes on only waits, and at the end counts if it is complete.
  #sum(k, ended = false) {
    const before = this.#before[k]?.count ?? 0,
      now = this.#counts[k];
    if (!now) return { count: before, waits: false, last: null };
    const waits = now.count > 0 && !now.settled && !(ended && now.last?.complete);
    return { count: before + now.count - Number(waits), waits: waits && !ended, last: waits ? null : now.last };
  }

  // mirror turns what is known around, as the picture is.
  mirror(width) {
    for (const e of this.#list) e.frame = mirrored(e.frame, width);
  }

  get #newest() {
    return this.#list.slice(-recent);
  }

  get times() {
    return this.#newest.map((e) => e.time);
  }

  get frames() {
    return this.#newest.map((e) => e.frame);
  }

  get scores() {
    return this.#newest.map((e) => e.scores);
  }

  // nobody reports whether no person has been seen for two seconds.
  get nobody() {
    const last = this.#list.at(-1)?.time,
      late = this.#list.filter((e) => e.time > last - 2);
    return late.length > 4 && this.#list[0].time <= last - 2 && late.every((e) => !Object.keys(e.frame).length);
  }

  // of are the rules of a choice that are shown, by their places in the list of rules.
  #of(name) {
    return this.rules
      .map((rule, k) => ({ rule, k }))
      .filter(({ rule }) => rule.analysisType === angles[name].type && (!rule.side || this.shownSides.includes(rule.side)));
  }

  #results(name, list) {
    const { unit, good } = kind(name);
    return this.#of(name).map(({ rule: { analysisType, side }, k }) => ({
      analysisType,
      side,
      unit,
      values: list.map((e) => e.values[k] ?? null),
      uncertainty: list.map((e) => e.uncertainty[k] ?? null),
      ...this.#worth(k, good),
    }));
  }

  // worth is what the newest value of a rule is worth, good up to an uncertainty, or why it is missing.
  #worth(k, good) {
    const e = this.#list.at(-1),
      code = e?.why[k];
    return { trust: (e?.uncertainty[k] ?? 0) > (good || Infinity) ? 'care' : 'good', why: code ? [code] : [] };
  }

  // results are the values of a choice in the frames that the stage knows.
  results(name) {
    return this.#results(name, this.#newest);
  }

  // curves are those of the seconds that the charts show.
  curves(name) {
    return this.#results(name, this.#list);
  }

  // range is the first and the last time that the charts show.
  get range() {
    const last = this.#list.at(-1)?.time ?? 0;
    return [last - length, last];
  }

  // x is the place of an entry on their axis, in thousandths.
  x = (i) => (1000 * (this.#list[i].time - this.range[0])) / length;

  // now is the newest value of each rule of a choice.
  now(name) {
    return this.#results(name, this.#list.slice(-1)).map((r) => ({
      ...r,
      value: r.values[0] ?? null,
      uncertainty: r.uncertainty[0] ?? undefined,
    }));
  }

  // repetitions are those that count, by the service: {name, unit, count, waits, last, grade}, null before it is known which. The
  // last one is null while one goes on; its grade is that of the exercise, which then counts.
  repetitions(ended = false) {
    const graded = this.graded && { count: this.graded.count, waits: false, grade: this.graded.last };
    if (this.#lead === null) return graded;
    const name = choiceOf(this.rules[this.#lead].analysisType) ?? '';
    return { name, unit: kind(name).unit, ...this.#sum(this.#lead, ended), ...graded };
  }
}

// mirrored is a frame as a mirror shows it; left and right stay the person's own.
export const mirrored = (frame, width) => Object.fromEntries(Object.entries(frame ?? {}).map(([part, [x, y]]) => [part, [width - x, y]]));

// Board shows the values: large, and as curves of the newest seconds.
export class Board {
  #sides = h('tr');
  #numbers = h('tbody');
  #cells = []; // {name, side, value: its cell for numbers, el: the one that is shown, said: the reason in it}
  #charts = h('div', { class: 'charts' });
  #axis = h('div', { class: 'axis', 'aria-hidden': 'true' });
  #span = new Map(); // the lowest and the highest value of a choice so far
  measures;

  constructor(measures) {
    this.measures = measures;
    this.table = h('table', { class: 'live__v' }, h('thead', {}, this.#sides), this.#numbers);
    this.el = h('div', { class: 'time live__t' }, h('div', { class: 'time__plot' }, this.#charts, this.#axis));
    for (const s of [-15, -10, -5, 0])
      this.#axis.append(h('span', { style: { left: `${100 * (1 + s / length)}%` } }, s ? `${s} s`.replace('-', '−') : '0'));
  }

  // choose shows the rows of other choices.
  choose() {
    const { measures } = this;
    this.#cells = [];
    this.#sides.replaceChildren(
      h('th', { scope: 'col', t: 'values.of' }),
      ...measures.shownSides.map((side) => h('th', { scope: 'col' }, h('i', { class: `dot ${side}` }), ' ', span(`side.${side}`))),
    );
    this.#numbers.replaceChildren(
      ...measures.chosen.map((name) => {
        const cell = (side) => {
          const el = h('td', { class: side ?? 'trunk', colSpan: side ? 1 : measures.shownSides.length }, '–');
          this.#cells.push({ name, side, value: el, el, said: '' });
          return el;
        };
        return h(
          'tr',
          {},
          h('th', { scope: 'row', t: labelOf(name) }),
          ...(angles[name].sides ? measures.shownSides.map(cell) : [cell(undefined)]),
        );
      }),
    );
    if (!measures.chosen.length) this.#numbers.append(h('tr', {}, h('th', { colSpan: 3, class: 'quiet', t: 'values.none' })));
    this.show();
  }

  // show shows the newest values.
  show() {
    const { measures } = this;
    for (const cell of this.#cells) {
      const now = measures.now(cell.name).find((v) => v.side === cell.side);
      const said = now?.value === null && now.why[0] ? why(now, measures.facing).word : '';
      if (said !== cell.said) {
        const el = said ? held(now, measures.facing, cell.value.colSpan) : cell.value;
        cell.el.replaceWith(el);
        Object.assign(cell, { el, said });
      }
      if (now && !said) cell.value.replaceChildren(...(now.value === null ? ['–'] : sure(now, now.unit)));
    }
    this.#charts.dataset.n = measures.chosen.length;
    this.#charts.replaceChildren(
      ...measures.chosen.map((name) => {
        const series = measures.curves(name).map((r) => ({
          side: r.side ?? 'trunk',
          name: r.side ? t(`side.${r.side}`) : '',
          values: r.values,
          uncertainty: r.uncertainty,
          held: r.values.at(-1) === null && r.why.length ? why(r, measures.facing).word : '',
        }));
        const chart = new Chart({ key: labelOf(name), unit: kind(name).unit, x: measures.x, series, span: this.#span.get(name) });
        this.#span.set(name, chart.span);
        chart.cursor(series[0] ? series[0].values.length - 1 : 0, 100);
        return chart.el;
      }),
    );
  }

  // forget forgets the range of the curves.
  forget() {
    this.#span.clear();
  }
}
