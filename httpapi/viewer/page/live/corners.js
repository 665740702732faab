// @ts-check
// The frame around the person: its corners are yellow where the body leaves the picture, and green when all is in.
import { svg } from '../base/icons.js';

const inset = 12; // pixels of the stage from the edges of the picture
const margin = 14; // pixels around the body
const slim = 0.5; // the least width by the height
const most = 42; // pixels of a corner's arm, of which a part is round
const round = 16;
const calm = 0.3; // of the way that the frame goes with each picture

export class Corners {
  #stage;
  #el = svg('g', { class: 'frm' });
  /** @type {import('./hints.js').Outline | null} */
  #seen = null;
  /** @type {number[] | null} */
  #box = null; // in pixels of the picture, which follows the body calmly
  #on = false;

  /** @param {import('../player/stage.js').Stage} stage */
  constructor(stage) {
    this.#stage = stage;
    stage.above.append(this.#el);
    stage.addEventListener('draw', () => this.#draw());
  }

  // show draws the frame around a person, or where one should stand; good makes it green.
  /** @param {import('./hints.js').Outline | null} seen @param {boolean} good @param {boolean} on */
  show(seen, good, on) {
    this.#on = on;
    if (seen && seen !== this.#seen) this.#box = this.#box?.map((v, i) => v + calm * (seen.box[i] - v)) ?? seen.box;
    if (!seen) this.#box = null;
    this.#seen = seen;
    this.#el.classList.toggle('frm--ok', Boolean(seen) && good);
    this.#draw();
  }

  #draw() {
    if (!this.#on) {
      this.#el.replaceChildren();
      return;
    }
    const [width, height] = this.#stage.size,
      [left, top] = this.#stage.place([0, 0]).map((v) => Math.max(v, 0) + inset),
      [x, y] = this.#stage.place([width, height]),
      [right, bottom] = [Math.min(x, this.#stage.width) - inset, Math.min(y, this.#stage.height) - inset];
    const tall = bottom - top,
      half = Math.min(right - left, tall / 2) / 2;
    let box = [(left + right) / 2 - half, top + tall * 0.04, (left + right) / 2 + half, bottom - tall * 0.04];
    if (this.#box) {
      const [a, b] = [this.#stage.place([this.#box[0], this.#box[1]]), this.#stage.place([this.#box[2], this.#box[3]])],
        wide = Math.max(margin, (slim * (b[1] - a[1]) - (b[0] - a[0])) / 2);
      box = [Math.max(left, a[0] - wide), Math.max(top, a[1] - margin), Math.min(right, b[0] + wide), Math.min(bottom, b[1] + margin)];
    }
    const arm = Math.min(most, (box[2] - box[0]) / 3);
    const out = (side) => this.#seen?.out.includes(side) ?? false;
    /** @type {SVGElement[]} */
    const drawn = [];
    const path = (d, yellow, dashed = false) => drawn.push(svg('path', { class: `${yellow ? 'out' : ''}${dashed ? ' dash' : ''}`, d }));
    for (const [i, h] of /** @type {[number, string][]} */ ([
      [0, 'left'],
      [2, 'right'],
    ]))
      for (const [j, v] of /** @type {[number, string][]} */ ([
        [1, 'top'],
        [3, 'bottom'],
      ])) {
        const [x, y] = [box[i], box[j]],
          [dx, dy] = [i ? -1 : 1, j > 1 ? -1 : 1];
        path(`M${x} ${y + dy * arm}V${y + dy * round}Q${x} ${y} ${x + dx * round} ${y}H${x + dx * arm}`, out(h) || out(v));
      }
    const [l, t, r, b] = box,
      from = arm + 14;
    for (const [side, d] of [
      ['top', `M${l + from} ${t}H${r - from}`],
      ['bottom', `M${l + from} ${b}H${r - from}`],
      ['left', `M${l} ${t + from}V${b - from}`],
      ['right', `M${r} ${t + from}V${b - from}`],
    ])
      if (out(side)) path(d, true, true);
    this.#el.replaceChildren(...drawn);
  }
}
