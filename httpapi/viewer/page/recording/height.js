// @ts-check
// How high the camera was, asked by pictures: on the floor, at the hip, at the head, from above.
import { h, span } from '../base/dom.js';
import { svg } from '../base/icons.js';

// By how many degrees cameras look down: docs/how/formulas.md.
export const PITCH = { floor: -12, hip: 0, head: 12, above: 20 };

const places = { floor: 69, hip: 50, head: 27, above: 7 }; // of the camera in the picture, whose floor is at 76

// picture is a person who stands, and the camera at the right with what it sees.
const picture = (name) => {
  const y = places[name],
    turn = (Math.atan2(y - 48, 54) * 180) / Math.PI;
  return svg(
    'svg',
    { viewBox: '0 0 96 80', 'aria-hidden': 'true' },
    svg('path', { class: 'height__sees', d: `M78 ${y} 10 18V76H34Z` }),
    svg('path', { class: 'height__line', d: 'M4 76H92' }),
    svg('circle', { class: 'height__ink', cx: 24, cy: 26, r: 5.5 }),
    svg('path', { class: 'height__body', d: 'M24 33V52M24 52l-4 12 1 12h5M24 52l4 12-1 12h5M24 36l-5 11 5 8' }),
    y < 60 ? svg('path', { class: 'height__line', d: `M78 ${y + 6}V66M78 66l-6 10M78 66l6 10` }) : '',
    svg('rect', { class: 'height__ink', x: 75, y: y - 6, width: 6, height: 12, rx: 1.5, transform: `rotate(${turn.toFixed(0)} 78 ${y})` }),
  );
};

// heights is the choice of one of the pictures, or of none.
/** @param {string} value @param {(value: string) => void} chosen */
export function heights(value, chosen) {
  const el = h('div', { class: 'heights', role: 'group', label: 'setup.camera' });
  for (const name of Object.keys(PITCH))
    el.append(
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(name === value),
          on: {
            click: (e) => {
              const again = e.currentTarget.getAttribute('aria-pressed') === 'true';
              for (const b of el.children) b.setAttribute('aria-pressed', String(b === e.currentTarget && !again));
              chosen(again ? 'unknown' : name);
            },
          },
        },
        picture(name),
        span(`setup.camera.${name}`),
      ),
    );
  return el;
}
