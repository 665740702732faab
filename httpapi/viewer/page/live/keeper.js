// @ts-check
// Keeping what the camera shows as a recording: the browser records, and the file is sent like a dropped one.
import { h, button, card, save, span } from '../base/dom.js';
import { say, day, hour, t } from '../base/i18n.js';
import { address } from '../base/route.js';
import { Recorder } from './recorder.js';

export class Keeper {
  #app;
  #recorder;
  #words = h('p', { class: 'say' });
  #acts = h('div', { class: 'verdict__a' });
  #left = false; // the view is gone: what comes is told at the foot of the page

  // camera gives the stream.
  constructor(app, camera) {
    this.#app = app;
    this.#recorder = new Recorder(app, camera);
    this.button = button('live.record', () => this.toggle(), {
      icon: 'record',
      class: 'btn--ghost',
      'aria-pressed': 'false',
      hidden: !Recorder.possible,
    });
    this.el = card('live.recording', {}, this.#words, this.#acts);
    this.el.hidden = true;
  }

  get on() {
    return this.#recorder.on;
  }

  toggle() {
    if (this.on) this.stop();
    else this.start();
  }

  async start() {
    const name = t('live.name', { day: day(Date.now()), hour: hour(Date.now()) }),
      file = this.#recorder.start(name, () => {
        const { seconds, most } = this.#recorder;
        say(this.#words, 'live.records', { seconds: Math.floor(seconds), most });
        this.#state();
      });
    this.#acts.replaceChildren();
    this.el.hidden = !this.on;
    const made = await file;
    if (made) this.#send(made);
  }

  // stop ends the recording and sends it.
  stop() {
    this.#recorder.stop();
    this.#state();
  }

  // pause leaves out what follows, until it goes on.
  pause(on) {
    this.#recorder.pause(on);
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
