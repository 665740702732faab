// @ts-check
// The person in space: a skeleton over a floor, with the cameras that saw it. It is turned with the mouse, a ring, or
// the arrow keys; the views from the front, the sides and above follow the person.
import { amount, brief } from '../base/amount.js';
import { h, segments } from '../base/dom.js';
import { icon, svg } from '../base/icons.js';
import { say, t } from '../base/i18n.js';
import { edges, Skeleton } from '../player/skeleton.js';
import { angles } from '../numbers/measures.js';
import { apart, corners, straight } from '../numbers/joints.js';
import { Look } from './scene.js';

// from are the views, in degrees: about the person, 0 in front and more to their left; and above the floor.
const from = { front: [0, 12], right: [-90, 12], left: [90, 12], above: [180, 88] };
const turns = Object.keys(from);
const limit = (v, low, high) => Math.min(high, Math.max(low, v));
const write = (points) => points.map((p) => p.map((v) => v.toFixed(1)).join(' ')).join('L');
const lines = (list) => list.map((points) => `M${write(points)}`).join('');
const wrap = (degrees) => (((degrees % 360) + 540) % 360) - 180;
const unit = (v) => {
  const l = Math.hypot(...v) || 1;
  return v.map((x) => x / l);
};
const less = (a, b) => a.map((v, k) => v - b[k]);
const plus = (a, b, k = 1) => a.map((v, i) => v + k * b[i]);
export const letters = 'ABCD';

// bend is the arc from one direction to another, in steps.
function bend(u, v) {
  const dot = limit(
      u.reduce((s, x, k) => s + x * v[k], 0),
      -1,
      1,
    ),
    angle = Math.acos(dot);
  if (angle < 0.05 || angle > 3.1) return null;
  return Array.from({ length: 13 }, (_, i) =>
    plus(
      u.map((x) => (x * Math.sin((1 - i / 12) * angle)) / Math.sin(angle)),
      v,
      Math.sin((i / 12) * angle) / Math.sin(angle),
    ),
  );
}

export class SpaceStage {
  #paths = Object.fromEntries(
    ['grid', 'shadow', 'turn', 'fov', 'ray', 'brk', 'leg', 'ghost', 'hip'].map((name) => [name, svg('path', { class: `sp__${name}` })]),
  );
  #eyes = svg('g');
  #arcs = svg('g');
  #skeleton = new Skeleton();
  #knob = svg('g', { class: 'sp__knob' }, svg('circle', { r: 13 }), svg('path', { d: 'M-6 0h12M-3.5-3-6.500 0l3 3M3.5-3l3 3-3 3' }));
  #svg = svg('svg', { 'aria-hidden': 'true' }, ...Object.values(this.#paths), this.#eyes, this.#skeleton.el, this.#arcs, this.#knob);
  #tags = h('div', { class: 'tags', 'aria-hidden': 'true' });
  #note = h('p', { class: 'stage__n', role: 'status', hidden: true });
  #start = h('span');
  #legend = h(
    'ul',
    { class: 'legend legend--l', label: 'stage.colours' },
    ...['left', 'right'].map((side) => h('li', {}, h('i', { class: `dot ${side}` }), h('span', { t: `side.${side}` }))),
    h('li', { class: 'legend__u' }, h('i', { class: 'sp__g' }), this.#start),
  );
  #from = segments(
    'space.from.title',
    turns.map((name) => [name, name === 'left' || name === 'right' ? `side.${name}` : `space.from.${name}`]),
    'right',
    (name) => this.#to(from[name]),
  );
  #view = h(
    'div',
    {
      class: 'sp__v',
      tabIndex: 0,
      role: 'slider',
      label: 'space.person',
      'aria-valuemin': -180,
      'aria-valuemax': 180,
      'aria-valuenow': -90,
      hidden: true,
    },
    this.#svg,
  );
  #hint = h('span', { class: 'badge badge--turn', hidden: true }, icon('loop'), h('span', { t: 'space.turn' }));
  #turn = from.right[0];
  #rise = from.right[1];
  #zoom = 1;
  #size = [0, 0];
  #running = 0;
  /** @type {import('./scene.js').Scene | null} */
  #scene = null;
  on = true; // whether angles are shown
  ghost = 0; // the frame of the start pose

  /** @param {import('../player/playhead.js').Playhead} playhead @param {import('../numbers/measures.js').Measures} measures */
  constructor(playhead, measures) {
    this.playhead = playhead;
    this.measures = measures;
    this.#from.classList.add('seg--film');
    this.#legend.hidden = this.#from.hidden = true;
    this.el = h('div', { class: 'stage sp__stage' }, this.#view, this.#tags, this.#note, this.#legend, this.#from, this.#hint);
    new ResizeObserver(() => {
      this.#size = [this.el.clientWidth, this.el.clientHeight];
      this.draw();
    }).observe(this.el);
    playhead.addEventListener('frame', () => this.draw());
    measures.addEventListener('results', () => this.draw());
    this.#turning();
  }

  // load shows a scene.
  load(scene) {
    this.#scene = scene;
    for (const el of [this.#view, this.#legend, this.#from, this.#hint]) el.hidden = false;
    this.draw();
  }

  // tell shows words in its place; without a key none.
  /** @param {string} [key] */
  tell(key) {
    this.#note.hidden = !key;
    if (key) say(this.#note, key);
  }

  // began says whose start the pale pose is.
  began(frame, repetition) {
    this.ghost = frame;
    say(this.#start, repetition ? 'space.start' : 'space.first', { n: repetition });
  }

  // to turns to a view [degrees about, above], at once where less motion is asked for.
  /** @param {number[]} view */
  #to([turn, rise]) {
    cancelAnimationFrame(this.#running);
    const [a, b, begun] = [this.#turn, this.#rise, performance.now()];
    const way = wrap(turn - a),
      whole = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200;
    const step = () => {
      const part = whole ? limit((performance.now() - begun) / whole, 0, 1) : 1,
        k = part * (2 - part);
      this.#turn = wrap(a + way * k);
      this.#rise = b + (rise - b) * k;
      this.draw();
      if (part < 1) this.#running = requestAnimationFrame(step);
    };
    step();
  }

  // by turns by some degrees.
  #by(turn, rise) {
    cancelAnimationFrame(this.#running);
    this.#turn = wrap(this.#turn + turn);
    this.#rise = limit(this.#rise + rise, -5, 88);
    this.#from.choose(turns.find((name) => from[name][0] === Math.round(this.#turn) && from[name][1] === Math.round(this.#rise)) ?? '');
    this.draw();
  }

  #turning() {
    const view = this.#view;
    /** @type {number[] | null} */
    let held = null;
    view.addEventListener('pointerdown', (e) => {
      if (e.button > 0) return;
      view.setPointerCapture(e.pointerId);
      held = [e.clientX, e.clientY];
    });
    view.addEventListener('pointermove', (e) => {
      if (!held) return;
      this.#by((held[0] - e.clientX) * 0.4, e.pointerType === 'mouse' ? (e.clientY - held[1]) * 0.3 : 0);
      held = [e.clientX, e.clientY];
    });
    for (const end of ['pointerup', 'pointercancel'])
      view.addEventListener(end, () => {
        held = null;
      });
    view.addEventListener(
      'wheel',
      (e) => {
        e.preventDefault();
        this.#zoom = limit(this.#zoom * Math.exp(-e.deltaY / 400), 0.4, 5);
        this.draw();
      },
      { passive: false },
    );
    view.addEventListener('dblclick', () => {
      this.#zoom = 1;
      this.#from.choose('right');
      this.#to(from.right);
    });
    view.addEventListener('keydown', (e) => {
      const by = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 5], ArrowDown: [0, -5] }[e.key];
      if (!by || e.ctrlKey || e.altKey || e.metaKey) return;
      e.preventDefault();
      e.stopPropagation();
      this.#by(by[0], by[1]);
    });
  }

  // look is the way the scene is seen: the person, and the cameras half as far away as they stand, fill the picture.
  #look(frame) {
    const scene = /** @type {import('./scene.js').Scene} */ (this.#scene),
      [w, hh] = this.#size,
      { height, floor } = scene;
    const place = scene.place(frame),
      turn = scene.facing(frame) + (this.#turn * Math.PI) / 180,
      rise = (this.#rise * Math.PI) / 180;
    const seen = { turn, rise, middle: plus(place, [0, height / 2, 0]), distance: 5 * height },
      near = new Look({ ...seen, scale: 1, at: [0, 0] });
    const eyes = scene.cameras.map((_, i) => this.#eye(i, place));
    const all = [
      ...[
        [-1, 0],
        [1, 0],
        [0, -1],
        [0, 1],
      ].map(([x, z]) => plus(place, [(x * height) / 2, 0, (z * height) / 2])),
      plus(place, [0, height, 0]),
      ...eyes,
      ...eyes.map(([x, , z]) => [x, floor, z]),
    ].map(near.place);
    const [[left, right], [top, foot]] = [0, 1].map((k) => [Math.min(...all.map((p) => p[k])), Math.max(...all.map((p) => p[k]))]);
    const scale =
      this.#zoom * limit(Math.min((0.84 * w) / (right - left), (hh - 90) / (foot - top)), (0.3 * hh) / height, (0.62 * hh) / height);
    const at = [
      limit(w / 2 - (scale * (left + right)) / 2, 0.24 * w, 0.76 * w),
      limit(hh / 2 + 12 - (scale * (top + foot)) / 2, 0.3 * hh, 0.7 * hh),
    ];
    return new Look({ ...seen, scale, at });
  }

  // eye is where a camera is drawn: in its direction, half as far away as it stands, and as high.
  #eye(camera, place) {
    const { eye } = /** @type {import('./scene.js').Scene} */ (this.#scene).cameras[camera];
    return [(eye[0] + place[0]) / 2, eye[1], (eye[2] + place[2]) / 2];
  }

  // draw shows the frame of the playhead.
  draw() {
    const scene = this.#scene,
      [w, hh] = this.#size;
    if (!scene || !w) return;
    const frame = Math.min(this.playhead.frame, scene.frames.length - 1),
      points = scene.frames[frame] ?? {};
    const place = scene.place(frame),
      { floor, height } = scene,
      look = this.#look(frame),
      put = look.place;
    const set = (name, d) => this.#paths[name].setAttribute('d', d);
    const tags = [];
    this.#svg.setAttribute('viewBox', `0 0 ${w} ${hh}`);
    const cell = scene.unit === 'm' ? 0.5 : height / 3.6,
      n = 5,
      corner = [0, 2].map((k) => Math.round(place[k] / cell) * cell);
    const ground = (x, z) => put([x, floor, z]);
    set(
      'grid',
      lines(
        Array.from({ length: 2 * n + 1 }, (_, i) => (i - n) * cell).flatMap((d) => [
          [ground(corner[0] + d, corner[1] - n * cell), ground(corner[0] + d, corner[1] + n * cell)],
          [ground(corner[0] - n * cell, corner[1] + d), ground(corner[0] + n * cell, corner[1] + d)],
        ]),
      ),
    );
    const bones = (body, down = false) =>
      edges
        .filter(([a, b]) => body[a] && body[b])
        .map((pair) => pair.map((part) => put(down ? [body[part][0], floor, body[part][2]] : body[part])));
    set('shadow', lines(bones(points, true)));
    set('ghost', frame === this.ghost ? '' : lines(bones(scene.frames[this.ghost] ?? {})));
    const hips = scene.frames
      .slice(Math.min(this.ghost, frame), frame + 1)
      .map((f) => (f.leftHip && f.rightHip ? put(plus(f.leftHip, f.rightHip).map((v) => v / 2)) : null))
      .filter(Boolean);
    set('hip', hips.length > 1 ? lines([hips]) : '');
    const seen = scene.facing(frame) + (this.#turn * Math.PI) / 180,
      ring = (a) => ground(place[0] + 0.42 * height * Math.sin(seen + a), place[2] + 0.42 * height * Math.cos(seen + a));
    set('turn', lines([Array.from({ length: 21 }, (_, i) => ring((i - 10) * 0.12))]));
    this.#knob.setAttribute(
      'transform',
      `translate(${ring(0)
        .map((v) => v.toFixed(1))
        .join(' ')})`,
    );
    this.#camera(scene, frame, place, put, set, tags);
    this.#skeleton.show(points, null, put);
    this.#angles(frame, points, put, tags);
    const left = this.#turn > 0;
    this.#view.setAttribute('aria-valuenow', String(Math.round(this.#turn)));
    this.#view.setAttribute(
      'aria-valuetext',
      t(Math.abs(this.#turn) < 2 ? 'space.seenFront' : left ? 'space.seenLeft' : 'space.seenRight', {
        degrees: Math.abs(Math.round(this.#turn)),
        rise: Math.round(this.#rise),
      }),
    );
    this.#tell(tags);
  }

  // camera draws the cameras with the way to the person, which has a break: it is shortened.
  #camera(scene, frame, place, put, set, tags) {
    const height = this.#size[1],
      all = /** @type {{[name: string]: number[][][]}} */ ({ fov: [], ray: [], brk: [], leg: [] });
    const marks = scene.cameras.map((_, i) => {
      const at = this.#eye(i, place),
        eye = put(at),
        foot = put([at[0], scene.floor, at[2]]),
        home = put(place),
        k = height / 474;
      all.fov.push([eye, put([place[0], scene.floor + scene.height, place[2]]), home]);
      all.ray.push([home, foot]);
      const middle = [0, 1].map((j) => home[j] + 0.62 * (foot[j] - home[j])),
        along = unit(less(foot, home)),
        cross = [-along[1], along[0]];
      for (const d of [-4, 4]) all.brk.push([plus(plus(middle, along, d), cross, 5), plus(plus(middle, along, d), cross, -5)]);
      all.leg.push([foot, eye], [plus(foot, [-8 * k, 4]), plus(foot, [0, -16 * k]), plus(foot, [8 * k, 4])]);
      const metres = scene.unit === 'm' ? ` · ${amount(scene.away(i, frame), 'm')}` : '';
      tags.push({ spot: [eye[0], eye[1] - 32], text: letters[i] + metres, side: 'plain' });
      return svg(
        'g',
        { transform: `translate(${eye[0].toFixed(1)} ${eye[1].toFixed(1)})` },
        svg('rect', { class: 'sp__cam', x: -9, y: -14, width: 18, height: 28, rx: 4 }),
        svg('circle', { class: 'sp__lens', cx: -2.5, cy: -7, r: 3 }),
      );
    });
    for (const [name, list] of Object.entries(all)) set(name, lines(list));
    this.#eyes.replaceChildren(...marks);
  }

  // angles draws those that are chosen, in the plane of the joint.
  #angles(frame, points, put, tags) {
    const arcs = [],
      radius = 0.1 * /** @type {import('./scene.js').Scene} */ (this.#scene).height;
    for (const name of this.on ? this.measures.chosen : []) {
      for (const m of this.measures.results(name)) {
        const value = m.values[frame],
          [a, b, c] = corners(name, m.side, points);
        if (typeof value !== 'number' || !b) continue;
        const at = put(b),
          side = m.side ?? 'trunk';
        let out = [1, 0];
        if (a && c) {
          const first = unit(less(a, b)),
            u = straight.includes(name) ? first.map((v) => -v) : first,
            v = unit(less(c, b)),
            curve = name in angles ? bend(u, v) : null;
          if (curve && Math.abs(value) > 3 && name !== 'ankle') {
            const round = curve.map((d) => put(plus(b, d, radius)));
            arcs.push(
              svg(
                'g',
                { class: `arc ${side}` },
                svg('path', { class: 'wedge', d: `M${write([at, ...round])}Z` }),
                svg('path', { class: 'ext', d: lines([[at, put(plus(b, u, 1.8 * radius))]]) }),
                svg('path', { class: 'curve', d: lines([round]) }),
              ),
            );
          }
          const away = plus(unit(less(put(a), at)), unit(less(put(c), at)));
          out = Math.hypot(...away) > 0.4 ? unit(away.map((v) => -v)) : [side === 'right' ? -1 : 1, 0];
        }
        tags.push({ spot: plus(at, out, 46), text: brief(value, m.unit), side });
      }
    }
    this.#arcs.replaceChildren(...arcs);
  }

  #tell(tags) {
    apart(tags);
    while (this.#tags.children.length > tags.length) this.#tags.lastChild?.remove();
    tags.forEach(({ spot, text, side }, n) => {
      const el = this.#tags.children[n] ?? this.#tags.appendChild(h('span'));
      el.className = `tag ${side}`;
      el.textContent = text;
      el.style.translate = `${limit(spot[0], 44, this.#size[0] - 44)}px ${limit(spot[1], 18, this.#size[1] - 18)}px`;
    });
  }
}
