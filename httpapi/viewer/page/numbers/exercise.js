// @ts-check
// What is said of targets and of what became of them. Sentences come from the service.
import { amount, whole } from '../base/amount.js';
import { language, t } from '../base/i18n.js';
import { types } from '../base/names.js';

// tempos are the measures of tempo.
export const tempos = ['out', 'hold', 'back', 'duration'];

// both is a text of the service in the language of the page.
/** @param {{en: string, ja: string} | undefined} text */
export const both = (text) => text?.[language === 'ja' ? 'ja' : 'en'] ?? '';

// title is the name of an exercise.
/** @param {Exercise} exercise */
export const title = (exercise) => both(exercise.title) || exercise.name;

// unitOf is the unit of a measure, torso lengths where that depends on the recording.
/** @param {string} measure */
export function unitOf(measure) {
  if (tempos.includes(measure)) return 's';
  return types.find((type) => type.name === measure)?.unit === '°' ? '°' : 'torso';
}

// measureName names a measure, of a side if there is one: "Left knee", "Trunk lean", "Way down".
/** @param {Exercise} exercise @param {string} measure @param {string} [side] */
export function measureName(exercise, measure, side) {
  if (tempos.includes(measure)) {
    const phase = { out: exercise.phases?.[0] ?? 'out', hold: exercise.phases?.[1] ?? 'hold', back: exercise.phases?.[2] ?? 'back' }[
      measure
    ];
    return t(`exercise.tempo.${phase ?? measure}`);
  }
  return side ? t(`joint.${side}.${measure}`) : t(`type.${measure}`);
}

// limitWords says the limits of a target: "at least 90°".
/** @param {Target} target @param {string} unit */
export function limitWords({ min, max }, unit) {
  const text = (v) => amount(v, unit);
  if (typeof min === 'number' && typeof max === 'number') return t('exercise.between', { min: text(min), max: text(max) });
  return typeof min === 'number' ? t('exercise.atLeast', { value: text(min) }) : t('exercise.atMost', { value: text(max) });
}

// outcomeWords says what became of a target that is not withheld: "met", "49° ± 9 short".
/** @param {Verdict} verdict @param {Target} target @param {string} unit */
export function outcomeWords({ outcome, value, uncertainty, by }, { min }, unit) {
  if (outcome !== 'missed') return t(`exercise.${outcome}`);
  return t(typeof min === 'number' && typeof value === 'number' && value < min ? 'exercise.short' : 'exercise.over', {
    by: whole(by, uncertainty, unit),
  });
}
