// @ts-check
// The three ways to show a number: with its uncertainty, with a sign that it needs care, or one word in its place.
import { brief, number, plusMinus } from '../base/amount.js';
import { h } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';

// read is a value of a measure; what is only estimated has a sign before it.
/** @param {{estimated?: boolean, unit: string}} measure @param {Value | undefined} value */
export const read = ({ estimated, unit }, value) => (estimated && typeof value === 'number' ? '~ ' : '') + brief(value, unit);

// sure is a number with its uncertainty; one that needs care has a sign.
/** @param {{value: number, uncertainty?: number, trust?: string, estimated?: boolean}} number @param {string} unit */
export function sure({ value, uncertainty, trust = 'good', estimated }, unit) {
  const care = trust !== 'good';
  return [
    read({ estimated, unit }, value),
    h('small', { class: `pm${care ? ' pm--care' : ''}` }, plusMinus(uncertainty, unit)),
    h('i', { class: `tri${care ? '' : ' tri--no'}`, title: care ? t('trust.care') : '' }, care ? icon('care') : null),
  ];
}

// from says from where a recording sees the person: "from the side", "54° from the front". It is empty if that is unknown.
/** @param {Facing | null | undefined} facing */
export function from(facing) {
  if (!facing?.direction) return '';
  if (facing.direction !== 'oblique') return t(`from.${facing.direction}`);
  const behind = 180 - facing.view;
  return behind < facing.view ? t('from.behind', [number(behind, '°')]) : t('from.ahead', [number(facing.view, '°')]);
}

// whyKey is the key of the words for why a measure cannot be told. What cannot be seen depends on the direction.
/** @param {string} code @param {Facing | null | undefined} facing */
const whyKey = (code, facing) => (code === 'outOfPlane' ? `why.${facing?.direction ?? 'oblique'}` : `why.${code}`);

// why is the word for why a measure is withheld, and a sentence with what to do.
/** @param {{why?: string[]}} measure @param {Facing | null | undefined} facing @returns {{word: string, tip: string}} */
export function why(measure, facing) {
  const key = whyKey(measure.why?.[0] ?? 'uncertain', facing);
  return { word: t(key), tip: t(`${key}.tip`) };
}

// held is the word in the place of a number, with the reason where it is pointed at or focused.
/** @param {{why?: string[]}} measure @param {Facing | null | undefined} facing @param {number} [span] columns */
export function held(measure, facing, span = 1) {
  const { word, tip } = why(measure, facing);
  return h(
    'td',
    {
      class: 'held',
      tabIndex: 0,
      colSpan: span,
      on: {
        keydown: (e) => {
          if (e.key === 'Escape') e.currentTarget.blur();
        },
      },
    },
    icon('hidden'),
    h('span', {}, word),
    h('span', { class: 'tip', role: 'tooltip' }, tip),
  );
}
