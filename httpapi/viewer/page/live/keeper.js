// @ts-check
// Keeping what the camera shows as a recording: the browser records, and the file is sent like a dropped one.
import { h, button, card, save, span } from '../base/dom.js';
import { say, day, hour, t } from '../base/i18n.js';
import { address } from '../base/route.js';

// types are those that the service reads, the one that plays in most places first.
const types = ['video/mp4;codecs=avc1.42E01E', 'video/mp4', 'video/webm;codecs=vp8', 'video/webm'];
const type = globalThis.MediaRecorder && types.find((name) => MediaRecorder.isTypeSupported(name));

export class Keeper {
  #app;
  #camera;
  /** @type {MediaRecorder | null} */
  #recorder = null;
  #seconds = 0; // that are recorded
  #timer = 0;
  #words = h('p', { class: 'say' });
  #acts = h('div', { class: 'verdict__a' });
  #left = false; // the view is gone: what comes is told at the foot of the page

  // camera gives the stream.
  constructor(app, camera) {
    this.#app = app;
    this.#camera = camera;
    this.button = button('live.record', () => this.toggle(), {
      icon: 'record',
      class: 'btn--ghost',
      'aria-pressed': 'false',
      hidden: !type,
    });
    this.el = card('live.recording', {}, this.#words, this.#acts);
    this.el.hidden = true;
  }

  get on() {
    return Boolean(this.#recorder);
  }

  toggle() {
    if (this.on) this.stop();
    else this.start();
  }

  start() {
    if (this.on || !this.#camera.on || !type) return;
    const recorder = new MediaRecorder(this.#camera.stream, { mimeType: type, videoBitsPerSecond: 5e6 });
    const parts = [],
      name = t('live.name', { day: day(Date.now()), hour: hour(Date.now()) });
    recorder.addEventListener('dataavailable', (e) => {
      if (e.data.size) parts.push(e.data);
    });
    recorder.addEventListener('stop', () =>
      this.#send(new File(parts, `${name}.${type.includes('mp4') ? 'mp4' : 'webm'}`, { type: type.split(';')[0] })),
    );
    recorder.start(1000);
    this.#recorder = recorder;
    this.#seconds = 0;
    let seconds = 60;
    // The service takes fewer pictures than its limit; cameras do not keep their rate exactly.
    this.#app.uploads.limits().then(
      ({ frames }) => {
        seconds = Math.floor(Math.min(3600, (0.97 * frames) / this.#camera.rate));
      },
      () => {},
    );
    const tell = () => {
      say(this.#words, 'live.records', { seconds: Math.floor(this.#seconds), most: seconds });
      if (this.#seconds >= seconds) this.stop();
    };
    tell();
    this.#timer = setInterval(() => {
      if (recorder.state === 'recording') this.#seconds += 0.5;
      tell();
    }, 500);
    this.#acts.replaceChildren();
    this.el.hidden = false;
    this.#state();
  }

  // stop ends the recording and sends it.
  stop() {
    clearInterval(this.#timer);
    if (this.#recorder?.state !== 'inactive') this.#recorder?.stop();
    this.#recorder = null;
    this.#state();
  }

  // pause leaves out what follows, until it goes on.
  pause(on) {
    if (on) this.#recorder?.pause();
    else this.#recorder?.resume();
  }

  // leave stops, and tells of it elsewhere.
  leave() {
    this.#left = true;
    this.stop();
  }

  #state() {
    this.button.setAttribute('aria-pressed', String(this.on));
    say(this.button.lastChild, this.on ? 'live.recordStop' : 'live.record');
  }

  #send(file) {
    const { uploads } = this.#app;
    const [upload] = uploads.add([file], 0, true);
    const done = new AbortController();
    const open = () => {
      location.hash = address(['recordings', upload.id]);
    };
    const tell = () => {
      if (this.on) return; // another one is recorded already
      if (upload.problem) {
        say(this.#words, upload.problem.key, upload.problem.args);
        this.#acts.replaceChildren(button('live.save', () => save(file.name, file.type, file), { icon: 'download', class: 'btn--line' }));
      } else {
        say(this.#words, upload.state, { percent: Math.round(100 * upload.part) });
      }
    };
    tell();
    uploads.addEventListener('change', tell, { signal: done.signal });
    uploads.addEventListener(
      'done',
      ({ detail }) => {
        if (detail !== upload) return;
        done.abort();
        if (this.#left) {
          this.#app.toast('live.kept', {}, button('live.open', open));
          return;
        }
        if (this.on) return;
        say(this.#words, 'live.kept');
        this.#acts.replaceChildren(h('a', { class: 'btn btn--line', href: address(['recordings', upload.id]) }, span('live.open')));
      },
      { signal: done.signal },
    );
  }
}
