// @ts-check
// What keeps a person who stands before the camera from being measured well: the one home of its rules. From where the
// person is seen is the service's word.

// In torso lengths, by the joint heights that package quality has, too: how near to the edge of the picture a part is cut off, as
// its warnings have it, and how far the top of the head is from the shoulders, the knees from the hips, the ankles from the knees,
// and the soles from the ankles.
const edge = 0.05,
  head = 0.6,
  thigh = 0.85,
  shank = 0.85,
  foot = 0.15;
const least = 1 / 3; // of the shorter side of the picture: a body that is less long is small
const rest = 0.15; // torso lengths that no part moves by in a second of standing still

const sides = ['left', 'right'];

/** @param {Frame} frame @param {string} name @returns {Place[]} */
const pair = (frame, name) => sides.map((side) => frame[side + name]).filter(Boolean);
/** @param {Place[]} list @returns {Place} */
const middle = (list) => {
  const mean = (k) => list.reduce((sum, p) => sum + p[k], 0) / list.length;
  return [mean(0), mean(1)];
};

// ends are the middles of the shoulders and of the hips, null where they are not seen.
/** @param {Frame} frame @returns {[shoulders: Place, hips: Place] | null} */
function ends(frame) {
  const [shoulders, hips] = [pair(frame, 'Shoulder'), pair(frame, 'Hip')];
  return shoulders.length && hips.length ? [middle(shoulders), middle(hips)] : null;
}

/** @param {Place} from @param {Place} to */
const apart = (from, to) => Math.hypot(to[0] - from[0], to[1] - from[1]);
// beyond is a place so many times as far from to as that is from from.
/** @param {Place} from @param {Place} to @param {number} times @returns {Place} */
const beyond = (from, to, times) => [to[0] + times * (to[0] - from[0]), to[1] + times * (to[1] - from[1])];

/** @typedef {{box: [left: number, top: number, right: number, bottom: number], out: string[]}} Outline
 * of a person in pixels, and the sides of the picture by which it leaves: left, top, right, bottom */

// outline is the box around a person in a picture of a size, null where nobody is seen. The top of the head and what is not found
// of the legs are where the rest of the body says.
/** @param {Frame} frame @param {Place} size @returns {Outline | null} */
export function outline(frame, [width, height]) {
  const trunk = ends(frame);
  if (!trunk) return null;
  const [shoulders, hips] = trunk,
    unit = apart(shoulders, hips),
    body = [...Object.values(frame), beyond(hips, shoulders, head)];
  const knees = pair(frame, 'Knee'),
    ankles = pair(frame, 'Ankle'),
    knee = knees.length ? middle(knees) : beyond(shoulders, hips, thigh);
  if (ankles.length) body.push(beyond(knee, middle(ankles), foot / shank));
  else body.push(beyond(hips, knee, (shank + foot) / thigh));
  const [xs, ys] = [0, 1].map((k) => body.map((p) => p[k])),
    margin = edge * unit;
  const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  /** @type {[side: string, leaves: boolean][]} */
  const out = [
    ['left', left < margin],
    ['top', top < margin],
    ['right', right > width - margin],
    ['bottom', bottom > height - margin],
  ];
  return { box: [left, top, right, bottom], out: out.filter(([, leaves]) => leaves).map(([side]) => side) };
}

// suits reports whether an exercise that wants a view may be filmed from where the person is seen. What is not known is no reason
// to turn.
/** @param {string | undefined} view @param {Facing | null | undefined} facing */
export const suits = (view, facing) =>
  !view || !facing?.direction || (view === 'front' ? ['front', 'back'] : [view]).includes(facing.direction);

// hint is the one thing to do before an exercise is filmed: nobody, back, middle, nearer, side or front; '' is nothing.
/** @param {Outline | null} seen @param {Place} size @param {string | undefined} view @param {Facing | null | undefined} facing */
export function hint(seen, size, view, facing) {
  if (!seen) return 'nobody';
  const { box, out } = seen;
  if (out.length === 1 && ['left', 'right'].includes(out[0])) return 'middle';
  if (out.length) return 'back';
  if (Math.max(box[2] - box[0], box[3] - box[1]) < least * Math.min(...size)) return 'nearer';
  return suits(view, facing) ? '' : String(view);
}

// still reports whether no part has moved from one frame to another.
/** @param {Frame} before @param {Frame} now */
export function still(before, now) {
  const trunk = ends(now),
    most = trunk ? rest * apart(...trunk) : 0;
  return Object.entries(now).every(([part, [x, y]]) => !before[part] || apart(before[part], [x, y]) < most);
}

const second = 1; // that nothing may have to be done for before the recording starts, and that a hint stays

// Watch follows the person from picture to picture: what is to be done, and whether all is ready.
export class Watch {
  /** @type {{time: number, frame: Frame, hint: string}[]} */
  #list = []; // the newest second, and the picture before it
  #since = -Infinity;
  /** @type {Outline | null} */
  seen = null;
  hint = 'nobody'; // what was found most in the last second; it stays for one
  still = false; // for a second
  ready = false; // nothing was to be done for a second, and the person stood still

  // add takes what was found in a picture of a time in seconds.
  /** @param {number} time @param {Frame} frame @param {Place} size @param {string | undefined} view
   * @param {Facing | null | undefined} facing */
  add(time, frame, size, view, facing) {
    this.seen = outline(frame, size);
    this.#list.push({ time, frame, hint: hint(this.seen, size, view, facing) });
    while (this.#list.length > 1 && this.#list[1].time <= time - second) this.#list.shift();
    const [first] = this.#list,
      whole = first.time <= time - second,
      often = (which) => this.#list.filter((e) => e.hint === which).length;
    const most = this.#list.map((e) => e.hint).reduce((a, b) => (often(b) > often(a) ? b : a));
    if (most !== this.hint && time - this.#since >= second) [this.hint, this.#since] = [most, time];
    this.still = whole && Boolean(this.seen) && still(first.frame, frame);
    this.ready = whole && this.still && this.#list.every((e) => !e.hint);
  }
}
