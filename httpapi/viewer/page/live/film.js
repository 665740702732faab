// @ts-check
// Before filming: where the phone stands, then standing in the frame with one hint at a time, then the countdown and the recording.
import { amount } from '../base/amount.js';
import { h, button, card, span, whole } from '../base/dom.js';
import { day, hour, language, say, t } from '../base/i18n.js';
import { icon, svg } from '../base/icons.js';
import { address, become, go } from '../base/route.js';
import { title } from '../numbers/exercise.js';
import { rulesOf } from '../numbers/measures.js';
import { read } from '../numbers/mine.js';
import { Playhead } from '../player/playhead.js';
import { Stage } from '../player/stage.js';
import { Camera } from './camera.js';
import { Corners } from './corners.js';
import { hush, silent, speak, Wake } from './device.js';
import { suits, Watch } from './hints.js';
import { Link } from './link.js';
import { Pair } from './pair.js';
import { from, place } from './place.js';
import { Recorder } from './recorder.js';
import { mirrored } from './values.js';

const waits = [3, 5, 10]; // seconds that are counted down
const patience = 3000; // milliseconds between two looks for the recording of the second phone
const gone = 2; // seconds without anybody after which a recording ends

const why = ['nearer', 'side', 'front']; // the hints that have a reason of their own

// signs are the icons of the hints.
const signs = { nobody: 'person', back: 'away', middle: 'swap', nearer: 'near', side: 'redo', front: 'redo', stay: 'good', blind: 'care' };

export class FilmView {
  #app;
  #add;
  #end = new AbortController();
  /** @type {'place' | 'opens' | 'frame' | 'counts' | 'records'} */
  #step = 'place';
  #camera = new Camera();
  #recorder;
  /** @type {Link | null} */
  #link = null;
  #wake = new Wake();
  #pair = new Pair();
  #watch = new Watch();
  /** @type {{key: string, exercise: Exercise}[]} */
  #exercises = []; // by name those that are shipped, by id those that are kept
  #key = '';
  /** @type {Exercise} */
  #exercise;
  /** @type {Facing | null} */
  #facing = null;
  /** @type {{key: string, args?: any} | null} */
  #blind = null; // why there are no hints
  #left = 0; // seconds of the countdown
  #byItself = false; // the countdown was started by standing still
  #held = false; // it was stopped, and does not start by itself before the person has moved
  #seen = 0; // the time of the newest picture with somebody, seconds
  #timer = 0;
  #told = ''; // the hint that is shown
  #checked = '';

  #choice = h('select', { label: 'exercise.title', class: 'pickone', on: { change: () => this.#take(this.#choice.value) } });
  #view = h('small');
  #title = h('h1', { tabIndex: -1 }, '\u00a0');
  #about = h('p', { class: 'head__m' }, '\u00a0');
  #steps = h('ol', { class: 'fi__s', label: 'help.film' });
  #place = h('div');
  #checks = h('ul', { class: 'ck' });
  #hint = h('div', { class: 'hint hint--big', role: 'status', hidden: true });
  #number = h('b');
  #ring = svg('circle', { cx: 84, cy: 84, r: 78, pathLength: 1, transform: 'rotate(-90 84 84)' });
  #count = h(
    'div',
    { class: 'fi__n', role: 'timer', hidden: true },
    h(
      'span',
      {},
      svg('svg', { viewBox: '0 0 168 168', 'aria-hidden': 'true' }, svg('circle', { cx: 84, cy: 84, r: 78 }), this.#ring),
      this.#number,
    ),
    h('p', {}, span('film.stays'), h('small')),
  );
  #ask = h('div', { class: 'live__ask' });
  #record = button('live.record', () => this.#press(), { icon: 'record', class: 'btn--primary btn--rec' });
  #wait = h(
    'select',
    { label: 'film.wait', class: 'pickone' },
    ...waits.map((n) => h('option', { value: n, t: 'film.after', args: { n } })),
  );
  #other = button('film.turn', () => this.#turn(), { icon: 'loop', class: 'btn--ghost fi__turn', hidden: true });
  #aloud = h('input', { type: 'checkbox', checked: !silent });

  // add sends files and shows how that goes on.
  constructor(app, add) {
    this.#app = app;
    this.#add = add;
    this.#recorder = new Recorder(app, this.#camera);
    this.playhead = new Playhead([0]);
    this.stage = new Stage(this.playhead);
    this.#corners = new Corners(this.stage);
    this.stage.el.append(this.#hint, this.#count, this.#ask);
    const film = h('section', { class: 'film', label: 'live.camera' });
    film.append(
      this.stage.el,
      h(
        'div',
        { class: 'transport' },
        h('div', { class: 'transport__l' }, this.#record, this.#wait, span('film.itself', {}, { class: 'clock' })),
        h(
          'div',
          { class: 'transport__r' },
          this.#other,
          h('label', { class: 'switch', hidden: silent }, this.#aloud, span('film.aloud')),
          whole(film),
        ),
      ),
    );
    const where = card(
      'film.where',
      {},
      this.#place,
      h('ul', { class: 'ck fi__m' }, ...['film.must.whole', 'film.must.stand'].map((key) => h('li', {}, icon('good'), span(key)))),
      button('film.stands', () => this.#stands(), { class: 'btn--primary btn--big fi__go' }),
    );
    where.append(this.#pair.el);
    where.classList.add('fi__w');
    this.el = h(
      'main',
      { class: 'work fi', id: 'main', tabIndex: -1 },
      h('div', { class: 'head' }, h('div', { class: 'head__t' }, this.#title, this.#about), h('div', { class: 'head__a' }, this.#steps)),
      h(
        'div',
        { class: 'fi__t' },
        h('a', { class: 'pillb', href: address(['live']), label: 'page.close' }, icon('close')),
        button('film.where', () => this.el.toggleAttribute('data-sheet'), { icon: 'help', only: true, class: 'pillb' }),
      ),
      h(
        'div',
        { class: 'grid' },
        film,
        h(
          'aside',
          { class: 'side', label: 'help.film' },
          h('section', { class: 'card fi__e' }, this.#choice, this.#view),
          where,
          Object.assign(card('film.ready', {}, this.#checks), { className: 'card fi__c' }),
        ),
      ),
    );
    const { signal } = this.#end;
    this.#camera.addEventListener('lost', ({ detail }) => this.#fail(detail));
    this.#camera.addEventListener('size', () => {
      if (this.#camera.on && this.#step !== 'opens') this.#connect();
    });
    this.#camera.watch(signal, (time) => this.#link?.film(this.#camera, time));
  }

  #corners;

  // open shows the view for an exercise by its name or id, the squat without one; with a code this is the second phone.
  async open(name, code) {
    const { shipped, own } = await read(this.#app.api, this.#end.signal);
    if (this.#end.signal.aborted) return;
    this.#exercises = [
      ...shipped.map((e) => ({ key: e.name, exercise: e })),
      ...own.map((e) => ({ key: String(e.id), exercise: e.exercise })),
    ];
    if (/^\d{6}$/.test(code)) this.#pair.take(code);
    this.#take(name);
    this.#pair.addEventListener('change', () => this.#take(this.#key));
    this.#become('place');
    this.#idle('film.ask', 'live.ask.text', 'film.stands');
  }

  // speak shows everything in another language.
  speak() {
    this.#take(this.#key);
    this.#told = this.#checked = '';
    this.#show();
  }

  // close ends everything; what is being recorded is kept.
  close() {
    this.#end.abort();
    this.#recorder.stop();
    this.#shut();
    hush();
  }

  // take chooses an exercise.
  /** @param {string} name */
  #take(name) {
    const all = this.#exercises,
      found = all.find((e) => e.key === name) ?? all.find((e) => e.key === 'squat') ?? all[0];
    this.#key = found.key;
    this.#exercise = found.exercise;
    const { test } = this.#exercise,
      called = title(this.#exercise);
    become(['film', this.#key], { with: this.#pair.second ? this.#pair.code : '' });
    this.#pair.show(this.#key);
    this.#choice.replaceChildren(...all.map((e) => h('option', { value: e.key }, title(e.exercise))));
    this.#choice.value = this.#key;
    say(this.#title, 'film.title', { name: called });
    document.title = `${this.#title.textContent} · ${t('title')}`;
    for (const el of [this.#about, this.#count.querySelector('small')]) say(el, test ? 'film.test' : 'film.several');
    say(this.#view, from(this.#wanted));
    this.#place.replaceChildren(place(this.#exercise, Boolean(this.#pair.code)));
    this.#watch = new Watch();
    this.#told = this.#checked = '';
    this.#show();
  }

  // wanted is from where the person has to be seen: two phones see all from any side.
  get #wanted() {
    return this.#pair.code ? undefined : this.#exercise.view;
  }

  #become(step) {
    this.#step = this.el.dataset.step = step;
    const at = { place: 0, opens: 0, records: 2 }[step] ?? 1;
    this.#steps.replaceChildren(
      ...['film.step.place', 'film.step.frame', 'film.step.record'].map((key, i) =>
        h(
          'li',
          i === at ? { 'aria-current': 'step' } : { class: i < at ? 'done' : '' },
          h('i', {}, i < at ? icon('check') : String(i + 1)),
          span(key),
        ),
      ),
    );
    const on = ['counts', 'records'].includes(step);
    this.#ask.hidden = at > 0 || step === 'frame';
    this.#record.disabled = !Recorder.possible || at === 0;
    this.#record.replaceChildren(icon(on ? 'stop' : 'record'), span(on ? 'live.stop' : 'live.record'));
    this.#count.hidden = step !== 'counts';
    this.#show();
  }

  // idle asks before anything is filmed, or tells what is wrong.
  #idle(said, text, act, problem = false) {
    const go = button(act, () => this.#stands(), { icon: 'camera', class: 'btn--big' });
    this.#ask.setAttribute('role', problem ? 'alert' : 'status');
    this.#ask.classList.toggle('live__ask--no', problem);
    this.#ask.replaceChildren(h('h2', {}, problem ? icon('care') : null, span(said)), h('p', { t: text }), go);
    if (problem) go.focus({ preventScroll: true });
  }

  #fail(what) {
    this.#recorder.stop();
    this.#shut();
    this.#become('place');
    this.#idle(`live.${what}`, `live.${what}.do`, 'live.again', true);
  }

  #shut() {
    clearInterval(this.#timer);
    this.#link?.close();
    this.#link = null;
    this.#camera.close();
    this.#wake.off();
  }

  // stands starts the camera: the phone is where it has to be.
  async #stands(id = '') {
    delete this.el.dataset.sheet;
    if (this.#camera.on && !id) return;
    this.#become('opens');
    this.#ask.classList.add('live__ask--no');
    this.#ask.setAttribute('role', 'status');
    this.#ask.replaceChildren(h('h2', { t: 'live.opens' }), h('p', { t: 'live.opens.text' }));
    await this.#camera.open(id, 'environment');
    if (!this.#camera.on) return;
    this.#other.hidden = this.#camera.list.length < 2;
    this.stage.el.classList.toggle('stage--mirror', this.#camera.faces);
    this.#become('frame');
    this.#record.focus({ preventScroll: true });
    this.#connect();
    this.#wake.on();
  }

  // turn takes the next camera.
  #turn() {
    const ids = this.#camera.list.map((c) => c.id);
    this.#stands(ids[(ids.indexOf(this.#camera.id) + 1) % ids.length]);
  }

  #connect() {
    this.#link?.close();
    this.#watch = new Watch();
    this.#facing = null;
    this.#camera.show(this);
    const link = (this.#link = new Link(this.#app.api, { rule: rulesOf(['knee']), feet: true }));
    const blind = ({ detail: { key, args } }) => {
      this.#blind = { key, args };
      this.#show();
    };
    link.addEventListener('ready', () => (this.#blind = null));
    link.addEventListener('update', ({ detail }) => this.#update(detail));
    link.addEventListener('down', blind);
    link.addEventListener('over', blind);
    link.open().catch(this.#app.fail);
  }

  #update(update) {
    const { time, size, scores, facing } = update,
      frame = this.#camera.faces ? mirrored(update.keypoint, size[0]) : (update.keypoint ?? {});
    this.#facing = facing ?? null;
    this.#watch.add(time, frame, size, this.#wanted, this.#facing);
    this.stage.points([frame], [scores]);
    if (this.#watch.seen) this.#seen = time;
    this.#held &&= this.#watch.ready;
    if (this.#step === 'frame' && this.#watch.ready && !this.#held) this.#begin(true);
    else if (this.#step === 'counts' && this.#byItself && this.#watch.hint) this.#become('frame');
    else if (this.#step === 'records' && time - this.#seen > gone) this.#recorder.stop();
    this.#show();
  }

  #press() {
    if (this.#step === 'frame') this.#begin(false);
    else if (this.#step === 'counts') {
      this.#held = true;
      this.#become('frame');
    } else this.#recorder.stop();
  }

  // begin counts down; walking away ends that if it began by itself.
  #begin(byItself) {
    const all = Number(this.#wait.value);
    this.#byItself = byItself;
    this.#left = all;
    this.#become('counts');
    clearInterval(this.#timer);
    const tell = () => {
      this.#number.textContent = String(this.#left);
      this.#ring.setAttribute('stroke-dasharray', `${this.#left / all} 1`);
      this.#say(String(this.#left));
    };
    tell();
    this.#timer = setInterval(() => {
      if (this.#step !== 'counts') {
        clearInterval(this.#timer);
        return;
      }
      this.#left--;
      if (this.#left) tell();
      else {
        clearInterval(this.#timer);
        this.#film();
      }
    }, 1000);
  }

  async #film() {
    const { code, second, ending } = this.#pair,
      name = t('film.name', { name: title(this.#exercise), day: day(Date.now()), hour: hour(Date.now()) }),
      file = this.#recorder.start(second ? `${name} ${ending}` : name, () => this.#show());
    this.#seen = Infinity; // until somebody is seen again
    this.#become('records');
    this.#say(t('film.do.records'));
    const made = await file;
    if (!made) return;
    if (this.#end.signal.aborted) this.#app.uploads.add([made], 0, true);
    else if (code && !second) this.#await(made);
    else this.#add([made]);
  }

  // await sends a file, waits for the recording of the second phone, and has both measured together.
  async #await(file) {
    const { uploads, library } = this.#app,
      [upload] = uploads.add([file], 0, true),
      { signal } = this.#end;
    const alone = () => go(upload.id ? ['recordings', upload.id] : ['uploads', upload.n]);
    this.#shut();
    this.#become('place');
    this.#ask.classList.add('live__ask--no');
    this.#ask.setAttribute('role', 'status');
    this.#ask.replaceChildren(h('h2', { t: 'film.waits' }), button('film.alone', alone, { class: 'btn--big' }));
    while (!signal.aborted) {
      await library.refresh().catch(() => {});
      const other = library.items.find((i) => i.media.name?.endsWith(this.#pair.ending));
      if (upload.id && other && !signal.aborted) {
        go(['two'], { a: upload.id, b: other.id });
        return;
      }
      await new Promise((done) => setTimeout(done, patience));
    }
  }

  #say(words) {
    if (this.#aloud.checked) speak(words);
  }

  // show shows what is to be done now, and how far all is ready.
  #show() {
    const { hint, seen } = this.#watch,
      runs = ['frame', 'counts', 'records'].includes(this.#step);
    const now = this.#step === 'records' ? 'records' : this.#blind ? 'blind' : hint || 'stay';
    const out = seen?.out ?? [],
      until = out.includes('bottom') ? 'bottom' : out.includes('top') ? 'top' : 'all';
    const more =
      now === 'records'
        ? { key: 'film.since', args: { n: Math.floor(this.#recorder.seconds) } }
        : now === 'blind'
          ? this.#blind
          : { key: now === 'stay' ? 'film.itself' : why.includes(now) ? `film.why.${now}` : `film.until.${until}` };
    const state = JSON.stringify([now, more, language]);
    this.#hint.hidden = !runs || this.#step === 'counts';
    if (runs && state !== this.#told) {
      const words = span(`film.do.${now}`);
      if (this.#step === 'frame' && !this.#told.startsWith(`["${now}"`)) this.#say(words.textContent ?? '');
      this.#told = state;
      this.#hint.dataset.hint = now;
      this.#hint.replaceChildren(icon(signs[now] ?? 'record'), h('span', {}, h('b', {}, words), span(more?.key ?? '', more?.args)));
    }
    this.#corners.show(seen, !hint, runs && !this.#blind);
    this.#check(hint, until);
  }

  #check(hint, until) {
    const known = this.#watch.seen && !this.#blind && this.#camera.on,
      whole = known && !['nobody', 'back', 'middle'].includes(hint),
      view = this.#wanted,
      seen = this.#facing?.direction ? this.#facing : null;
    /** @type {[key: string, good: boolean | null, more?: string][]} */
    const rows = [
      [known && !whole ? `film.out.${until}` : 'film.check.whole', known ? Boolean(whole) : null],
      [hint === 'nearer' ? 'film.check.small' : 'film.check.large', whole ? hint !== 'nearer' : null],
      [from(view), known && seen ? suits(view, seen) : null, known && seen ? amount(seen.view, '°') : ''],
      [known && !this.#watch.still ? 'film.do.stay' : 'film.check.still', known ? this.#watch.still : null],
    ];
    const state = JSON.stringify([rows, language]);
    if (state === this.#checked) return;
    this.#checked = state;
    this.#checks.replaceChildren(
      ...rows.map(([key, good, more]) =>
        h(
          'li',
          { class: good === false ? 'no' : good ? 'yes' : '' },
          icon(good === false ? 'care' : good ? 'good' : 'point'),
          span(key),
          h('small', {}, more ?? ''),
        ),
      ),
    );
  }
}
