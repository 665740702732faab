// @ts-check
// The body as lines between its parts. Only some recordings have the last six parts, those of the feet.
import { parts, skeleton } from '../base/names.js';
import { svg } from '../base/icons.js';

// The lines of the face are left out: they say nothing about the movement and hide the face.
export const edges = skeleton.filter(([a, b]) => !/nose|Eye|Ear/.test(a + b));

// drawn are the parts with a dot.
const drawn = parts.filter((p) => !/nose|Eye|Ear|Toe|Heel/.test(p));

// sideOf is left, right or mid.
export const sideOf = (part) => (part.startsWith('left') ? 'left' : part.startsWith('right') ? 'right' : 'mid');

const sure = 0.5; // the confidence below which a part is drawn as unsure

// seen are the points of a frame without the parts that are hidden there: what the network guesses is not drawn.
/** @param {Frame | null | undefined} points @param {string[]} [hidden] */
export const seen = (points, hidden) =>
  points && hidden?.length ? Object.fromEntries(Object.entries(points).filter(([part]) => !hidden.includes(part))) : points;

const line = (points) => points.map(([a, b]) => `M${a[0].toFixed(1)} ${a[1].toFixed(1)}L${b[0].toFixed(1)} ${b[1].toFixed(1)}`).join('');

// Skeleton draws one body into a group of an SVG picture.
export class Skeleton {
  #paths = new Map();
  #dots = new Map();
  #rim = svg('path', { class: 'rim' });

  constructor(look = '') {
    this.el = svg('g', { class: `skel ${look}` }, this.#rim);
    for (const side of ['mid', 'left', 'right']) {
      for (const unsure of ['', ' unsure']) {
        const p = svg('path', { class: `bone ${side}${unsure}` });
        this.#paths.set(side + unsure, p);
        this.el.append(p);
      }
    }
    for (const part of drawn) {
      const c = svg('circle', { r: 4.2 });
      this.#dots.set(part, c);
      this.el.append(c);
    }
  }

  // show draws the points of a frame, or nothing. place gives the place of a point in the picture on the stage.
  show(points, scores, place) {
    const at = {};
    for (const [part, p] of Object.entries(points ?? {})) at[part] = place(p);
    const unsure = (part) => (scores?.[part] ?? 1) < sure;
    const lists = Object.fromEntries([...this.#paths.keys()].map((key) => [key, []]));
    const rims = [];
    for (const [a, b] of edges) {
      if (!at[a] || !at[b]) continue;
      const side = sideOf(a) === sideOf(b) ? sideOf(a) : 'mid',
        doubtful = unsure(a) || unsure(b);
      lists[side + (doubtful ? ' unsure' : '')].push([at[a], at[b]]);
      if (!doubtful) rims.push([at[a], at[b]]);
    }
    this.#rim.setAttribute('d', line(rims));
    for (const [key, path] of this.#paths) path.setAttribute('d', line(lists[key]));
    for (const [part, dot] of this.#dots) {
      const p = at[part];
      dot.setAttribute('class', p ? `joint ${sideOf(part)}${unsure(part) ? ' unsure' : ''}` : 'none');
      if (p) {
        dot.setAttribute('cx', p[0].toFixed(1));
        dot.setAttribute('cy', p[1].toFixed(1));
      }
    }
  }
}
