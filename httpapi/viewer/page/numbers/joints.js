// @ts-check
// The chosen angles in the picture: an arc at each joint and its degrees beside it.
import { plusMinus } from '../base/amount.js';
import { svg } from '../base/icons.js';
import { angles } from './measures.js';
import { read } from './trust.js';

const sub = (a, b) => [a[0] - b[0], a[1] - b[1]];
const unit = (v) => {
  const l = Math.hypot(...v) || 1;
  return [v[0] / l, v[1] / l];
};
const add = (a, b, k = 1) => [a[0] + k * b[0], a[1] + k * b[1]];
const radius = 30,
  away = 46;

// path of an arc around a vertex from one direction to another, the short way.
function arc(v, from, to) {
  const p = add(v, from, radius),
    q = add(v, to, radius);
  const sweep = from[0] * to[1] - from[1] * to[0] > 0 ? 1 : 0;
  const at = (x) => `${x[0].toFixed(1)} ${x[1].toFixed(1)}`;
  return {
    curve: `M${at(p)}A${radius} ${radius} 0 0 ${sweep} ${at(q)}`,
    wedge: `M${at(v)}L${at(p)}A${radius} ${radius} 0 0 ${sweep} ${at(q)}Z`,
  };
}

// straight are the angles that are 0 when the limb is straight: their arc begins at the extension of the first bone.
export const straight = ['knee', 'hip', 'elbow'];

// Joints draws them on a stage, for the measures that are chosen.
export class Joints {
  #group = svg('g');
  on = true;
  hidden = () => false; // whether a tool needs the picture for itself

  constructor(stage, measures) {
    stage.above.append(this.#group);
    this.stage = stage;
    this.measures = measures;
    stage.addEventListener('draw', () => this.draw());
    measures.addEventListener('results', () => this.draw());
  }

  draw() {
    const { stage, measures } = this;
    const i = stage.playhead.frame,
      points = stage.frames[i] ?? {};
    const arcs = [],
      tags = [];
    // facing is 1 where the left of the person is at the right of the picture.
    const facing = points.leftHip && points.rightHip && points.leftHip[0] < points.rightHip[0] ? -1 : 1;
    for (const name of this.on && !this.hidden() ? measures.chosen : []) {
      for (const result of measures.results(name)) {
        const value = result.values[i];
        if (typeof value !== 'number') continue;
        const [a, b, c] = corners(name, result.side, points);
        if (!b) continue;
        const v = stage.place(b),
          side = result.side ?? 'trunk';
        let out = [1, 0];
        if (a && c) {
          const first = unit(sub(stage.place(a), v)),
            second = unit(sub(stage.place(c), v));
          const from = straight.includes(name) ? [-first[0], -first[1]] : first;
          if (Math.abs(value) > 3 && name !== 'ankle') {
            const { curve, wedge } = arc(v, from, second);
            arcs.push(
              svg(
                'g',
                { class: `arc ${side}` },
                svg('path', { class: 'wedge', d: wedge }),
                svg('path', {
                  class: 'ext',
                  d: `M${v.join(' ')}L${add(v, from, 52)
                    .map((x) => x.toFixed(1))
                    .join(' ')}`,
                }),
                svg('path', { class: 'curve', d: curve }),
              ),
            );
          }
          // The tag stands outside the bend; beside a straight limb, away from the other one.
          const bend = add(first, second);
          if (Math.hypot(...bend) > 0.5) out = unit([-bend[0], -bend[1]]);
          else out = [(side === 'right' ? -1 : 1) * facing, 0];
        }
        tags.push({
          spot: add(v, out, away),
          text: `${read(result, value)} ${plusMinus(result.uncertainty?.[i], result.unit)}`.trim(),
          side,
        });
      }
    }
    apart(tags);
    this.#group.replaceChildren(...arcs);
    stage.tags(tags.map(({ spot, ...rest }) => ({ at: stage.pick(inside(stage, spot)), ...rest })));
  }
}

// inside keeps a tag within the picture, right of the tools.
const inside = ({ width: w, height: h }, [x, y]) => [Math.min(w - 38, Math.max(w > 600 ? 90 : 38, x)), Math.min(h - 18, Math.max(18, y))];

const middle = (p, q) => (p && q ? p.map((v, k) => (v + q[k]) / 2) : (p ?? q));

// corners are the points of the angle of a choice: of the first bone, the joint and the second bone, or the joint alone.
// points are in the picture or in space.
/** @param {string} name @param {string | undefined} side @param {{[part: string]: number[]}} points @returns {(number[] | undefined)[]} */
export function corners(name, side, points) {
  const at = (part) =>
    points[(side ?? '') + (side ? part : part[0].toLowerCase() + part.slice(1))] ??
    (side ? undefined : middle(points[`left${part}`], points[`right${part}`]));
  const { joint } = angles[name];
  return joint.length === 3 ? joint.map(at) : [undefined, at(joint[0]), undefined];
}

// apart moves tags that would cover each other.
/** @param {{spot: number[]}[]} tags */
export function apart(tags) {
  tags.sort((p, q) => p.spot[1] - q.spot[1]);
  tags.forEach((tag, k) => {
    for (const other of tags.slice(0, k)) {
      if (Math.abs(tag.spot[0] - other.spot[0]) < 62 && Math.abs(tag.spot[1] - other.spot[1]) < 28) tag.spot[1] = other.spot[1] + 28;
    }
  });
}
