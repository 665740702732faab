// A stage shows one frame of a recording: the picture, where the page holds the file, and
// the skeleton above it.
import { h } from './dom.js';
import { say, label } from './i18n.js';
import { fileOf } from './files.js';
import { paint, sides } from './skeleton.js';

// frameAt returns the frame that is shown at a time: the last that began before it. Times
// are of two clocks with different rounding, hence the tolerance.
export function frameAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (times[mid] <= t + 0.004) low = mid; else high = mid - 1;
  }
  return low;
}

export class Stage {
  #canvas = h('canvas', { role: 'img' });
  #box = h('div', { class: 'picture' });
  #note = h('p', { class: 'note', role: 'status' });
  #url = '';
  #watch = new ResizeObserver(() => this.draw());
  #wanted = -1;
  #sought = false;
  offset = 0; // seconds that the movie's own clock is ahead: some do not begin at 0
  frame = 0;
  recording = null;
  media = null; // the img or video element, or null
  video = null; // the video element, or null
  skeleton = true;
  picture = true;
  colours = () => sides; // by frame

  constructor() {
    this.el = h('div', { class: 'stage' }, this.#box, this.#note);
    this.#watch.observe(this.#box);
  }

  // load shows another recording. ready is called when its picture can be seen or is known
  // to be missing.
  load(recording, ready = () => {}) {
    this.clear();
    this.recording = recording;
    const { width, height } = recording.media;
    this.#box.style.aspectRatio = `${width} / ${height}`;
    this.#box.style.setProperty('--shape', width / height);
    const file = fileOf(recording.media);
    if (file) {
      this.#url = URL.createObjectURL(file);
      this.media = recording.movie
        ? h('video', { muted: true, playsInline: true, preload: 'auto', tabIndex: -1, 'aria-hidden': 'true' })
        : h('img', { alt: '' });
      this.video = recording.movie ? this.media : null;
      this.media.addEventListener(recording.movie ? 'loadeddata' : 'load', () => {
        if (this.frame > 0) this.show(this.frame);
        else this.#wanted = -1; // the first frame is there
        ready();
      }, { once: true });
      this.#meter();
      this.media.addEventListener('error', () => this.#lost('player.unplayable', ready), { once: true });
      this.video?.addEventListener('seeked', () => this.#seek());
      this.media.src = this.#url;
      this.#box.append(this.media);
    } else {
      say(this.#note, 'player.noFile');
      ready();
    }
    this.#box.append(this.#canvas);
    this.show(0);
  }

  // meter finds the offset by the first frame that is shown.
  #meter() {
    const { video, recording } = this;
    if (!video || !('requestVideoFrameCallback' in video)) return;
    video.requestVideoFrameCallback((_, { mediaTime }) => {
      if (video === this.video && video.paused && !this.#sought) this.offset = mediaTime - recording.times[0];
    });
  }

  // clear lets go of the recording and its file.
  clear() {
    this.video?.pause();
    if (this.media) this.media.removeAttribute('src');
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = '';
    this.media = this.video = this.recording = null;
    this.#wanted = -1;
    this.#sought = false;
    this.offset = this.frame = 0;
    this.#box.replaceChildren();
    this.#note.replaceChildren();
    delete this.#note.dataset.t;
  }

  #lost(key, ready) {
    if (!this.media) return;
    this.media.remove();
    this.media = this.video = null;
    say(this.#note, key);
    this.draw();
    ready();
  }

  // show goes to a frame: the skeleton at once, the picture when it is decoded.
  show(frame) {
    this.mark(frame);
    if (!this.video) return;
    this.#wanted = frame;
    this.#seek();
  }

  // seek goes to the frame that is wanted last, into the middle of the time it is shown.
  #seek() {
    if (this.#wanted < 0 || this.video.seeking || this.video.readyState < 1) return;
    const { times } = this.recording;
    const i = this.#wanted;
    const length = i + 1 < times.length ? times[i + 1] - times[i] : 0.02;
    this.#wanted = -1;
    this.#sought = true;
    this.video.currentTime = times[i] + length / 2 + this.offset;
  }

  // mark draws the skeleton of a frame whose picture is already shown.
  mark(frame) {
    this.frame = frame;
    this.draw();
  }

  // draw paints the skeleton of the frame.
  draw() {
    const canvas = this.#canvas, { recording } = this;
    if (!recording || !this.#box.clientWidth) return;
    const ratio = Math.min(2, devicePixelRatio);
    const width = Math.round(this.#box.clientWidth * ratio), height = Math.round(this.#box.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const ctx = canvas.getContext('2d');
    ctx.clearRect(0, 0, width, height);
    if (this.media) this.media.classList.toggle('unseen', !this.picture);
    const points = recording.frames[this.frame] ?? {};
    if (this.skeleton) paint(ctx, points, recording.scores?.[this.frame], width / recording.media.width, this.colours(this.frame));
    label(canvas, 'player.canvas', { frame: this.frame + 1, frames: recording.frames.length, parts: Object.keys(points).length });
  }
}
