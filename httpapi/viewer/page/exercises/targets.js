// @ts-check
// The targets of an exercise, to be changed.
import { h, button, card, field, select, span } from '../base/dom.js';
import { form } from '../base/dialogs.js';
import { t } from '../base/i18n.js';
import { types } from '../base/names.js';
import { measureName, tempos, unitOf } from '../numbers/exercise.js';

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
