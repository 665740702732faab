// @ts-check
// Amounts, as the library says them: one rounding, one minus sign and one unit for each. What rounds a measured value rounds it here.
import { t } from './i18n.js';
import { small, units } from './names.js';

const none = '–'; // stands for an absent value

const digitsOf = (unit) => units.find(({ name }) => name === unit) ?? { digits: 0, factor: 1 };

// nearest rounds to whole steps, halves away from zero; up rounds an uncertainty.
const nearest = (steps) => Math.sign(steps) * Math.round(Math.abs(steps));
const up = (steps) => Math.ceil(steps - 1e-9);

// write writes a value in the digits of a unit. It has a minus sign, and there is no −0.
function write(value, unit, round) {
  const { digits, factor } = digitsOf(unit),
    steps = 10 ** digits;
  return (round(value * factor * steps) / steps + 0).toFixed(digits).replace('-', '−');
}

// unitOf is the unit in which a measure is said: small lengths in metres are said in centimetres.
/** @param {string} measure @param {string} unit */
export const unitOf = (measure, unit) => (unit === 'm' && small.includes(measure) ? 'cm' : unit);

// after is what stands after a number: " cm".
/** @param {string} unit */
export const after = (unit) => (units.some(({ name }) => name === unit) ? t(`unit.${unit}`) : ` ${unit}`);

// number is a value alone: "0.80".
/** @param {Value | undefined} value @param {string} unit */
export const number = (value, unit) => (typeof value === 'number' ? write(value, unit, nearest) : none);

// amount is a value with its unit: "93°", "0.80 m".
/** @param {Value | undefined} value @param {string} unit */
export const amount = (value, unit) => (typeof value === 'number' ? number(value, unit) + after(unit) : none);

// tick is a round number on an axis; only degrees have their unit there: "90°", "40".
/** @param {number} value @param {string} unit */
export const tick = (value, unit) =>
  `${Number((value * digitsOf(unit).factor).toPrecision(12))}`.replace('-', '−') + (unit === '°' ? unit : '');

// plusMinus is an uncertainty, rounded up: "± 8". It is empty if there is none.
/** @param {Value | undefined} sigma @param {string} unit */
export const plusMinus = (sigma, unit) => (typeof sigma === 'number' && sigma > 0 ? `± ${write(sigma, unit, up)}` : '');

// whole is an amount with its uncertainty: "93° ± 8".
/** @param {Value | undefined} value @param {Value | undefined} sigma @param {string} unit */
export const whole = (value, sigma, unit) => [amount(value, unit), plusMinus(sigma, unit)].filter(Boolean).join(' ');

// brief is an amount for tables and charts. Torso lengths stand in their heads.
/** @param {Value | undefined} value @param {string} unit */
export const brief = (value, unit) => (unit === 'torso' ? number(value, unit) : amount(value, unit));
