// @ts-check
// The playhead: which frame of a recording is shown. Everything that follows the frame listens to
// its event "frame"; "state" says that it plays or has stopped, or that the speed or the loop is another one.

// frameAt returns the frame that is shown at a time: the last that began before it. Times
// are of two clocks with different rounding, hence the tolerance.
/** @param {number[]} times @param {number} t */
export function frameAt(times, t) {
  let low = 0,
    high = times.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (times[mid] <= t + 0.004) low = mid;
    else high = mid - 1;
  }
  return low;
}

export class Playhead extends EventTarget {
  /** @type {HTMLVideoElement | null} */
  #video = null;
  #offset = 0; // seconds that the movie's own clock is ahead: some do not begin at 0
  #sought = false;
  #wanted = -1;
  #begun = 0; // of a clock without a movie: when time 0 would have been
  #ticking = 0;
  frame = 0;
  playing = false;
  speed = 1;
  /** @type {[number, number] | null} */
  loop = null; // [first, last] frame
  /** @type {number[]} */
  film; // seconds of the frames in the movie file; those of times where the capture rate is another one

  // times are the seconds of the frames; an image has one.
  /** @param {number[]} times @param {number[]} film */
  constructor(times, film = times) {
    super();
    this.times = times;
    this.film = film;
  }

  // retime gives the frames other times.
  retime(times, film = times) {
    Object.assign(this, { times, film });
    this.frame = this.playing && this.#video ? frameAt(film, this.#video.currentTime - this.#offset) : Math.min(this.frame, this.last);
    this.#begin();
  }

  get last() {
    return this.times.length - 1;
  }

  get time() {
    return this.times[this.frame];
  }

  // attach lets a video element show the frames.
  /** @param {HTMLVideoElement} video */
  attach(video) {
    this.#video = video;
    video.playbackRate = this.speed;
    const measured = Boolean(video.requestVideoFrameCallback);
    const at = (time) => {
      if (video !== this.#video) return;
      if (!video.played.length && !this.#sought) this.#offset = time - this.film[0];
      if (!this.playing) return;
      const frame = frameAt(this.film, time - this.#offset);
      if (!this.#around(frame)) this.#show(frame);
    };
    if (measured) {
      const next = (_, { mediaTime }) => {
        at(mediaTime <= video.duration ? mediaTime : video.currentTime); // Firefox counts on where a movie begins again
        if (video === this.#video) video.requestVideoFrameCallback(next);
      };
      video.requestVideoFrameCallback(next);
    } else {
      video.addEventListener('timeupdate', () => at(video.currentTime));
    }
    video.addEventListener('seeked', () => this.#seek());
    // A frame that was wanted before there were any; the first one has told by then where the movie's clock begins.
    if (video.readyState < 2) video.addEventListener('loadeddata', () => setTimeout(() => this.#seek(), 50), { once: true });
    video.addEventListener('ended', () => {
      if (video !== this.#video || !this.playing || this.#around(this.last + 1)) return;
      this.pause();
      this.#show(this.last);
    });
    if (this.frame > 0) this.seek(this.frame);
  }

  // detach goes on without the video element.
  detach() {
    this.pause();
    this.#video = null;
  }

  // around goes back to the beginning of the loop at its end.
  #around(frame) {
    if (!this.loop || frame <= this.loop[1]) return false;
    const { playing } = this;
    this.seek(this.loop[0]);
    if (playing && this.#video?.ended) this.#video.play();
    return true;
  }

  #show(frame) {
    if (frame === this.frame) return;
    this.frame = frame;
    this.dispatchEvent(new CustomEvent('frame', { detail: frame }));
  }

  #state() {
    this.dispatchEvent(new Event('state'));
  }

  // seek goes to the middle of the time in which the frame is shown, so that rounding does not matter.
  #seek() {
    const video = this.#video;
    if (!video || this.#wanted < 0 || video.seeking || video.readyState < 2) return;
    const i = this.#wanted;
    const length = i < this.last ? this.film[i + 1] - this.film[i] : 0.02;
    this.#wanted = -1;
    this.#sought = true;
    video.currentTime = this.film[i] + length / 2 + this.#offset;
  }

  // seek shows a frame.
  seek(frame) {
    const to = Math.min(this.last, Math.max(0, frame));
    this.#wanted = to;
    this.#seek();
    this.#begin(to);
    this.#show(to);
  }

  // at shows the frame of a time.
  at(time) {
    this.seek(frameAt(this.times, time));
  }

  // step stops and goes some frames on.
  step(by) {
    this.pause();
    this.seek(this.frame + by);
  }

  #begin(frame = this.frame) {
    this.#begun = performance.now() - (1000 * this.film[frame]) / this.speed;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  // play plays on, from the beginning where it is at the end.
  play() {
    if (this.playing || (this.last < 1 && !this.#video)) return;
    if (this.loop && (this.frame < this.loop[0] || this.frame >= this.loop[1])) this.seek(this.loop[0]);
    else if (this.last > 0 && this.frame === this.last) this.seek(0);
    this.playing = true;
    this.#state();
    if (this.#video) {
      this.#video.play().catch(() => this.pause());
      return;
    }
    this.#begin();
    const tick = (now) => {
      if (!this.playing) return;
      const time = ((now - this.#begun) / 1000) * this.speed;
      const frame = time > this.film[this.last] + 0.02 ? this.last + 1 : frameAt(this.film, time);
      if (!this.#around(frame)) {
        this.#show(Math.min(frame, this.last));
        if (frame > this.last) this.pause();
      }
      this.#ticking = requestAnimationFrame(tick);
    };
    this.#ticking = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.#ticking);
    this.#video?.pause();
    if (!this.playing) return;
    this.playing = false;
    this.#state();
  }

  // pace sets the speed.
  pace(speed) {
    this.speed = speed;
    if (this.#video) this.#video.playbackRate = speed;
    this.#begin();
    this.#state();
  }

  // around loops over frames; without them it stops looping.
  repeat(span) {
    this.loop = span;
    if (span && (this.frame < span[0] || this.frame > span[1])) this.seek(span[0]);
    this.#state();
  }
}
