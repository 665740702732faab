// @ts-check
// The three ways to show a number: with its uncertainty, with a sign that it needs care, or one word in its place.
import { h } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';
import { amount } from '../player/chart.js';
import { viewOf } from './measures.js';

// plusMinus is an uncertainty in words, rounded up.
/** @param {Value | undefined} u @param {string} unit */
export function plusMinus(u, unit) {
  if (u === null || u === undefined) return '';
  const digits = unit === '°' || unit === 'px' ? 0 : 2, factor = 10 ** digits;
  return `± ${(Math.ceil(u * factor - 1e-9) / factor).toFixed(digits)}`;
}

// read is a value of a measure; what is only estimated has a sign before it.
/** @param {{estimated?: boolean, unit: string}} measure @param {Value | undefined} value */
export const read = ({ estimated, unit }, value) => (estimated && typeof value === 'number' ? '~ ' : '') + amount(value, unit);

// sure is a number with its uncertainty; one that needs care has a sign.
/** @param {{value: number, uncertainty?: number, trust?: string, estimated?: boolean}} number @param {string} unit */
export function sure({ value, uncertainty, trust = 'good', estimated }, unit) {
  const care = trust !== 'good';
  return [read({ estimated, unit }, value), h('small', { class: `pm${care ? ' pm--care' : ''}` }, plusMinus(uncertainty, unit)),
    h('i', { class: `tri${care ? '' : ' tri--no'}`, title: care ? t('trust.care') : '' }, care ? icon('care') : null)];
}

// whyKey is the key of the words for why a measure cannot be told. What cannot be seen depends on the view.
/** @param {string} code @param {Recording} recording */
function whyKey(code, { quality }) {
  if (code !== 'outOfPlane') return `why.${code}`;
  const view = viewOf(quality) ?? 60;
  return view < 35 ? 'why.front' : view > 145 ? 'why.back' : view > 70 && view < 110 ? 'why.side' : 'why.oblique';
}

// why is the word for why a measure is withheld, and a sentence with what to do.
/** @param {{why?: string[]}} measure @param {Recording} recording @returns {{word: string, tip: string}} */
export function why(measure, recording) {
  const key = whyKey(measure.why?.[0] ?? 'uncertain', recording);
  return { word: t(key), tip: t(`${key}.tip`) };
}

// held is the word in the place of a number, with the reason where it is pointed at or focused.
/** @param {Measure} measure @param {Recording} recording @param {number} [span] columns */
export function held(measure, recording, span = 1) {
  const { word, tip } = why(measure, recording);
  return h('td', { class: 'held', tabIndex: 0, colSpan: span, on: { keydown: (e) => { if (e.key === 'Escape') e.currentTarget.blur(); } } },
    icon('hidden'), h('span', {}, word), h('span', { class: 'tip', role: 'tooltip' }, tip));
}
