// @ts-check
// The numbers of a recording: the choice of measures, the table of values, repetitions, gait and jumps.
import { after, number, plusMinus, unitOf, whole, amount } from '../base/amount.js';
import { h, button, card, segments, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { language, t } from '../base/i18n.js';
import { address } from '../base/route.js';
import { straight } from './joints.js';
import { angles, choiceOf, labelOf } from './measures.js';
import { held, sure, why } from './trust.js';
import { Chart } from '../player/chart.js';
import { frameAt } from '../player/playhead.js';

const dash = '–';

// chips chooses the measures. changed is called with the chosen names and the side; more with nothing. Without it, all
// of them are there. Those that this view cannot tell are struck through, and come last.
export function chips(measures, has, changed, more) {
  const row = h('div', { class: 'chips' });
  const offer = (name) => {
    const none = measures.withheld(name);
    const input = h('input', {
      type: 'checkbox',
      checked: measures.chosen.includes(name),
      'data-angle': name,
      on: {
        change: () => {
          const chosen = Object.keys(angles).filter((n) => (n === name ? input.checked : measures.chosen.includes(n)));
          changed(chosen, measures.side);
        },
      },
    });
    if (angles[name].feet && !has.feet) input.disabled = true;
    const title = input.disabled ? t('measure.noFeet') : none ? why(none, measures.facing).tip : '';
    return h('label', { class: `chip${none ? ' chip--off' : ''}`, title }, input, h('span', {}, icon('check'), span(labelOf(name))));
  };
  const shown = Object.keys(angles).filter((name) => !more || !angles[name].more || measures.chosen.includes(name));
  row.append(
    ...shown.sort((a, b) => Number(Boolean(measures.withheld(a))) - Number(Boolean(measures.withheld(b)))).map(offer),
    ...(more ? [h('button', { type: 'button', class: 'chip chip--more', t: 'measure.more', on: { click: more } })] : []),
  );
  const side = segments(
    'measure.side',
    [
      ['both', 'side.both'],
      ['left', 'side.left'],
      ['right', 'side.right'],
    ],
    measures.side,
    (v) => changed(measures.chosen, v),
  );
  return card('measure.title', { note: side }, row);
}

// nameOf is what a measure is called in tables and sentences.
/** @param {{analysisType: string, side?: string}} measure */
export const nameOf = ({ analysisType, side }) => (side ? t(`joint.${side}.${analysisType}`) : t(`type.${analysisType}`));

// told is whether the title of the recording says how far a measure goes.
const told = (m, { overview }) =>
  overview?.summary?.title[language]
    ?.toLowerCase()
    .includes(`${nameOf(m)} ${whole(m.peak?.value, m.peak?.uncertainty, m.unit)}`.toLowerCase());

// Values is the table of how far each measure goes; what it is now stands in the charts. What the title says is not said again.
export class Values {
  #body = h('tbody');
  #zero = h('span', { class: 'card__n', t: 'values.straight' }); // only where it is so
  #estimated = h('p', { class: 'foot', t: 'values.estimated' }); // said once, where a sign is
  el;

  // movie is whether there is more than one picture, and so a greatest value.
  constructor(movie) {
    const head = ['values.of', movie ? 'values.most' : 'values.what'];
    this.el = card(
      'values.title',
      { note: this.#zero },
      h(
        'div',
        { class: 'scroll', tabIndex: 0, role: 'group', label: 'values.title' },
        h(
          'table',
          { class: 'tbl tbl--v' },
          h('thead', {}, h('tr', {}, ...head.map((key) => h('th', { scope: 'col', t: key })))),
          this.#body,
        ),
      ),
      this.#estimated,
    );
  }

  // show lists the measures that are chosen; before they are known they have no numbers.
  show(measures) {
    this.#zero.hidden = measures.neutral || !measures.chosen.every((name) => straight.includes(name));
    this.#body.replaceChildren(
      ...measures.chosen.flatMap((name) => {
        const { type: analysisType, sides } = angles[name];
        const list = measures.results(name);
        if (!list.length)
          return (sides ? measures.shownSides : [undefined]).map((side) => this.#row({ side, analysisType }, h('td', {}, dash)));
        return list.map((m) => {
          if (m.trust === 'withheld' || !m.peak) return this.#row(m, held(m, measures.facing));
          if (told(m, measures)) return this.#row(m, h('td', { class: 'quiet told', t: 'values.told' }));
          return this.#row(m, h('td', { class: 'b' }, ...sure({ ...m.peak, trust: m.trust, estimated: m.estimated }, m.unit)));
        });
      }),
    );
    this.#estimated.hidden = !measures.chosen.some((name) => measures.results(name).some((m) => m.estimated));
    if (!measures.chosen.length) this.#body.append(h('tr', { class: 'sub' }, h('td', { colSpan: 2, t: 'values.none' })));
  }

  #row(m, cell) {
    return h(
      'tr',
      { class: m.trust === 'withheld' ? 'off' : '' },
      h(
        'th',
        { scope: 'row' },
        h(
          'span',
          { class: 'j' },
          h('i', { class: `dot ${m.side ?? 'trunk'}` }),
          h('span', {}, nameOf(m), m.unit === 'torso' ? h('small', { class: 'quiet' }, t('values.cm')) : null),
        ),
      ),
      cell,
    );
  }
}

// repetitionCard lists the repetitions with the values that the measures chosen have at their turns; seek is called with
// a time.
export function repetitionCard(measures, seek) {
  const found = measures.overview?.repetitions,
    lead = measures.lead;
  if (!found) return null;
  const { list, count, complete } = found,
    { ways = ['out', 'back'] } = measures.overview;
  const of = (one, m) => one.at.find((a) => a.analysisType === m.analysisType && a.side === m.side);
  const read = (m) => list.filter((one) => of(one, m)).length;
  const cols = [
    ...(lead ? [lead] : []),
    ...measures.chosen
      .filter((name) => angles[name].type !== lead?.analysisType)
      .flatMap((name) =>
        [...measures.results(name)]
          .sort((a, b) => read(b) - read(a) || Number(b.side === lead?.side) - Number(a.side === lead?.side))
          .slice(0, 1),
      ),
  ]
    .filter(read)
    .slice(0, 3);
  const whose = lead ? t(labelOf(choiceOf(lead.analysisType) ?? 'hips')) : '';
  // a time names its owner: "Knee down, s"
  const seconds = (way) => (whose ? t('repetition.whose', { whose, way: way.toLowerCase() }) : t('repetition.seconds', { way }));
  const pm = (sigma) => h('small', { class: 'pm' }, plusMinus(sigma, 's')); // what a column shares stands in its head
  const row = (one, i) =>
    h(
      'tr',
      { class: one.shallow || !one.complete ? 'flag' : '' },
      h(
        'th',
        { scope: 'row' },
        h('button', { type: 'button', class: 'jump', on: { click: () => seek(one.turn.time) } }, String(i + 1)),
        one.complete && !one.shallow
          ? null
          : h('span', { class: 'pill', t: one.complete ? 'repetition.shallow' : 'repetition.incomplete' }),
      ),
      h('td', {}, number(one.out, 's')),
      h('td', {}, number(one.back, 's')),
      ...cols.map((m) => {
        const at = of(one, m);
        return at
          ? h('td', { class: 'v' }, ...sure({ ...at, estimated: m.estimated }, m.unit).slice(0, 2))
          : h('td', { class: 'quiet', title: why(m, measures.facing).tip }, dash);
      }),
    );
  const shallow = list.filter((one) => one.shallow).length,
    rate = complete > 1 ? number((60 * (count - 1)) / (list.at(-1).start.time - list[0].start.time), '') : null;
  const told = [
    rate ? t('repetition.count', { n: count, rate }) : String(count),
    ...(shallow ? [t('repetition.shallows', { n: shallow })] : []),
  ].join(t('list.comma'));
  return card(
    'movement.other',
    { after: h('span', {}, told), note: `repetition.turn.${ways[0]}` },
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'group', label: 'movement.other' },
      h(
        'table',
        { class: 'tbl tbl--r' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col', t: 'repetition.no' }),
            ...ways.map((way) =>
              h('th', { scope: 'col', title: t(`way.${way}.tip`) }, `${seconds(t(`way.${way}`))} `, pm(list[0].timeUncertainty)),
            ),
            ...cols.map((m) =>
              h(
                'th',
                { scope: 'col', title: nameOf(m) },
                h('i', { class: `dot ${m.side ?? 'trunk'}` }),
                t(labelOf(choiceOf(m.analysisType) ?? 'hips')) + (m.unit === 'torso' ? `,${after(m.unit)}` : ''),
              ),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          ...list.map(row),
          ...(complete > 1
            ? [
                h(
                  'tr',
                  { class: 'sub' },
                  h('th', { scope: 'row', t: 'repetition.mean', title: t('repetition.mean.of') }),
                  ...[found.out, found.back].map(({ mean, uncertainty }) => h('td', { class: 'v' }, number(mean, 's'), pm(uncertainty))),
                  ...cols.map(() => h('td')),
                ),
              ]
            : []),
        ),
      ),
    ),
    links(measures),
  );
}

// links lead to the repetitions judged as an exercise, and to the picture of their phases.
function links({ overview, recording: { id, person } }) {
  return h(
    'p',
    { class: 'verdict__a' },
    h('a', {
      class: 'btn btn--line btn--small',
      href: address(['exercises', overview.movement], { recording: id, person: person || '', first: 1 }),
      t: 'exercise.targets',
    }),
    phasesLink(id, person),
  );
}

// phasesLink leads to the picture of the phases of a repetition, a stride or a jump.
export function phasesLink(id, person) {
  return h('a', { class: 'btn btn--line btn--small', href: address(['phases', id], { person: person || '' }), t: 'phases.do' });
}

// gaitCard shows walking or running.
export function gaitCard(gait, scale) {
  if (!gait?.mode) return null;
  const mean = (s, unit) => (s?.count ? whole(s.mean, s.uncertainty, unit) : dash);
  const bare = (s, unit) => (s?.count ? `${number(s.mean, unit)} ${plusMinus(s.uncertainty, unit)}` : dash);
  const two = (v, unit) => ['left', 'right'].map((side) => h('td', { class: v?.same ? 'quiet' : side[0] }, bare(v?.[side], unit)));
  const both = (key, text) => h('tr', {}, h('th', { scope: 'row', t: key }), h('td', { class: 'b', colSpan: 2 }, text));
  const row = (key, v, unit) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, `${t(key)}, ${after(unit).trim()} `, v?.same ? h('small', { class: 'quiet', t: 'gait.same' }) : null),
      ...two(v, unit),
    );
  const metric = gait.unit === 'm';
  return card(
    `movement.${gait.mode}`,
    {
      id: 'gait-title',
      note: 'gait.strides',
      noteArgs: { left: gait.strideTime.left?.count ?? 0, right: gait.strideTime.right?.count ?? 0 },
    },
    h(
      'table',
      { class: 'tbl tbl--r' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col', t: 'gait.what' }),
          h('th', { scope: 'col', t: 'side.left' }),
          h('th', { scope: 'col', t: 'side.right' }),
        ),
      ),
      h(
        'tbody',
        {},
        both('gait.cadence', gait.cadence ? whole(gait.cadence, gait.cadenceUncertainty, 'steps/min') : dash),
        row('gait.stride', gait.strideTime, 's'),
        row('gait.step', gait.stepTime, 's'),
        row('gait.stance', gait.stanceShare, '%'),
        ...(metric
          ? [
              row('gait.strideLength', gait.strideLength, 'm'),
              both('gait.length', mean(gait.stepLength.both, 'm')),
              both('type.speed', gait.speed ? whole(gait.speed, gait.speedUncertainty, 'm/s') : dash),
            ]
          : [
              h(
                'tr',
                {},
                h('th', { scope: 'row', t: 'gait.scaled' }),
                h('td', { colSpan: 2 }, button('scale.set', scale, { icon: 'line', class: 'btn--line btn--small' })),
              ),
            ]),
      ),
    ),
  );
}

// jumpCard lists jumps.
export function jumpCard(jumps, seek) {
  if (!jumps?.length) return null;
  return card(
    'movement.jump',
    { note: 'jump.count', noteArgs: { n: jumps.length } },
    h(
      'table',
      { class: 'tbl' },
      h(
        'thead',
        {},
        h('tr', {}, ...['repetition.no', 'jump.height', 'jump.flight', 'jump.rise'].map((key) => h('th', { scope: 'col', t: key }))),
      ),
      h(
        'tbody',
        {},
        ...jumps.map((j, i) =>
          h(
            'tr',
            {},
            h(
              'th',
              { scope: 'row' },
              h(
                'button',
                { type: 'button', class: 'jump', on: { click: () => seek((j.takeOff.time + j.landing.time) / 2) } },
                String(i + 1),
              ),
            ),
            h('td', { class: 'b' }, whole(j.height, j.heightUncertainty, unitOf('height', 'm'))),
            h('td', {}, whole(j.flightTime, j.flightTimeUncertainty, 's')),
            h('td', {}, whole(j.rise, j.riseUncertainty, unitOf('rise', 'm'))),
          ),
        ),
      ),
    ),
    h('p', { class: 'foot', t: 'jump.note' }),
  );
}

// spans are the repetitions, or the strides of the side that steps first, for the axis.
/** @param {import('./measures.js').Measures} measures @param {number[]} times */
export function spans(measures, times) {
  const { gait, repetitions } = measures.overview ?? {},
    lead = measures.lead;
  const [there, back] = (measures.overview?.ways ?? ['out', 'back']).map((way) => t(`way.${way}`));
  if (gait?.mode) {
    // strides tell more of walking than how often a knee bends
    const side = gait.cycles[0]?.side;
    return gait.cycles
      .filter((c) => c.side === side)
      .map(({ start, toeOff, end }) => ({
        from: start,
        to: end,
        turn: toeOff,
        first: frameAt(times, start),
        last: frameAt(times, end),
        label: 'gait.cycle',
      }));
  }
  return (repetitions?.list ?? []).map((one) => ({
    from: one.start.time,
    to: one.end.time,
    turn: one.turn.time,
    first: one.start.frame,
    last: one.end.frame,
    flag: one.shallow || !one.complete,
    title: t('repetition.tempo', {
      there,
      way: back.toLowerCase(),
      out: number(one.out, 's'),
      back: number(one.back, 's'),
      sigma: plusMinus(one.timeUncertainty, 's'),
      depth: lead ? amount(one.depth, lead.unit) : number(100 * one.depth, '%'),
    }),
  }));
}

export class Charts {
  /** @type {Map<string, {results: Measure[], chart: Chart}>} */
  #known = new Map(); // by the name of the choice, with the measures that they show

  // forget makes all be drawn again.
  forget() {
    this.#known.clear();
  }

  // show draws what is chosen on an axis, and keeps what stays the same.
  /** @param {import('./measures.js').Measures} measures @param {import('../player/timeline.js').Timeline} timeline */
  show(measures, timeline) {
    timeline.charts(
      measures.chosen.map((name) => {
        const results = measures.results(name),
          known = this.#known.get(name);
        if (known && results.length === known.results.length && results.every((r, i) => r === known.results[i])) return known.chart;
        const chart = new Chart({
          key: labelOf(name),
          unit: results[0]?.unit ?? '°',
          x: timeline.x,
          series: results.map((m) => ({
            side: m.side ?? 'trunk',
            name: m.side ? t(`side.${m.side}`) : '',
            values: m.values,
            uncertainty: m.uncertainty,
            estimated: m.estimated,
            held: m.trust === 'withheld' ? why(m, measures.facing).word : '',
          })),
        });
        this.#known.set(name, { results, chart });
        return chart;
      }),
    );
  }
}
