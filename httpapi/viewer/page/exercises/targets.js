// @ts-check
// The targets of an exercise, to be changed, and what became of them: a row for each repetition, a column for each target and side,
// and the sentences.
import { h, button, card, field, select, span } from '../base/dom.js';
import { form } from '../base/dialogs.js';
import { t } from '../base/i18n.js';
import { types } from '../base/names.js';
import { measureName, tempos, unitOf, both, limitWords, outcomeWords } from '../numbers/exercise.js';
import { amount, plusMinus, unitOf as saidIn, whole } from '../base/amount.js';
import { icon } from '../base/icons.js';
import { read, why } from '../numbers/trust.js';

const steps = { '°': 5, s: 0.1, torso: 0.05 };
const signs = { min: '≥', max: '≤' };

// limit is a row with a number between − and +. changed is called with the new one.
/** @param {string} name @param {'min' | 'max'} end @param {number} value @param {string} unit @param {(value: number) => void} changed */
function limit(name, end, value, unit, changed) {
  const input = h('input', {
    value: String(value),
    inputMode: 'decimal',
    label: 'exercise.limitOf',
    labelArgs: { name, sign: signs[end] },
    autocomplete: 'off',
  });
  const set = (v) => {
    if (Number.isFinite(v)) changed(Number(v.toFixed(3)));
    else input.value = String(value);
  };
  const by = (n) => () => set((Number(input.value.replace(',', '.')) || 0) + n * steps[unit]);
  input.addEventListener('change', () => set(input.value.trim() ? Number(input.value.replace(',', '.')) : NaN));
  const step = (key, sign, n) =>
    h('button', { type: 'button', label: key, labelArgs: { name, sign: signs[end] }, on: { click: by(n) } }, sign);
  return [
    h('span', { class: 'tg__op', 'aria-hidden': 'true' }, signs[end]),
    h('span', { class: 'tg__v' }, step('exercise.less', '−', -1), input, step('exercise.more', '+', 1)),
    h('span', { class: 'tg__u' }, unit === 'torso' ? '' : unit),
  ];
}

// add asks for a new target, and resolves to it, or to null.
/** @param {Exercise} exercise @returns {Promise<Target | null>} */
function add(exercise) {
  return new Promise((done) => {
    const names = [...types.filter((type) => type.points === 0).map((type) => type.name), ...tempos];
    const measure = h('select', {}, ...names.map((name) => h('option', { value: name }, measureName(exercise, name))));
    const at = select('exercise.when', ['turn', 'start', 'throughout'], 'exercise.at.'),
      end = select('exercise.limit', ['min', 'max'], 'exercise.end.');
    const value = h('input', { inputMode: 'decimal', required: true, pattern: '\\s*(-|−)?\\d+([.,]\\d+)?\\s*', autocomplete: 'off' });
    const when = field('exercise.when', at);
    measure.addEventListener('change', () => {
      when.hidden = tempos.includes(measure.value);
    });
    const given = () => Number(value.value.replace(',', '.').replace('−', '-'));
    form(
      'exercise.add',
      'exercise.add',
      [field('exercise.measure', measure), when, h('div', { class: 'two' }, field('exercise.limit', end), field('exercise.value', value))],
      () => done({ measure: measure.value, ...(when.hidden ? {} : { at: at.value }), [end.value]: given() }),
      () => done(null),
    );
  });
}

// targetsCard shows the targets. changed is called with other ones; why tells why a target is withheld everywhere.
/** @param {Exercise} exercise @param {(i: number) => string} why @param {(targets: Target[]) => void} changed @param {...Node} actions */
export function targetsCard(exercise, why, changed, ...actions) {
  const all = exercise.targets ?? [];
  const other = (i, target) => changed(all.flatMap((old, k) => (k === i ? (target ?? []) : old)));
  const rows = all.flatMap((target, i) =>
    /** @type {('min' | 'max')[]} */ (['min', 'max'])
      .filter((end) => typeof target[end] === 'number')
      .map((end) => {
        const name = measureName(exercise, target.measure, target.side),
          held = why(i);
        const when = tempos.includes(target.measure) ? '' : t(`exercise.at.${target.at ?? 'turn'}`);
        const said = [when, held].filter(Boolean).join(' · ');
        return h(
          'li',
          { class: held ? 'off' : '' },
          h('div', {}, h('b', {}, name), said ? h('small', {}, said) : null),
          ...limit(name, end, Number(target[end]), unitOf(target.measure), (v) => other(i, { ...target, [end]: v })),
          button(
            'exercise.remove',
            () => {
              const { [end]: _, ...rest } = target;
              other(i, 'min' in rest || 'max' in rest ? rest : null);
            },
            { icon: 'close', only: true, class: 'tg__x', args: { name, sign: signs[end] } },
          ),
        );
      }),
  );
  return card(
    'exercise.targets',
    {
      note: button(
        'exercise.add',
        async () => {
          const one = await add(exercise);
          if (one) changed([...all, one]);
        },
        { icon: 'plus', class: 'btn--ghost btn--small' },
      ),
    },
    rows.length ? h('ul', { class: 'tg' }, ...rows) : h('p', { class: 'foot', t: 'exercise.noTargets' }),
    h('p', { class: 'foot', t: 'exercise.rule' }),
    h('div', { class: 'tg__a' }, ...actions),
  );
}

// countsCard says what counts, which can be changed, and normal ranges where a source gives some.
/** @param {Exercise} exercise @param {(counts: Exercise['counts']) => void} changed */
export function countsCard(exercise, changed) {
  const { lead, phases, counts = 'all', view, norms = [], sources = [] } = exercise;
  const row = (key, text) => (text ? h('div', {}, h('dt', { t: key }), h('dd', {}, text)) : null);
  const choice = select('exercise.counts', ['all', 'full', 'near', 'met'], 'exercise.counts.', {
    value: counts,
    class: 'pickone',
    on: { change: () => changed(/** @type {Exercise['counts']} */ (choice.value)) },
  });
  return card(
    'exercise.counting',
    {},
    h(
      'dl',
      { class: 'wc' },
      row('exercise.lead', lead ? measureName(exercise, lead.analysisType, lead.side) : t('exercise.lead.any')),
      row('exercise.phases', phases?.map((phase) => t(`way.${phase}`)).join(' · ')),
      row('exercise.counts', choice),
      row('exercise.view', view ? t(`from.${view}`) : ''),
    ),
    norms.length
      ? h(
          'details',
          {},
          h('summary', { t: 'exercise.norms' }),
          h(
            'div',
            { class: 'scroll', tabIndex: 0, role: 'group', label: 'exercise.norms' },
            h(
              'table',
              { class: 'tbl' },
              h(
                'tbody',
                {},
                ...norms.map((n) =>
                  h(
                    'tr',
                    {},
                    h('th', { scope: 'row', t: `exercise.sex.${n.sex}`, args: { from: n.ageFrom, to: n.ageTo } }),
                    h('td', {}, `${n.min} – ${n.max}`),
                  ),
                ),
              ),
            ),
          ),
          h('p', { class: 'foot' }, [...new Set(norms.map((n) => n.source))].join('; ')),
        )
      : null,
    sources.length
      ? h(
          'details',
          {},
          h('summary', { t: 'exercise.sources' }),
          h('ul', { class: 'ex__src' }, ...sources.map((s) => h('li', { lang: 'en' }, s))),
        )
      : null,
    span('exercise.kept', {}, { class: 'foot' }),
  );
}

/** @type {{[outcome: string]: [icon: string, look: string]}} */
const looks = { met: ['check', 'vd--ok'], missed: ['close', 'vd--no'], near: ['care', 'vd--care'], withheld: ['hidden', 'vd--wh'] };

const roomy = 4; // columns

// heldBack reports whether a target is withheld in all repetitions, on one side or on both.
/** @param {ExerciseResult} result @param {number} i @param {string} [side] */
export function heldBack({ repetitions }, i, side) {
  const all = repetitions.flatMap((r) => r.targets.filter((v) => v.target === i && (!side || v.side === side)));
  return all.length && all.every((v) => v.outcome === 'withheld') ? all[0] : null;
}

// columnsOf are the targets and sides that repetitions were judged by, with the range that their bars show. Where there
// are many, those that are withheld everywhere are left out: the list of the targets says why.
/** @param {ExerciseResult} result */
function columnsOf(result) {
  const { exercise, repetitions } = result,
    all = repetitions[0]?.targets ?? [];
  return all
    .filter((v) => all.length <= roomy || !heldBack(result, v.target))
    .map(({ target: i, side, unit: of }) => {
      const target = exercise.targets[i],
        unit = saidIn(target.measure, of),
        values = repetitions.flatMap((r) => r.targets.filter((v) => v.target === i && v.side === side));
      const ends = [
        target.min,
        target.max,
        ...values.flatMap((v) => (typeof v.value === 'number' ? [v.value - (v.uncertainty ?? 0), v.value + (v.uncertainty ?? 0)] : [])),
      ].filter((v) => typeof v === 'number');
      const [low, high] = [Math.min(...ends), Math.max(...ends)],
        room = 0.25 * (high - low) || { '°': 15, s: 0.5 }[of] || 0.2;
      return { i, side, unit, target, place: (v) => `${((100 * (v - low + room)) / (high - low + 2 * room)).toFixed(1)}%` };
    });
}

// bar shows the limits, and the value with its uncertainty.
function bar({ target: { min, max }, side, place }, { value, uncertainty }) {
  const known = typeof value === 'number',
    from = min === undefined ? '0%' : place(min),
    to = max === undefined ? '100%' : place(max);
  const line = (look, style) => h('i', { class: look, style });
  return h(
    'span',
    { class: `bl${known ? '' : ' bl--no'}`, 'aria-hidden': 'true' },
    line('bl__z', { left: from, width: `calc(${to} - ${from})` }),
    min === undefined ? null : line('bl__e', { left: from }),
    max === undefined ? null : line('bl__e', { left: to }),
    known && typeof uncertainty === 'number'
      ? line('bl__w', { left: place(value - uncertainty), width: `calc(${place(value + uncertainty)} - ${place(value - uncertainty)})` })
      : null,
    known ? line(`bl__p ${side ?? ''}`, { left: place(value) }) : null,
  );
}

// cell is a verdict: the value, its place among the limits, and what became of it.
function cell(column, verdict, facing) {
  const [sign, look] = looks[verdict.outcome],
    { unit } = column;
  const known = typeof verdict.value === 'number',
    pm = known ? plusMinus(verdict.uncertainty, unit) : '';
  const held = verdict.outcome === 'withheld' ? why({ why: verdict.why ?? [] }, facing) : null;
  const tip = [limitWords(column.target, unit), known ? whole(verdict.value, verdict.uncertainty, unit) : '', held?.tip]
    .filter(Boolean)
    .join(' · ');
  return h(
    'td',
    {},
    h(
      'div',
      { class: 'tc', title: tip },
      known ? h('b', {}, read({ estimated: verdict.estimated, unit }, verdict.value)) : h('b', { 'aria-hidden': 'true' }, '\u00a0'),
      h('small', {}, pm),
      bar(column, verdict),
      h('span', { class: `vd ${look}` }, icon(sign), held?.word ?? outcomeWords(verdict, column.target, unit)),
    ),
  );
}

// table shows the repetitions, with a sentence for each to be opened; shots are their pictures, link the address of a moment.
/** @param {ExerciseResult} result @param {Facing | null} facing @param {HTMLElement[]} shots @param {(time: number) => string} link */
function table(result, facing, shots, link) {
  const columns = columnsOf(result),
    { exercise } = result;
  const head = columns.map(({ side, unit, target }) =>
    h(
      'th',
      { scope: 'col' },
      side ? h('i', { class: `dot ${side}` }) : null,
      measureName(exercise, target.measure, side),
      h(
        'span',
        {},
        limitWords(target, unit) + (['start', 'throughout'].includes(target.at ?? '') ? ` · ${t(`exercise.at.${target.at}`)}` : ''),
      ),
    ),
  );
  const rows = result.repetitions.flatMap((one, k) => {
    const bad = one.outcome === 'missed' ? ' ex__bad' : '',
      mark =
        one.counted === false ? 'exercise.uncounted' : one.complete ? (one.shallow ? 'repetition.shallow' : '') : 'repetition.incomplete';
    return [
      h(
        'tr',
        {},
        h(
          'th',
          { scope: 'row' },
          h('a', { class: 'ex__f', href: link(one.turn.time), label: 'exercise.goto', labelArgs: { n: k + 1 } }, shots[k]),
          h('span', { class: 'ex__n', 'aria-hidden': 'true' }, String(k + 1)),
        ),
        ...columns.map((c) =>
          cell(
            c,
            one.targets.find((v) => v.target === c.i && v.side === c.side) ?? { target: c.i, outcome: 'withheld', unit: c.unit },
            facing,
          ),
        ),
      ),
      h(
        'tr',
        { class: `ex__say${bad}` },
        h(
          'td',
          { colSpan: columns.length + 1 },
          h(
            'details',
            {},
            h('summary', {}, span('exercise.repetition', { n: k + 1 }), mark ? h('span', { class: 'pill', t: mark }) : null),
            both(one.sentence),
          ),
        ),
      ),
    ];
  });
  return h(
    'div',
    { class: 'scroll', tabIndex: 0, role: 'group', label: 'exercise.results' },
    h(
      'table',
      { class: 'ex__t', style: { 'min-width': `${150 + 118 * columns.length}px` } },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col', t: 'movement.other.one' }), ...head)),
      h('tbody', {}, ...rows),
    ),
  );
}

// number is a result of a test.
/** @param {TestNumber} n */
function number(n) {
  const name = t(`exercise.number.${n.name}`) + (n.side ? ` · ${t(`side.${n.side}`)}` : '');
  const known = typeof n.value === 'number',
    unit = saidIn(n.name, n.unit);
  return h(
    'li',
    {},
    h('span', {}, name),
    known
      ? h('b', {}, (n.atLeast ? '≥ ' : '') + amount(n.value, unit))
      : h('b', { class: 'vd vd--wh' }, icon('hidden'), t('exercise.withheld')),
    h('small', {}, known ? plusMinus(n.uncertainty, unit) : both(n.why)),
  );
}

// results is the answer: the headline first, then numbers of a test, and the repetitions.
/** @param {ExerciseResult} result @param {Facing | null} facing @param {HTMLElement[]} shots @param {(time: number) => string} link */
export function results(result, facing, shots, link) {
  const [, lead, rest] = /^(\d+ of \d+|\d+回中\d+回|[\d.]+ ?(?:s|cm|秒|回))?(.*)$/su.exec(both(result.headline)) ?? [];
  const numbers = (result.numbers ?? []).filter((n) => typeof n.value === 'number' || both(n.why) !== both(result.headline));
  const key = (outcome) => h('span', {}, icon(looks[outcome][0]), t(`exercise.key.${outcome}`));
  return [
    h('p', { class: 'ex__h', id: 'h-exercise' }, lead ? h('b', {}, lead) : null, rest ?? ''),
    both(result.detail) ? h('p', { class: 'ex__h2' }, both(result.detail)) : null,
    numbers.length ? h('ul', { class: 'ex__num' }, ...numbers.map(number)) : null,
    ...(result.repetitions.length
      ? [table(result, facing, shots, link), h('p', { class: 'ex__k foot' }, ...Object.keys(looks).map(key))]
      : [h('p', { class: 'say' }, span('exercise.none'))]),
  ].filter((el) => el !== null);
}

// tableOf is the results as CSV: a row for each repetition and target, which say what the page does.
/** @param {ExerciseResult} result */
export function tableOf({ exercise, repetitions, numbers = [] }) {
  const quote = (v) => (/[",\n]/.test(String(v ?? '')) ? `"${String(v).replaceAll('"', '""')}"` : String(v ?? ''));
  const rows = [
    ['exercise', 'repetition', 'measure', 'side', 'at', 'min', 'max', 'unit', 'value', 'uncertainty', 'outcome', 'by', 'time [s]', 'why'],
    ...numbers.map((n) => [exercise.name, '', n.name, n.side, '', '', '', n.unit, n.value, n.uncertainty, '', '', n.from, n.why?.en]),
    ...repetitions.flatMap((r, k) =>
      r.targets.map((v) => {
        const { measure, at, min, max } = exercise.targets[v.target];
        return [
          exercise.name,
          k + 1,
          measure,
          v.side,
          at,
          min,
          max,
          v.unit,
          v.value,
          v.uncertainty,
          v.outcome,
          v.by,
          v.time,
          v.why?.join(' '),
        ];
      }),
    ),
  ];
  return rows.map((row) => row.map(quote).join(',')).join('\n') + '\n';
}
