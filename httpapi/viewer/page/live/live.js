// @ts-check
// The live view: the browser's camera with the skeleton over it, the chosen angles and the repetitions, while
// the movement happens.
import { amount, number, plusMinus } from '../base/amount.js';
import { h, button, card, span, whole } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { label, language, say, t } from '../base/i18n.js';
import { Camera } from './camera.js';
import { hush, silent, speak, Wake } from './device.js';
import { Joints } from '../numbers/joints.js';
import { Keeper } from './keeper.js';
import { Link } from './link.js';
import { Board, LiveMeasures, mirrored } from './values.js';
import { angles, labelOf } from '../numbers/measures.js';
import { Playhead } from '../player/playhead.js';
import { chips } from '../numbers/results.js';
import { both, title } from '../numbers/exercise.js';
import { read } from '../numbers/mine.js';
import { plan } from '../numbers/verdict.js';
import { address, keep } from '../base/route.js';
import { legend, Stage } from '../player/stage.js';

export class LiveView {
  #app;
  #end = new AbortController();
  #state = 'idle'; // idle, opens, runs, paused
  #camera = new Camera();
  /** @type {Link | null} */
  #link = null;
  #measures = new LiveMeasures();
  #board = new Board(this.#measures);
  #keeper;
  #mirror = false;
  /** @type {Exercise[]} */
  #exercises = [];
  #exercise = h('select', { class: 'speed live__c', label: 'exercise.title', on: { change: () => this.#judge() } });
  #said = 0; // the largest count that was told
  #timer = 0;
  #wake = new Wake();
  #away = false; // paused because the page is out of sight
  #ask = h('div', { class: 'live__ask' });
  #count = h('div', { class: 'live__n', hidden: true }, h('b', {}, '0'), span('live.count'), h('small'));
  #struck = ''; // the choices that are struck through
  #advised = '';
  #advice = h('div', { class: 'live__p' });
  #heard = h('p', { class: 'vh', role: 'status' });
  #note = h('div', { class: 'toast live__note', role: 'status', hidden: true }, h('span'));
  #last = h('p', { class: 'say' });
  #aloud = h('input', {
    type: 'checkbox',
    on: {
      change: () => {
        if (this.#aloud.checked) speak(t('live.aloud.on'));
      },
    },
  });
  #chips = h('div', {});
  #play = h('button', { type: 'button', class: 'btn btn--play', on: { click: () => this.#toggle() } });
  #turned = button('live.mirror', () => this.#turn(!this.#mirror), { icon: 'swap', class: 'btn--ghost', 'aria-pressed': 'false' });
  #cameras = h('select', { class: 'speed live__c', label: 'live.camera', on: { change: () => this.#start(this.#cameras.value) } });

  constructor(app) {
    const { signal } = this.#end;
    this.#app = app;
    this.#keeper = new Keeper(app, this.#camera);
    this.playhead = new Playhead([0]);
    this.stage = new Stage(this.playhead);
    new Joints(this.stage, this.#measures);
    this.stage.el.append(legend(), this.#count, this.#ask);
    const film = h('section', { class: 'film', label: 'live.title' });
    this.bar = h(
      'div',
      { class: 'transport' },
      h(
        'div',
        { class: 'transport__l' },
        this.#play,
        button('live.stop', () => this.#stop(), { icon: 'stop', class: 'btn--ghost' }),
        this.#keeper.button,
      ),
      h('div', { class: 'transport__r' }, this.#cameras, this.#turned, whole(film)),
    );
    film.append(this.stage.el, h('div', { class: 'live__notes' }, this.#note), this.bar, this.#board.el);
    const aloud = h('label', { class: 'switch', hidden: silent }, this.#aloud, span('live.aloud'));
    this.el = h(
      'main',
      { class: 'work live', id: 'main', tabIndex: -1 },
      h(
        'div',
        { class: 'head' },
        h('div', { class: 'head__t' }, h('h1', { t: 'live.title' }), h('p', { class: 'head__m', t: 'live.about' })),
        h(
          'div',
          { class: 'head__a' },
          this.#exercise,
          h('a', { class: 'btn btn--line', href: address(['film']) }, icon('camera'), span('film.open')),
        ),
      ),
      h(
        'div',
        { class: 'grid' },
        film,
        h(
          'aside',
          { class: 'side', label: 'results.title' },
          this.#advice,
          card('values.title', { note: 'values.straight' }, this.#board.table),
          card('movement.other', { note: aloud }, this.#last),
          this.#keeper.el,
          this.#chips,
        ),
      ),
      this.#heard,
    );
    document.addEventListener(
      'keydown',
      (e) => {
        if (e.key !== ' ' || e.ctrlKey || e.altKey || e.metaKey || e.target?.closest('dialog, button, input, select, a, summary')) return;
        if (this.#state === 'runs' || this.#state === 'paused') {
          e.preventDefault();
          this.#toggle();
        }
      },
      { signal },
    );
    document.addEventListener(
      'visibilitychange',
      () => {
        // browsers give no pictures to a page that is out of sight
        const on = document.hidden ? this.#state === 'runs' : this.#away && this.#state === 'paused';
        this.#away = document.hidden && on;
        if (on) this.#toggle();
      },
      { signal },
    );
    this.#camera.addEventListener('lost', ({ detail }) => this.#fail(detail));
    this.#camera.addEventListener('size', () => {
      if (this.#state === 'runs') this.#connect();
    });
    this.#camera.watch(signal, (time) => this.#link?.film(this.#camera, time));
  }

  // open shows the view, with the choice of angles that the address has.
  open(query) {
    const chosen = (query.get('show') ?? '').split(',').filter((n) => n in angles);
    this.#choose(
      chosen.length || query.has('show') ? chosen : ['knee', 'hip'],
      ['left', 'right'].includes(query.get('side')) ? query.get('side') : 'both',
    );
    this.#tellCount();
    this.#idle('live.ask', 'live.ask.text');
    read(this.#app.api, this.#end.signal).then(({ shipped, own }) => {
      this.#exercises = [...shipped, ...own.map((x) => x.exercise)];
      this.#offerExercises();
    }, this.#app.fail);
  }

  #offerExercises() {
    const { value } = this.#exercise;
    this.#exercise.replaceChildren(
      h('option', { value: '', t: 'exercise.title' }),
      ...this.#exercises.map((e, i) => h('option', { value: i }, title(e))),
    );
    this.#exercise.value = value;
  }

  // judge counts by another exercise, from none on.
  #judge() {
    this.#measures.graded = null;
    this.#said = 0;
    if (this.#state === 'runs') this.#connect();
    this.#tellCount();
  }

  // speak shows everything in another language.
  speak() {
    this.#offerExercises();
    this.#choose(this.#measures.chosen, this.#measures.side);
  }

  // close ends everything.
  close() {
    this.#end.abort();
    this.#keeper.leave();
    this.#link?.close();
    this.#shut();
    hush();
  }

  // choose shows other angles; all of them are measured anyway, so that nothing starts over.
  #choose(chosen, side) {
    Object.assign(this.#measures, { chosen, side });
    keep({ show: chosen.join(','), side: side === 'both' ? '' : side });
    this.#offer();
    this.#board.choose();
    this.#tellCount();
    this.#advise();
    this.stage.draw();
  }

  #strikes() {
    return Object.keys(angles)
      .filter((name) => this.#measures.withheld(name))
      .join();
  }

  // offer shows the choices; those that this view cannot tell are struck through.
  #offer() {
    const focus = document.activeElement?.dataset?.angle;
    this.#struck = this.#strikes();
    this.#chips.replaceChildren(chips(this.#measures, { feet: true }, (c, s) => this.#choose(c, s)));
    if (focus) this.#chips.querySelector(`[data-angle="${focus}"]`)?.focus({ preventScroll: true });
  }

  #become(state) {
    this.#state = state;
    this.bar.hidden = state === 'idle' || state === 'opens';
    this.#ask.hidden = !this.bar.hidden;
    this.#play.replaceChildren(icon(state === 'paused' ? 'play' : 'pause'));
    label(this.#play, state === 'paused' ? 'live.resume' : 'player.pause');
  }

  // shut lets the camera go.
  #shut() {
    clearInterval(this.#timer);
    this.#camera.close();
    this.#wake.off();
    this.#tell();
  }

  // idle asks before anything is filmed: a title, what it means, and what the button is called.
  /** @param {string} title @param {string} text @param {{args?: {[name: string]: any}, start?: string, problem?: boolean}} more */
  #idle(title, text, { args, start = 'live.start', problem = false } = {}) {
    const focus = problem || [this.#ask, this.bar].some((el) => el.contains(document.activeElement));
    this.#become('idle');
    const b = button(start, () => this.#start(), { icon: 'camera', class: 'btn--big' });
    this.#ask.setAttribute('role', problem ? 'alert' : 'status');
    this.#ask.replaceChildren(h('h2', {}, problem ? icon('care') : null, span(title, args)), h('p', { t: text }), b);
    if (focus) b.focus({ preventScroll: true });
  }

  // fail ends the session. what is the name of a problem that the page knows, or the words of the service.
  #fail(what) {
    this.#keeper.stop();
    this.#link?.close();
    this.#shut();
    const known = t(`live.${what}.do`) !== `live.${what}.do`;
    this.#idle(known ? `live.${what}` : 'live.failed', known ? `live.${what}.do` : what, { start: 'live.again', problem: true });
  }

  // start starts the camera, the one with an id or the browser's choice, and the session.
  async #start(id = '') {
    this.#keeper.stop();
    this.#link?.close();
    if (this.#state === 'idle') {
      this.#measures.clear();
      this.#board.forget();
      this.#said = 0;
    }
    this.#become('opens');
    this.#ask.setAttribute('role', 'status');
    this.#ask.replaceChildren(h('h2', { t: 'live.opens' }), h('p', { t: 'live.opens.text' }));
    await this.#camera.open(id);
    if (!this.#camera.on) return;
    this.#become('runs');
    this.#count.hidden = false;
    this.#tellCount();
    this.#cameras.replaceChildren(
      ...this.#camera.list.map((c, i) => h('option', { value: c.id }, c.name || t('live.cameraN', { n: i + 1 }))),
    );
    this.#cameras.value = this.#camera.id;
    this.#cameras.hidden = this.#camera.list.length < 2;
    this.#turn(this.#camera.faces);
    this.#play.focus({ preventScroll: true });
    this.#connect();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#show(), 200);
    this.#wake.on();
  }

  #connect() {
    this.#link?.close();
    this.#measures.part();
    this.#camera.show(this);
    const link = (this.#link = new Link(this.#app.api, {
      rule: this.#measures.rules,
      feet: true,
      exercise: this.#exercises[this.#exercise.value],
    }));
    link.addEventListener('ready', () => this.#tell());
    link.addEventListener('update', ({ detail }) => this.#update(detail));
    link.addEventListener('down', ({ detail: { key, args } }) => {
      this.#measures.part();
      this.#tell(
        key,
        args,
        button('live.now', () => link.open(), {}),
      );
    });
    link.addEventListener('over', ({ detail }) => this.#fail(detail.key.replace(/^live\./, '')));
    link.addEventListener('end', ({ detail }) => {
      this.#measures.count(detail);
      this.#tellCount();
      if (this.#state === 'idle') this.#finished();
    });
    link.open().catch(this.#app.fail);
  }

  #update(update) {
    const { size, keypoint, scores, filled } = update;
    if (this.#state !== 'runs') return;
    const frame = keypoint ?? {};
    this.#measures.add({
      ...update,
      keypoint: this.#mirror ? mirrored(frame, size[0]) : frame,
      scores: { ...scores, ...Object.fromEntries((filled ?? []).map((part) => [part, 0])) },
    });
    this.#points();
    this.#tellCount();
  }

  #points() {
    this.playhead.times = this.#measures.times;
    this.playhead.frame = this.playhead.last;
    this.stage.points(this.#measures.frames, this.#measures.scores);
  }

  // show shows what need not follow each picture, and tells what is slow.
  #show() {
    if (this.#state !== 'runs') return;
    this.#board.show();
    if (this.#struck !== this.#strikes()) this.#offer();
    this.#advise();
    if (!this.#link?.ready) return;
    const { front, names } = this.#measures.turn;
    const { pace } = this.#link,
      slow = pace.slow();
    if (slow) this.#tell(`live.slow.${slow}`, { n: Math.round(pace.rate) });
    else if (this.#measures.nobody) this.#tell('live.nobody');
    else if (names.length)
      this.#tell(front ? 'live.turn.front' : 'live.turn.side', { names: names.map((name) => t(labelOf(name))).join(t('list.comma')) });
    else this.#tell();
  }

  // advise says how to stand before the camera, with a plan: as it is known before, or for what cannot be told from here.
  #advise() {
    const { front, names } = this.#measures.turn,
      facing = this.#measures.facing,
      view = facing && 10 * Math.round(facing.view / 10); // in steps, so that the plan stays
    const hips = this.#measures.repetitions()?.name === 'hips',
      state = JSON.stringify([language, front, names, view, hips]);
    if (state === this.#advised) return;
    this.#advised = state;
    const args = { names: names.map((name) => t(labelOf(name))).join(t('list.comma')) };
    this.#advice.replaceChildren(
      names.length
        ? h(
            'section',
            { class: 'verdict verdict--care' },
            h(
              'div',
              {},
              h('h2', {}, icon('care'), span(hips ? 'live.byHips' : 'live.unseen')),
              h('p', { t: front ? 'live.face' : 'live.quarter', args }),
            ),
            front || view === null ? null : plan([view]),
          )
        : card('help.film', {}, h('p', { class: 'say', t: 'help.film.text' })),
    );
  }

  // tell shows a note in the picture; without a key there is none.
  /** @param {string} [key] @param {{[name: string]: any}} [args] @param {HTMLElement} [act] */
  #tell(key, args, act) {
    const [words] = this.#note.children,
      state = key ? `${key} ${JSON.stringify(args ?? {})}` : '';
    if (this.#note.dataset.state === state) return;
    this.#note.dataset.state = state;
    this.#note.hidden = !key;
    this.#note.classList.toggle('live__note--turn', key?.startsWith('live.turn.') ?? false);
    if (key) say(words, key, args);
    else words.replaceChildren();
    this.#note.replaceChildren(words, ...(act ? [act] : []));
  }

  // tellCount shows the repetitions that no longer change, and tells of a further one.
  #tellCount() {
    const found = this.#measures.repetitions(this.#state === 'idle'),
      n = found?.count ?? 0;
    const [counted, , more] = this.#count.children,
      by = found?.name === 'hips';
    counted.textContent = String(n);
    this.#count.classList.toggle('live__n--waits', found?.waits ?? false);
    if (found?.grade) say(more, `exercise.key.${found.grade.outcome}`);
    else if (found?.waits) say(more, 'live.waits', { n: n + 1 });
    else say(more, by ? 'live.hips' : n ? 'live.by' : 'live.none', { name: found ? t(labelOf(found.name)) : '' });
    const last = found?.last;
    if (found?.grade) {
      delete this.#last.dataset.t;
      this.#last.textContent = both(found.grade.sentence);
    } else if (last)
      say(this.#last, last.shallow ? 'live.lastShallow' : 'live.last', {
        name: t(labelOf(found.name)),
        depth: amount(last.depth, found.unit),
        out: number(last.out, 's'),
        back: number(last.back, 's'),
        sigma: plusMinus(last.timeUncertainty, 's'),
      });
    else if (!n) say(this.#last, 'live.none');
    if (n > this.#said) {
      // the number may fall: a deeper repetition shows that a former one was too shallow
      this.#said = n;
      say(this.#heard, 'repetition.n', { n });
      if (this.#aloud.checked) speak(String(n));
    }
  }

  // toggle pauses, which ends the session with the service, or goes on with another one.
  #toggle() {
    if (this.#state === 'paused') {
      this.#become('runs');
      this.#camera.video.play().catch(() => {});
      this.#keeper.pause(false);
      this.#connect();
      this.#wake.on();
    } else if (this.#state === 'runs') {
      this.#become('paused');
      this.#camera.video.pause();
      this.#keeper.pause(true);
      this.#link?.end();
      this.#tell('live.paused');
    }
  }

  // stop ends the session; its counts stay.
  #stop() {
    this.#keeper.stop();
    this.#link?.end();
    this.#finished();
    this.#shut();
  }

  #finished() {
    this.#idle('live.done', 'live.done.text', { args: { n: this.#measures.repetitions(true)?.count ?? 0 }, start: 'live.more' });
  }

  // turn shows the picture as a mirror does, or as it is.
  #turn(on) {
    if (on !== this.#mirror) this.#measures.mirror(this.stage.size[0]);
    this.#mirror = on;
    this.#turned.setAttribute('aria-pressed', String(on));
    this.stage.el.classList.toggle('stage--mirror', on);
    if (this.playhead.times.length) this.#points();
  }
}
