// @ts-check
// What is in space: the person frame by frame, where they face, the floor, and where the cameras stand. y is up.

/** @typedef {[number, number, number]} Spot */

const mid = (all) => [0, 1, 2].map((k) => all.reduce((s, p) => s + p[k], 0) / all.length);

// near is the mean of what is known within so many frames of each.
function near(list, reach) {
  return list.map((_, i) => {
    const around = list.slice(Math.max(0, i - reach), i + reach + 1).filter(Boolean);
    return around.length ? mid(around) : null;
  });
}

// filled gives frames where nothing is known what was known last.
function filled(list) {
  let last = list.find(Boolean) ?? [0, 0, 0];
  return list.map((v) => (last = v ?? last));
}

// across is the way from the left of the body to its right, level.
function across(points) {
  const way = [0, 0, 0];
  for (const part of ['Hip', 'Shoulder']) {
    const [l, r] = [points[`left${part}`], points[`right${part}`]];
    if (l && r) for (const k of [0, 2]) way[k] += r[k] - l[k];
  }
  return Math.hypot(...way) > 0 ? way : null;
}

export class Scene {
  /** @type {{[part: string]: number[]}[]} */
  frames;
  unit; // "m" or "torso"
  height; // from the lowest to the highest part that is ever seen
  floor; // its y
  /** @type {{eye: number[], offset: number}[]} */
  cameras;
  /** @type {number[][]} */
  #across;
  /** @type {number[][]} */
  #places;

  /** @param {{[part: string]: number[]}[]} frames @param {any[]} cameras @param {string} unit @param {number} rate frames a second */
  constructor(frames, cameras, unit, rate) {
    this.frames = frames.map((f) => f ?? {});
    this.unit = unit;
    const ys = this.frames.flatMap((f) => Object.values(f).map((p) => p[1])).sort((a, b) => a - b);
    const low = ys[Math.floor(ys.length * 0.01)] ?? 0,
      high = ys[Math.floor(ys.length * 0.99)] ?? 1;
    this.height = Math.max(high - low, 1e-6);
    this.floor = Math.abs(low) < 0.15 * this.height ? 0 : low; // which is 0 where it is known
    this.cameras = cameras.map(({ rotation, translation: t, offset }) => {
      const r = rotation.flat(); // by rows
      return { offset, eye: [0, 1, 2].map((k) => -(r[k] * t[0] + r[3 + k] * t[1] + r[6 + k] * t[2])) };
    });
    const reach = Math.round(0.4 * rate);
    this.#across = filled(near(this.frames.map(across), reach));
    const hips = filled(this.frames.map((f) => (f.leftHip && f.rightHip ? mid([f.leftHip, f.rightHip]) : null)));
    // Who stays about where they are is looked at there; who walks is followed.
    const [w, d] = [0, 2].map((k) => Math.max(...hips.map((p) => p[k])) - Math.min(...hips.map((p) => p[k])));
    const stays = Math.hypot(w, d) < 0.35 * this.height,
      place = mid(hips);
    this.#places = stays ? hips.map(() => place) : filled(near(hips, reach));
  }

  // place is where the person is, on the floor.
  place(frame) {
    return [this.#places[frame]?.[0] ?? 0, this.floor, this.#places[frame]?.[2] ?? 0];
  }

  // facing is the direction in which the person looks, in radians about the vertical; 0 is along z, more is to their left.
  facing(frame) {
    const [x, , z] = this.#across[frame] ?? [-1, 0, 0];
    return Math.atan2(z, -x);
  }

  // around is where a camera stands as the person sees it, in degrees: 0 in front, more to their left, less to the right.
  around(camera, frame) {
    const [x, , z] = this.place(frame),
      { eye } = this.cameras[camera];
    const turn = ((Math.atan2(eye[0] - x, eye[2] - z) - this.facing(frame)) * 180) / Math.PI;
    return ((turn + 540) % 360) - 180;
  }

  // away is how far it is from the person.
  away(camera, frame) {
    const [x, , z] = this.place(frame),
      { eye } = this.cameras[camera];
    return Math.hypot(eye[0] - x, eye[1] - this.floor - this.height / 2, eye[2] - z);
  }
}

// Look projects space onto a picture of so many pixels: seen from a direction (radians about the vertical), from so many
// radians above, with so many pixels a unit at the middle.
export class Look {
  #x;
  #y;
  #z;
  #from;

  constructor({ turn, rise, scale, middle, at, distance }) {
    const [s, c, u, v] = [Math.sin(turn), Math.cos(turn), Math.sin(rise), Math.cos(rise)];
    this.#x = [c, 0, -s];
    this.#y = [-s * u, v, -c * u];
    this.#z = [s * v, u, c * v];
    this.#from = { scale, middle, at, distance };
  }

  // place is where a point is in the picture.
  place = (p) => {
    const { scale, middle, at, distance } = this.#from;
    const d = [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]];
    const dot = (a) => a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
    const k = (scale * distance) / Math.max(0.1 * distance, distance - dot(this.#z));
    return [at[0] + k * dot(this.#x), at[1] - k * dot(this.#y)];
  };
}
