// The player: a stage with controls. It sends the event "frame" for each frame it shows.
import { h, button, field, select } from './dom.js';
import { say } from './i18n.js';
import { Stage, frameAt } from './stage.js';
import { attach, fileOf } from './files.js';

// legend says which side of the person has which colour.
const legend = () => h('p', { class: 'sides' }, h('span', { class: 'left', t: 'player.left' }), h('span', { class: 'right', t: 'player.right' }));

export class Player extends EventTarget {
  stage = new Stage();
  #play = button('player.play', () => this.toggle(), { class: 'main' });
  #slider = h('input', { type: 'range', min: 0, step: 1, label: 'player.position', on: { input: () => this.seek(Number(this.#slider.value)) } });
  #clock = h('output', { class: 'clock' });
  #speed = select('player.speed', ['0.25', '0.5', '1', '2'], 'speed.', { value: '1', on: { change: () => this.#pace() } });
  #transport;
  below = h('div', {}); // what stands under the slider
  #attach;
  #keys = h('p', { class: 'note wide-only', t: 'player.keys' });
  #begun = 0; // of a clock without a movie: when frame 0 would have been shown
  #ticking = 0;
  playing = false;

  constructor() {
    super();
    const toggle = (name) => h('input', { type: 'checkbox', checked: true, on: { change: (e) => { this.stage[name] = e.target.checked; this.stage.draw(); } } });
    const input = h('input', { type: 'file', id: 'own-file', class: 'hidden-file', on: { change: () => this.#own(input) } });
    this.#attach = h('p', { hidden: true }, input, h('label', { for: 'own-file', class: 'button', t: 'player.attach' }));
    this.#transport = h('div', { class: 'transport' },
      this.#play,
      button('player.back', () => this.step(-1), { label: 'player.backOf' }),
      button('player.on', () => this.step(1), { label: 'player.onOf' }),
      this.#slider, this.#clock);
    const looks = h('div', { class: 'looks' }, field('player.skeleton', toggle('skeleton')), field('player.picture', toggle('picture')), this.#speed, legend());
    this.el = h('div', { class: 'player', tabIndex: 0, role: 'group', label: 'player.title', on: { keydown: (e) => this.#key(e) } },
      this.stage.el, this.#attach, this.#transport, this.below, looks, this.#keys);
  }

  get frame() { return this.stage.frame; }

  get frames() { return this.stage.recording?.frames.length ?? 0; }

  // load shows a recording from its first frame.
  load(recording) {
    this.pause();
    this.#attach.hidden = fileOf(recording.media) !== undefined;
    this.#transport.hidden = this.#keys.hidden = this.#speed.hidden = !recording.times;
    this.#slider.max = recording.frames.length - 1;
    this.stage.load(recording, () => this.#watch());
    this.#tell();
  }

  // own takes the user's own file of the recording.
  async #own(input) {
    const { recording } = this.stage;
    const fits = await attach(recording.media, input.files[0]).catch(() => false);
    if (recording !== this.stage.recording) return;
    input.value = '';
    if (fits) this.load(recording);
    else this.dispatchEvent(new CustomEvent('problem', { detail: 'player.otherFile' }));
  }

  // watch follows the frames that the movie shows.
  #watch() {
    const { video, recording } = this.stage;
    if (!video) return;
    this.#pace();
    const at = (time) => {
      if (video !== this.stage.video || !this.playing) return;
      const frame = frameAt(recording.times, time - this.stage.offset);
      if (frame !== this.frame) this.#at(frame);
    };
    if ('requestVideoFrameCallback' in video) {
      const next = (_, { mediaTime }) => {
        at(mediaTime);
        if (video === this.stage.video) video.requestVideoFrameCallback(next);
      };
      video.requestVideoFrameCallback(next);
    } else {
      video.addEventListener('timeupdate', () => at(video.currentTime));
    }
    video.addEventListener('ended', () => { this.pause(); this.#at(this.frames - 1); });
  }

  #at(frame) {
    this.stage.mark(frame);
    this.#tell();
  }

  #tell() {
    const { frame, stage: { recording } } = this;
    const seconds = (recording.times?.[frame] ?? 0).toFixed(2);
    this.#slider.value = frame;
    say(this.#clock, 'player.clock', { frame: frame + 1, frames: this.frames, seconds });
    this.#slider.setAttribute('aria-valuetext', this.#clock.textContent);
    this.dispatchEvent(new CustomEvent('frame', { detail: frame }));
  }

  #pace() {
    if (this.stage.video) this.stage.video.playbackRate = Number(this.#speed.value);
    this.#begin();
  }

  #begin() {
    if (this.playing) this.#begun = performance.now() - 1000 * this.stage.recording.times[this.frame] / Number(this.#speed.value);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  // play plays on, from the beginning where it is at the end.
  play() {
    const { recording, video } = this.stage;
    if (!recording?.times) return;
    if (this.frame === this.frames - 1) this.seek(0);
    this.playing = true;
    say(this.#play, 'player.pause');
    if (video) {
      video.play().catch(() => this.pause());
      return;
    }
    this.#begin();
    const tick = (now) => {
      const frame = frameAt(recording.times, (now - this.#begun) / 1000 * Number(this.#speed.value));
      if (frame !== this.frame) this.#at(frame);
      if (frame === this.frames - 1) this.pause();
      else this.#ticking = requestAnimationFrame(tick);
    };
    this.#ticking = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.#ticking);
    this.playing = false;
    this.stage.video?.pause();
    say(this.#play, 'player.play');
  }

  // seek shows a frame.
  seek(frame) {
    if (!this.stage.recording) return;
    this.stage.show(Math.min(this.frames - 1, Math.max(0, frame)));
    this.#begin();
    this.#tell();
  }

  // step stops and goes some frames on.
  step(by) {
    this.pause();
    this.seek(this.frame + by);
  }

  #key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || !this.stage.recording?.times) return;
    const control = e.target !== this.el;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ',': -1, '.': 1, PageDown: 10, PageUp: -10 };
    if (e.target.type === 'range' || e.target.tagName === 'SELECT') {
      if (e.target.type === 'range' && e.key in steps) this.pause();
      return;
    }
    if (e.key in steps) this.step(steps[e.key] * (e.shiftKey ? 10 : 1));
    else if (e.key === 'Home') this.step(-this.frames);
    else if (e.key === 'End') this.step(this.frames);
    else if (e.key === ' ' && !control) this.toggle();
    else return;
    e.preventDefault();
  }
}
