// @ts-check
// Where the phone stands, as pictures: from above, by the view of the exercise, and from the side, by the height of the hips.
import { h, span } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { svg } from '../base/icons.js';

const s = (tag, attributes, ...children) => svg(tag, attributes, ...children);
const p = (cls, d) => s('path', { class: cls, d });
const words = (cls, x, y, anchor, text) => s('text', { class: cls, x, y, 'text-anchor': anchor }, text);
// from is the key of the words for the view of an exercise.
/** @param {string | undefined} view */
export const from = (view) => (view ? `from.${view}` : 'film.any');

// figure is a picture with its title, and what else is to be known.
const figure = (title, more, ...drawn) =>
  h(
    'figure',
    {},
    s('svg', { class: 'fp', viewBox: '0 0 160 150', 'aria-hidden': 'true' }, ...drawn),
    h('figcaption', {}, span(title), h('small', { t: more })),
  );

// above is the plan, with a second phone a quarter turn further if there are two. The person looks up, or to the phone where the
// exercise is filmed from the front.
function above(view, two) {
  const front = view === 'front';
  const person = s(
    'g',
    front ? { transform: 'rotate(90 80 78)' } : {},
    p('fp__left', 'M62 78h18'),
    p('fp__right', 'M80 78h18'),
    p('fp__ink', 'M75 68l5-9 5 9z'),
    s('circle', { class: 'fp__ink', cx: 80, cy: 77, r: 9.5 }),
  );
  const phone = (turn) =>
    s(
      'g',
      { transform: `rotate(${turn} 80 78)` },
      p('fov', 'M136 78L64 40V116Z'),
      p('ray', front ? 'M126 78H104' : 'M126 78H100'),
      s(
        'g',
        { transform: 'translate(139 78) rotate(90)' },
        s('rect', { class: 'fp__ink', x: -15, y: -6, width: 30, height: 12, rx: 4 }),
        p('fp__ink', 'M-5 6 0 11 5 6z'),
      ),
    );
  return [
    p('ring', 'M80 20A58 58 0 1 1 80 136A58 58 0 1 1 80 20'),
    p('g', view ? 'M26.5 55.5A58 58 0 0 0 26.5 100.5M133.5 55.5A58 58 0 0 1 133.5 100.5' : 'M80 20A58 58 0 1 1 80 136A58 58 0 1 1 80 20'),
    ...(two ? [-45, -135] : [view ? 0 : -45]).map(phone),
    person,
    ...(view === 'side' ? [p('fp__to', 'M80 48V30m-4 5 4-5 4 5'), words('q', 80, 18, 'middle', t('film.looks'))] : []),
  ];
}

// beside shows the height: of the hips of who stands, or of who lies.
function beside(lies) {
  const y = lies ? 108 : 76;
  return [
    p('fl', 'M8 132H152'),
    p('fov', lies ? `M124 ${y}L14 92V132H60Z` : `M124 ${y}L42 20V132Z`),
    p('ray', `M118 ${y}H${lies ? 66 : 42}`),
    lies
      ? s('g', { class: 'k' }, s('circle', { class: 'fp__ink', cx: 20, cy: 100, r: 7 }), p('', 'M30 106 52 113 84 131M31 107v24h-6'))
      : s(
          'g',
          { class: 'k', transform: 'translate(40 84)' },
          s('circle', { class: 'fp__ink', cx: 0, cy: -63, r: 9 }),
          p('', 'M0-50V-8M0-8l-5 27 3 29h8M0-8l4 27-2 29h8M-1-46l-6 22 8 18'),
        ),
    s('rect', { class: 'fp__ink', x: 120, y: y - 12, width: 12, height: 25, rx: 3.5 }),
    ...(lies ? [] : [p('fp__leg', 'M126 89v24M126 113l-9 19M126 113l9 19')]),
    p('fp__tall', `M146 ${y + 2}V130M143 ${y + 2}h6M143 130h6`),
    words('', 152, y - 16, 'end', lies ? '0.4 m' : '0.9 m'),
    words('q', 82, 146, 'middle', '3 m'),
    p('fp__wide', 'M46 142H70M94 142H122'),
  ];
}

// place are both pictures for an exercise.
/** @param {Exercise} exercise @param {boolean} two */
export function place({ view, movement }, two) {
  const tall = movement === 'pushUp' ? 'low' : 'hip',
    seen = two ? '' : (view ?? '');
  return h(
    'div',
    { class: 'fi__p' },
    figure(from(seen), `film.where.${two ? 'two' : seen || 'any'}`, ...above(seen, two)),
    figure('film.hip', `film.stand.${tall}`, ...beside(tall === 'low')),
  );
}
