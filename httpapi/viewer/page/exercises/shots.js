// @ts-check
// Pictures of moments of a recording, cut out around the person, with the skeleton. One hidden movie is sought through.
import { h } from '../base/dom.js';
import { svg } from '../base/icons.js';
import { Skeleton, seen } from '../player/skeleton.js';

const side = 244; // pixels of a picture

// bounds are the middle and the size of a person.
/** @param {Frame | null | undefined} frame */
function bounds(frame) {
  const at = Object.values(frame ?? {});
  if (!at.length) return null;
  const [x, y] = [0, 1].map((k) => at.map((p) => p[k])),
    low = [Math.min(...x), Math.min(...y)],
    high = [Math.max(...x), Math.max(...y)];
  return { middle: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], size: Math.max(high[0] - low[0], high[1] - low[1]) };
}

export class Shots {
  #app;
  #signal;
  /** @type {any} */
  #record;
  /** @type {HTMLVideoElement | null} */
  #movie = null;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve(); // of the seeks, one after the other

  /** @param {any} app @param {AbortSignal} signal */
  constructor(app, signal) {
    this.#app = app;
    this.#signal = signal;
  }

  // open reads a recording of one of its people, and returns it with its media.
  /** @param {number} id @param {number} person */
  async open(id, person) {
    const { api, library } = this.#app;
    const record = library.moving(
      await api.get(`keypoints/${id}/?include=scores,timestamps,hidden${person ? `&person=${person}` : ''}`, this.#signal),
    );
    const media = await library.media(record),
      url = record.movie > 0 ? await library.source(record, media) : null;
    const slow = record.capture?.frameRate && media.fps ? record.capture.frameRate / media.fps : 1;
    this.#record = { ...record, media, slow };
    if (url) {
      this.#movie = h('video', { src: url, muted: true, playsInline: true, preload: 'auto' });
      if (url.startsWith('blob:')) this.#signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true });
    }
    return this.#record;
  }

  // show returns the pictures of frames, all at one scale. The movie appears in them as it is sought.
  /** @param {number[]} frames */
  show(frames) {
    if (!frames.length) return [];
    const { media, keypoint = [] } = this.#record;
    const found = frames.map((i) => bounds(keypoint[i]));
    const wide = Math.min(1.35 * Math.max(1, ...found.map((b) => b?.size ?? 0)), Math.max(media.width ?? 1e9, media.height ?? 1e9));
    return frames.map((i, k) => this.#shot(i, found[k]?.middle ?? [(media.width ?? 0) / 2, (media.height ?? 0) / 2], wide));
  }

  /** @param {number} frame @param {number[]} middle @param {number} wide */
  #shot(frame, [x, y], wide) {
    const { media, keypoint = [], scores, hidden } = this.#record,
      scale = side / wide;
    const within = (v, whole) => (whole > wide ? Math.min(Math.max(v - wide / 2, 0), whole - wide) : (whole - wide) / 2);
    const [left, top] = [within(x, media.width ?? 0), within(y, media.height ?? 0)];
    const skeleton = new Skeleton();
    skeleton.show(seen(keypoint[frame], hidden?.[frame]), scores?.[frame], ([px, py]) => [(px - left) * scale, (py - top) * scale]);
    const canvas = h('canvas', { width: side, height: side });
    this.#last = this.#last.then(() => this.#draw(canvas, frame, left, top, scale)).catch(() => {});
    return h('span', { class: 'ex__p' }, canvas, svg('svg', { viewBox: `0 0 ${side} ${side}`, 'aria-hidden': 'true' }, skeleton.el));
  }

  async #draw(canvas, frame, left, top, scale) {
    const movie = this.#movie,
      { timestamps = [], slow, media, mirrored } = this.#record;
    if (!movie || this.#signal.aborted) return;
    if (movie.readyState < 1)
      await new Promise((done, fail) => {
        movie.onloadedmetadata = done;
        movie.onerror = fail;
      });
    await new Promise((done, fail) => {
      movie.onseeked = done;
      movie.onerror = fail;
      movie.currentTime = timestamps[frame] * slow + 0.002; // which the frame that begins there shows
    });
    const pen = canvas.getContext('2d');
    if (mirrored) {
      pen.translate(side, 0);
      pen.scale(-1, 1);
      left = media.width - left - side / scale;
    }
    canvas.classList.add('on');
    pen.drawImage(movie, -left * scale, -top * scale, media.width * scale, media.height * scale);
  }
}
