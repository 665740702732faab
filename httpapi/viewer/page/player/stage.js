// @ts-check
// The stage: the picture of the frame that the playhead shows, the skeleton above it, and whatever tools
// draw there. It can be zoomed and moved, or follows the person.
import { h } from '../base/dom.js';
import { icon, svg } from '../base/icons.js';
import { say, t } from '../base/i18n.js';
import { Skeleton, seen } from './skeleton.js';

const mostZoom = 8;

// legend says which side of the person has which colour, and whether parts are not drawn because they are hidden.
export const legend = (hidden = false) =>
  h(
    'ul',
    { class: 'legend', label: 'stage.colours' },
    h('li', {}, h('i', { class: 'dot left' }), h('span', { t: 'side.left' })),
    h('li', {}, h('i', { class: 'dot right' }), h('span', { t: 'side.right' })),
    h('li', { class: 'legend__u' }, h('i', { class: 'dash' }), h('span', { t: 'stage.unsure' })),
    hidden ? h('li', { class: 'legend__u' }, icon('hidden'), h('span', { t: 'stage.hidden' })) : null,
  );

// boxes are the boxes around the person by frame, without gaps and without sudden moves, and the zoom that
// shows the largest; null where there is no person.
function boxes(frames, width, height) {
  const found = frames
    .map((f) => Object.values(f ?? {}))
    .map(
      (ps) =>
        ps.length > 4 && [
          Math.min(...ps.map((p) => p[0])),
          Math.min(...ps.map((p) => p[1])),
          Math.max(...ps.map((p) => p[0])),
          Math.max(...ps.map((p) => p[1])),
        ],
    );
  if (!found.some(Boolean)) return null;
  let last = found.find(Boolean);
  const whole = found.map((b) => (last = b || last));
  const reach = Math.round(whole.length / 24) + 4;
  const centres = whole.map((_, i) => {
    const near = whole.slice(Math.max(0, i - reach), i + reach + 1);
    return [0, 1].map((k) => near.reduce((s, b) => s + (b[k] + b[k + 2]) / 2, 0) / near.length);
  });
  const tallest = Math.max(...whole.map((b, i) => Math.max(Math.abs(b[1] - centres[i][1]), Math.abs(b[3] - centres[i][1]))));
  const widest = Math.max(...whole.map((b, i) => Math.max(Math.abs(b[0] - centres[i][0]), Math.abs(b[2] - centres[i][0]))));
  const edges = [Math.min(...whole.map((b) => b[0])), Math.max(...whole.map((b) => b[2]))];
  return { centres, edges, half: widest, size: [Math.min(width, 2.5 * widest), Math.min(height, 2.5 * tallest)] };
}

export class Stage extends EventTarget {
  #svg = svg('svg', { class: 'over', 'aria-hidden': 'true' });
  #above = svg('g');
  #skeleton = new Skeleton();
  #tags = h('div', { class: 'tags', 'aria-hidden': 'true' }); // the table has the same values
  #note = h('p', { class: 'stage__n', role: 'status', hidden: true });
  #badge = h('button', { type: 'button', class: 'badge', on: { click: () => this.follow() } }, icon('zoom'), h('span'));
  #picture = h('div', { class: 'stage__p', role: 'img' });
  #backdrop = h('img', { class: 'stage__bg', alt: '', hidden: true });
  inset = 0; // pixels at the left that tools cover: nobody stands there, unless the user moves the picture

  /** @type {{centres: number[][], edges: number[], half: number, size: number[]} | null} */
  #person = null;
  #view = { zoom: 1, centre: [0, 0] };
  #grip = new Map(); // pointers that hold the picture, by their ids
  /** @type {Frame[]} */
  frames = [];
  /** @type {{[part: string]: number}[] | null | undefined} */
  scores = null;
  /** @type {string[][] | null | undefined} */
  hidden = null; // the parts that are hidden, by frame
  size = [16, 9];
  width = 0; // of the stage, in pixels
  height = 0;
  /** @type {HTMLVideoElement | HTMLImageElement | null} */
  media = null;
  following = true;
  skeletonOn = true;
  /** @type {Tool | null} */
  tool = null; // takes the pointer

  /** @param {import('./playhead.js').Playhead} playhead */
  constructor(playhead) {
    super();
    this.playhead = playhead;
    this.#svg.append(this.#skeleton.el, this.#above);
    this.el = h('div', { class: 'stage stage--wide' }, this.#backdrop, this.#picture, this.#svg, this.#tags, this.#note, this.#badge);
    new ResizeObserver(() => {
      // Read here alone: to ask for it in each frame would lay the page out each time.
      [this.width, this.height] = [this.el.clientWidth, this.el.clientHeight];
      this.draw();
    }).observe(this.el);
    this.#moving();
    playhead.addEventListener('frame', () => this.draw());
  }

  // above is the SVG group that tools draw into, in pixels of the stage.
  get above() {
    return this.#above;
  }

  // load shows media (a video or img element, or null) of a size in pixels, and the keypoints. With follow, the person
  // is kept in the middle.
  /** @param {{media: HTMLVideoElement | HTMLImageElement | null, size: Place, frames: Frame[],
   *   scores?: {[part: string]: number}[] | null, hidden?: string[][] | null, follow?: boolean}} shown */
  load({ media, size, frames, scores, hidden, follow = true }) {
    this.size = size;
    this.points(frames, scores, hidden);
    if (media !== this.media) {
      this.media = media;
      this.#picture.replaceChildren(...(media ? [media] : []));
    }
    this.#view = { zoom: 1, centre: [size[0] / 2, size[1] / 2] };
    this.following = follow;
    this.draw();
  }

  // points shows other keypoints of the same picture.
  /** @param {Frame[]} frames @param {{[part: string]: number}[] | null} [scores] @param {string[][] | null} [hidden] */
  points(frames, scores, hidden) {
    Object.assign(this, { frames, scores, hidden });
    this.#person = boxes(frames, ...this.size);
    this.draw();
  }

  // backdrop fills the sides of an upright picture.
  backdrop(url) {
    this.#backdrop.src = url;
    this.#backdrop.hidden = false;
  }

  // tell shows words in the picture; without a key it shows none.
  /** @param {string} [key] @param {{[name: string]: any}} [args] */
  tell(key, args) {
    this.#note.hidden = !key;
    if (key) say(this.#note, key, args);
  }

  // follow keeps the person in the middle; stop shows the whole picture.
  follow() {
    this.following = !this.following;
    this.#view = { zoom: 1, centre: this.size.map((v) => v / 2) };
    this.#moved();
  }

  // view is what is shown: the place of the picture in the middle, and its scale. To set it is no event "view", which tells
  // that somebody has zoomed or moved the picture.
  get view() {
    return { following: this.following, centre: this.pick([this.width / 2, this.height / 2]), k: this.#transform().k };
  }

  set view({ following, centre, k }) {
    this.following = following;
    this.#view = { centre, zoom: following ? 1 : Math.min(mostZoom, Math.max(1, k / this.#transform().fit)) };
    this.draw();
  }

  #moved() {
    this.draw();
    this.dispatchEvent(new Event('view'));
  }

  // zoom changes the scale around a place on the stage.
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const at = this.pick([x, y]);
    const { k, fit } = this.#transform();
    this.following = false;
    const zoom = Math.min(mostZoom, Math.max(1, (k / fit) * factor));
    this.#view = { zoom, centre: [at[0] + (this.width / 2 - x) / (fit * zoom), at[1] + (this.height / 2 - y) / (fit * zoom)] };
    this.#moved();
  }

  // transform is the scale k from the picture to the stage, and where the picture's corner lies.
  #transform() {
    const W = this.width || 1,
      H = this.height || 1,
      [w, hh] = this.size;
    const fit = Math.min(W / w, H / hh);
    let k = fit * this.#view.zoom,
      [cx, cy] = this.#view.centre;
    if (this.following && this.#person) {
      const close = Math.min(3, W / (fit * this.#person.size[0]), H / (fit * this.#person.size[1]));
      if (close > 1.08) {
        k = fit * close;
        [cx, cy] = this.#person.centres[Math.min(this.playhead.frame, this.#person.centres.length - 1)];
      }
    }
    const person = this.inset && (k > fit ? this.following : true) ? this.#person : null;
    const [left, right] = !person ? [0, 1] : k > fit ? [cx - person.half, cx + person.half] : person.edges;
    if (person) k = Math.min(k, (W - this.inset) / Math.max(1, right - left));
    const put = (c, all, length) => (k * length <= all ? (all - k * length) / 2 : Math.min(0, Math.max(all - k * length, all / 2 - c * k)));
    const x = put(cx, W, w);
    return { k, fit, x: person ? Math.max(x, this.inset - left * k) : x, y: put(cy, H, hh) };
  }

  // place is where a point of the picture lies on the stage; pick is the other way.
  /** @type {(at: Place) => Place} */
  place = ([x, y]) => {
    const m = this.#map ?? this.#transform();
    return [m.x + x * m.k, m.y + y * m.k];
  };

  /** @type {(at: Place) => Place} */
  pick = ([x, y]) => {
    const m = this.#map ?? this.#transform();
    return [(x - m.x) / m.k, (y - m.y) / m.k];
  };

  // near is the part nearest to a place on the stage, or null where none is as near as so many pixels.
  /** @param {Place} at @param {number} reach @returns {string | null} */
  near([x, y], reach) {
    /** @type {string | null} */
    let best = null;
    for (const [part, p] of Object.entries(this.frames[this.playhead.frame] ?? {})) {
      const q = this.place(p),
        d = Math.hypot(q[0] - x, q[1] - y);
      if (d < reach) [best, reach] = [part, d];
    }
    return best;
  }

  /** @type {{k: number, fit: number, x: number, y: number} | null} */
  #map = null;

  // body are the points of a frame that are not hidden, but for a tool, which needs all.
  /** @param {number} i @returns {Frame | null | undefined} */
  body(i) {
    return this.tool ? this.frames[i] : seen(this.frames[i], this.hidden?.[i]);
  }

  #state = ''; // what the badge says

  // draw shows the frame of the playhead.
  draw() {
    if (!this.width) return;
    const m = (this.#map = this.#transform()),
      i = this.playhead.frame;
    this.#picture.style.width = `${this.size[0] * m.k}px`;
    this.#picture.style.height = `${this.size[1] * m.k}px`;
    this.#picture.style.transform = `translate(${m.x}px, ${m.y}px)`;
    const found = this.frames[i];
    this.#skeleton.show(this.skeletonOn ? this.body(i) : null, this.scores?.[i], this.place);
    this.#picture.setAttribute(
      'aria-label',
      t('stage.picture', { seconds: (this.playhead.time ?? 0).toFixed(2), parts: Object.keys(found ?? {}).length }),
    );
    const near = Math.round((100 * m.k) / m.fit);
    this.#badge.hidden = near <= 100 && !this.#person;
    const state = `${this.following && near > 100 ? 'stage.follows' : near > 100 ? 'stage.zoomed' : 'stage.whole'} ${near}`;
    if (state !== this.#state) say(this.#badge.children[1], state.split(' ')[0], { percent: near });
    this.#state = state;
    this.dispatchEvent(new Event('draw'));
  }

  // tag puts a text beside a point of the picture. The tags of a drawing replace those before.
  tags(list) {
    while (this.#tags.children.length > list.length) this.#tags.lastChild?.remove();
    list.forEach(({ at, text, side }, n) => {
      const el = this.#tags.children[n] ?? this.#tags.appendChild(h('span'));
      const [x, y] = this.place(at);
      el.className = `tag ${side}`;
      el.textContent = text;
      el.style.translate = `${x}px ${y}px`; // which moves nothing else, and lays nothing out
    });
  }

  // moving zooms with the wheel and two fingers, and moves with one, unless a tool has the pointer.
  #moving() {
    /** @type {(e: MouseEvent) => Place} */
    const at = (e) => {
      const box = this.el.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    };
    this.el.addEventListener(
      'wheel',
      (e) => {
        if (e.target?.closest('button')) return;
        e.preventDefault();
        this.zoom(Math.exp(-e.deltaY / 400), ...at(e));
      },
      { passive: false },
    );
    this.el.addEventListener('dblclick', (e) => {
      if (!this.tool && !e.target?.closest('button')) this.follow();
    });
    this.el.addEventListener('pointerdown', (e) => {
      if (e.target?.closest('button, input, .tools') || e.button > 0) return;
      this.el.setPointerCapture(e.pointerId);
      this.#grip.set(e.pointerId, at(e));
      if (this.#grip.size === 1) this.tool?.down?.(this.pick(at(e)), e);
    });
    this.el.addEventListener('pointermove', (e) => {
      const before = this.#grip.get(e.pointerId),
        now = at(e);
      if (!before) {
        this.tool?.hover?.(this.pick(now), e);
        return;
      }
      if (this.#grip.size === 2) {
        const [other] = [...this.#grip].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
        this.zoom(Math.hypot(now[0] - other[0], now[1] - other[1]) / (Math.hypot(before[0] - other[0], before[1] - other[1]) || 1), ...now);
      } else if (this.tool?.move) {
        this.tool.move(this.pick(now), e);
      } else if (Math.hypot(now[0] - before[0], now[1] - before[1]) > 2) {
        const m = this.#transform();
        const centre = this.pick([this.width / 2, this.height / 2]);
        this.following = false;
        this.#view = { zoom: m.k / m.fit, centre: [centre[0] - (now[0] - before[0]) / m.k, centre[1] - (now[1] - before[1]) / m.k] };
        this.#moved();
      } else return;
      this.#grip.set(e.pointerId, now);
    });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      this.el.addEventListener(end, (e) => {
        if (this.#grip.delete(e.pointerId) && this.#grip.size === 0) this.tool?.up?.(this.pick(at(e)), e);
      });
    }
  }
}
