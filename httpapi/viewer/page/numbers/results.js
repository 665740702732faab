// @ts-check
// The numbers of a recording: the choice of angles, the table of values, repetitions, gait and jumps.
import { h, button, card, segments, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';
import { amount } from '../player/chart.js';
import { angles } from './measures.js';

const dash = '–';
const number = (v, digits = 2) => (typeof v === 'number' ? v.toFixed(digits) : dash);

// chips chooses the angles. changed is called with the chosen names and the side; more with nothing. Without it,
// all angles are there.
export function chips(measures, has, changed, more) {
  const row = h('div', { class: 'chips' });
  const offer = (name) => {
    const input = h('input', { type: 'checkbox', checked: measures.chosen.includes(name), 'data-angle': name, on: { change: () => {
      const chosen = Object.keys(angles).filter((n) => (n === name ? input.checked : measures.chosen.includes(n)));
      changed(chosen, measures.side);
    } } });
    if (angles[name].feet && !has.feet) input.disabled = true;
    return h('label', { class: 'chip', title: input.disabled ? t('measure.noFeet') : '' }, input, h('span', {}, icon('check'), span(`angle.${name}`)));
  };
  row.append(...Object.keys(angles).filter((name) => !more || !angles[name].more || measures.chosen.includes(name)).map(offer),
    ...(more ? [h('button', { type: 'button', class: 'chip chip--more', t: 'measure.more', on: { click: more } })] : []));
  const side = segments('measure.side', [['both', 'side.both'], ['left', 'side.left'], ['right', 'side.right']], measures.side, (v) => changed(measures.chosen, v));
  return card('measure.title', { note: side }, row);
}

const nameOf = (result) => (result.side ? t(`joint.${result.side}.${result.analysisType}`) : t(`type.${result.analysisType}`));

// Values is the table with the value of now.
export class Values {
  #body = h('tbody');
  #rows = [];
  #more;
  el;

  // movie is whether there is more than one picture, and so a least and a greatest value.
  constructor(movie) {
    this.#more = movie ? ['min', 'max', 'range', 'mean'] : [];
    const head = ['values.of', movie ? 'values.now' : 'values.what', ...this.#more.map((k) => `values.${k}`)];
    this.el = card('values.title', { note: 'values.straight' }, h('div', { class: 'scroll', tabIndex: 0, role: 'group', label: 'values.title' },
      h('table', { class: 'tbl tbl--v' }, h('thead', {}, h('tr', {}, ...head.map((key) => h('th', { scope: 'col', t: key })))), this.#body)));
  }

  // show lists the results; waiting ones have no numbers yet.
  show(measures) {
    this.#rows = [];
    this.#body.replaceChildren(...measures.chosen.flatMap((name) => {
      const results = measures.results(name);
      if (!results.length) {
        const { type, sides } = angles[name];
        return (sides ? measures.shownSides : [undefined]).map((side) => h('tr', {}, h('th', { scope: 'row' }, h('span', { class: 'j' }, h('i', { class: `dot ${side ?? 'trunk'}` }), nameOf({ side, analysisType: type }))),
          ...Array.from({ length: 1 + this.#more.length }, () => h('td', {}, dash))));
      }
      return results.map((r) => {
        const now = h('td', { class: 'b' }), s = r.statistics ?? {};
        this.#rows.push([r, now]);
        return h('tr', {}, h('th', { scope: 'row' }, h('span', { class: 'j' }, h('i', { class: `dot ${r.side ?? 'trunk'}` }), nameOf(r))), now,
          ...this.#more.map((k) => h('td', {}, amount(s[k], r.unit))));
      });
    }));
    if (!measures.chosen.length) this.#body.append(h('tr', { class: 'sub' }, h('td', { colSpan: 2 + this.#more.length, t: 'values.none' })));
  }

  // now shows the values of a frame.
  now(frame) { for (const [r, cell] of this.#rows) cell.textContent = amount(r.values[frame], r.unit); }
}

// shallow reports whether a repetition is much less deep than the others.
export const shallow = (one, all) => !one.complete || (all.depth.mean !== null && one.depth < 0.75 * all.depth.mean);

// repetitionCard lists the repetitions; seek is called with a time.
export function repetitionCard(measures, seek) {
  const found = measures.repetitions();
  if (!found) return null;
  const { list, count, complete, name } = found;
  const sides = measures.results(name).filter((r) => r.repetitions?.count);
  const matched = (r, one) => r.repetitions.list.find((x) => x.turn.time > one.start.time && x.turn.time < one.end.time);
  const cols = sides.map((r) => h('th', { scope: 'col' }, h('abbr', { title: nameOf(r) }, r.side ? t(`repetition.depth.${r.side}`) : t('repetition.depth'))));
  const row = (one, i) => {
    const flag = shallow(one, found);
    return h('tr', { class: flag ? 'flag' : '' },
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'jump', on: { click: () => seek(one.turn.time) } }, String(i + 1)),
        flag ? h('span', { class: 'pill', t: one.complete ? 'repetition.shallow' : 'repetition.incomplete' }) : null),
      h('td', {}, number(one.start.time)), h('td', {}, number(one.out)), h('td', {}, number(one.back)),
      ...sides.map((r) => h('td', { class: r.side === 'left' ? 'l' : r.side === 'right' ? 'r' : '' }, amount(matched(r, one)?.depth, r.unit))));
  };
  const sum = (key, k) => h('tr', { class: 'sub' }, h('th', { scope: 'row', t: key }), h('td'), h('td', {}, number(found.out[k])), h('td', {}, number(found.back[k])),
    ...sides.map((r) => h('td', {}, amount(r.repetitions.depth[k], r.unit))));
  const rate = count > 1 ? Math.round(60 * (count - 1) / (list.at(-1).start.time - list[0].start.time)) : null;
  return card('repetition.title', { after: rate ? span('repetition.count', { n: count, rate }) : span('repetition.one', { n: count }), note: 'repetition.of.name', noteArgs: { name: name === 'hips' ? t('angle.hips') : nameOf(found.result) } },
    h('div', { class: 'scroll', tabIndex: 0, role: 'group', label: 'repetition.title' },
      h('table', { class: 'tbl tbl--r' }, h('thead', {}, h('tr', {},
        ...['repetition.no', 'repetition.start', 'repetition.out', 'repetition.back'].map((key) => h('th', { scope: 'col', t: key })), ...cols)),
      h('tbody', {}, ...list.map(row), ...(complete > 1 ? [sum('repetition.mean', 'mean'), sum('repetition.deviation', 'standardDeviation')] : [])))));
}

// gaitCard shows walking or running.
export function gaitCard(gait, scale) {
  if (!gait?.mode) return null;
  const two = (v, digits, factor = 1, unit = '') => ['left', 'right'].map((side) => {
    const s = v?.[side];
    return h('td', { class: side === 'left' ? 'l' : 'r' }, s?.count ? `${(s.mean * factor).toFixed(digits)}${unit}` : dash);
  });
  const both = (key, text) => h('tr', {}, h('th', { scope: 'row', t: key }), h('td', { class: 'b', colSpan: 2 }, text));
  const row = (key, v, digits, factor, unit) => h('tr', {}, h('th', { scope: 'row', t: key }), ...two(v, digits, factor, unit));
  const metric = gait.unit === 'm';
  return card(`gait.${gait.mode}`, { id: 'gait-title', note: 'gait.strides', noteArgs: { n: gait.cycles.length } },
    h('table', { class: 'tbl' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col', t: 'gait.what' }), h('th', { scope: 'col', t: 'side.left' }), h('th', { scope: 'col', t: 'side.right' }))),
      h('tbody', {},
        both('gait.cadence', gait.cadence ? t('gait.steps', { n: Math.round(gait.cadence) }) : dash),
        row('gait.stride', gait.strideTime, 2, 1, ' s'), row('gait.step', gait.stepTime, 2, 1, ' s'),
        row('gait.stance', gait.stanceShare, 0, 100, ' %'),
        ...(metric ? [row('gait.strideLength', gait.strideLength, 2, 1, ' m'), both('gait.length', gait.stepLength.both.count ? `${gait.stepLength.both.mean.toFixed(2)} m` : dash), both('gait.speed', gait.speed ? `${gait.speed.toFixed(2)} m/s` : dash)]
          : [h('tr', {}, h('th', { scope: 'row', t: 'gait.scaled' }), h('td', { colSpan: 2 }, button('scale.set', scale, { icon: 'ruler', class: 'btn--line btn--small' })))]))));
}

// jumpCard lists jumps.
export function jumpCard(jumps, seek) {
  if (!jumps?.length) return null;
  const cm = (v) => (typeof v === 'number' ? `${(100 * v).toFixed(0)} cm` : dash);
  return card('jump.title', { note: 'jump.count', noteArgs: { n: jumps.length } },
    h('table', { class: 'tbl' }, h('thead', {}, h('tr', {}, ...['repetition.no', 'jump.height', 'jump.flight', 'jump.rise'].map((key) => h('th', { scope: 'col', t: key })))),
      h('tbody', {}, ...jumps.map((j, i) => h('tr', {},
        h('th', { scope: 'row' }, h('button', { type: 'button', class: 'jump', on: { click: () => seek((j.takeOff.time + j.landing.time) / 2) } }, String(i + 1))),
        h('td', { class: 'b' }, cm(j.height)), h('td', {}, `${number(j.flightTime)} s`), h('td', {}, cm(j.rise)))))),
    h('p', { class: 'foot', t: 'jump.note' }));
}
