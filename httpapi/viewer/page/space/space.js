// @ts-check
// Recordings of one movement by several cameras: the movies in step, the person in space beside them, and their numbers.
import { h, button, called, jobButton, save, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { day, hour, t, told } from '../base/i18n.js';
import { showReport } from '../base/window.js';
import { address, here, keep } from '../base/route.js';
import { Chart } from '../player/chart.js';
import { frameAt } from '../player/playhead.js';
import { Timeline } from '../player/timeline.js';
import { Transport } from '../player/transport.js';
import { beside } from '../numbers/beside.js';
import { About } from '../library/about.js';
import { angles, labelOf, Measures } from '../numbers/measures.js';
import { chips, gaitCard, jumpCard, repetitionCard, spans } from '../numbers/results.js';
import { why } from '../numbers/trust.js';
import { links, opener, tables } from '../base/out.js';
import { unfound, verdict } from '../numbers/verdict.js';
import { Beside, cameraCard } from './cards.js';
import { Scene } from './scene.js';
import { letters, SpaceStage } from './stage.js';

const pause = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

export class SpaceView {
  #app;
  #end = new AbortController();
  /** @type {Awaited<ReturnType<typeof beside>>[]} */
  #views = [];
  /** @type {HTMLElement[]} */
  #who = [];
  #film = h('section', { class: 'film', label: 'space.film' });
  #side = h('aside', { class: 'side', label: 'results.title' });
  #head = h('div', { class: 'head' }, h('h1', { class: 'quiet', t: 'space.film' }));
  #places = h('div', { class: 'sp__s' });
  #alone = h('input', { type: 'checkbox', role: 'switch', on: { change: () => this.#charts() } });
  #known = 0; // the first frame in which somebody is in space
  #every = false; // whether all choices are offered
  /** @type {Recording} */
  recording;
  /** @type {Measures} */
  measures;
  /** @type {Timeline} */
  timeline;
  /** @type {Transport} */
  transport;
  /** @type {SpaceStage} */
  space;
  /** @type {Scene} */
  scene;
  /** @type {Beside} */
  #table;
  /** @type {About} */
  #about;

  constructor(app) {
    this.#app = app;
    this.el = h('main', { class: 'cmp sp', id: 'main', tabIndex: -1 }, this.#head, this.#film, this.#side);
    document.addEventListener(
      'keydown',
      (e) => {
        if (!e.target?.closest('dialog')) this.transport?.key(e) || this.timeline?.key(e);
      },
      { signal: this.#end.signal },
    );
  }

  // close stops the movies.
  close() {
    this.#end.abort();
    for (const { playhead, url } of this.#views) {
      playhead.detach();
      if (url?.startsWith('blob:')) URL.revokeObjectURL(url);
    }
  }

  get #first() {
    return this.#views[0];
  }

  get #time() {
    return this.#first.playhead;
  }

  // open shows a keypoint record that was made of several, and waits until it is done.
  async open(id, query) {
    const { api } = this.#app,
      { signal } = this.#end;
    for (let ms = 300; ; ms = Math.min(2000, 1.3 * ms)) {
      const record = await api.get(`keypoints/${id}/?include=timestamps,space,recordedAt`, signal);
      if (!this.#views.length) {
        this.#views = await Promise.all(record.keypointIds.map((one) => beside(this.#app, one, 0, signal)));
        if (signal.aborted) return;
        this.#build(record);
      }
      if (record.execStatus === 'SUCCESS') {
        this.#show(record, query);
        return;
      }
      if (record.execStatus === 'FAILURE') {
        await this.#refused(record);
        return;
      }
      await pause(ms);
      if (signal.aborted) return;
    }
  }

  // build shows the movies while the cameras are being found.
  #build(record) {
    const { media } = this.#first.record;
    this.recording = {
      ...record,
      media,
      person: 0,
      times: this.#time.times,
      frames: this.#first.record.frames,
      span: [0, this.#time.last],
    };
    this.measures = new Measures(this.#app.api, this.recording);
    this.timeline = new Timeline(this.#time);
    this.space = new SpaceStage(this.#time, this.measures);
    this.transport = new Transport(this.#time, this.#film, (on) => {
      this.space.on = on;
      this.space.draw();
    });
    this.transport.el
      .querySelector('.transport__r')
      .prepend(h('label', { class: 'switch' }, this.#alone, span('space.alone', { name: letters[0] })));
    this.#table = new Beside();
    this.#who = this.#views.map(({ stage, record: r }, i) => {
      const turn = h('span'),
        who = h(
          'button',
          { type: 'button', class: `who${i ? ' who--b' : ''}`, 'aria-pressed': 'false', on: { click: () => this.#enlarge(i) } },
          h('b', { 'aria-hidden': 'true' }, letters[i]),
          span('space.enlarge', { name: letters[i] }, { class: 'vh' }),
          turn,
        );
      if (r.media.width < 1.2 * r.media.height)
        this.#app.library.picture(r).then((url) => {
          if (url) stage.backdrop(url);
        });
      stage.el.append(who, h('span', { class: 'badge sp__name' }, r.name));
      let down = [0, 0];
      stage.el.addEventListener('pointerdown', (e) => {
        down = [e.clientX, e.clientY];
      });
      stage.el.addEventListener('click', (e) => {
        if (!e.target?.closest('button') && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) this.#enlarge(i);
      });
      return turn;
    });
    this.#places.style.setProperty('--n', String(this.#views.length));
    this.#places.append(h('div', { class: 'sp__m' }, ...this.#views.map(({ stage }) => stage.el)), this.space.el);
    this.#film.replaceChildren(this.#places, this.transport.el, this.timeline.el);
    this.#time.addEventListener('frame', () => this.#follow());
    this.#time.addEventListener('state', () => {
      this.#follow();
      this.#remember();
    });
    this.#titled();
    this.timeline.charts([]);
    this.#wait();
    this.#follow();
  }

  #titled() {
    const { record } = this.#first,
      cameras = this.recording.cameras ?? [],
      { times } = this.recording;
    document.title = `${record.name} · ${t('title')}`;
    const facts = [
      `${day(this.recording.createdAt)} ${hour(this.recording.createdAt)}`,
      t('head.seconds', { s: (times[times.length - 1] - times[0]).toFixed(1) }),
      ...cameras.slice(1).flatMap(({ offset }, i) =>
        Math.abs(offset) < 0.005
          ? []
          : t(offset < 0 ? 'space.before' : 'space.after', {
              name: letters[i + 1],
              first: letters[0],
              seconds: Math.abs(offset).toFixed(2),
            }),
      ),
    ];
    const file = (key, name, look, job) => jobButton(this.#app, key, job, { icon: name, class: look, disabled: !this.scene });
    const { api } = this.#app,
      { id: keypointId, recordedAt, createdAt } = this.recording,
      of = /** @type {[string, string]} */ ([record.name, recordedAt ?? createdAt]);
    this.#head.replaceChildren(
      h(
        'div',
        { class: 'head__t' },
        h(
          'h1',
          {},
          h('span', { title: record.name }, record.name),
          button('list.rename', () => this.#app.rename(record), { icon: 'pencil', only: true }),
        ),
        h('p', { class: 'head__m' }, facts.join(' · ')),
      ),
      h(
        'div',
        { class: 'head__a' },
        opener('head.link', 'link', () => links(this.#app, { id: keypointId }, () => this.measures.report())),
        opener('head.csv', 'download', () =>
          tables(
            this.#app,
            () => this.measures.report(),
            () => of,
          ),
        ),
        file('save.c3d', 'download', 'btn--line', async () =>
          save(called(...of, t('out.points'), 'c3d'), '', await api.file(`keypoints/${keypointId}/?format=c3d`)),
        ),
        file('head.report', 'report', 'btn--primary', async () =>
          showReport(this.#app, `analyses/${await this.measures.report()}/`, { name: of[0], at: of[1], keypointId }),
        ),
      ),
    );
  }

  // wait tells that the cameras are being looked for.
  #wait() {
    this.space.tell('space.looking');
    this.measures.chosen = ['knee', 'hip'];
    this.#table.show(this.measures);
    this.#side.replaceChildren(
      h(
        'section',
        { class: 'card wait', role: 'status' },
        h('h2', { t: 'space.looking' }),
        h('progress', { class: 'prog', label: 'wait.progress' }),
        h('p', { class: 'foot', t: 'space.meanwhile' }),
      ),
      this.#table.el,
    );
  }

  // refused tells why the recordings could not be joined, and what can be done.
  async #refused(record) {
    this.space.tell('space.refused');
    this.#side.replaceChildren(
      unfound(
        await told(record.failureDetail, 'refused.'),
        h('a', { class: 'btn btn--line', href: address(['two'], this.#pair) }, icon('undo'), span('space.how')),
        ...this.#views.map(({ record: r }, i) =>
          h('a', { class: 'btn', href: address(['recordings', r.id]) }, span('space.open', { name: letters[i] })),
        ),
      ),
    );
  }

  get #pair() {
    return Object.fromEntries(this.#views.slice(0, 2).map(({ record }, i) => [letters[i].toLowerCase(), record.id]));
  }

  #show(record, query) {
    Object.assign(this.recording, record, { frames: record.keypoint ?? this.recording.frames });
    if (record.timestamps) {
      this.recording.times = record.timestamps;
      this.recording.span = [0, record.timestamps.length - 1];
    }
    this.measures.forget();
    const { media, times, cameras = [] } = this.recording,
      { positions } = record;
    this.#about = new About(this.#app, this.recording, { seek: this.#seek, now: () => this.#time.time });
    this.scene = new Scene(positions, cameras, record.space.unit, media.fps || (times.length - 1) / (times[times.length - 1] - times[0]));
    this.space.tell();
    const known = (this.#known = Math.max(
      0,
      positions.findIndex((one) => Object.keys(one).length > 0),
    )); // before, only one camera runs
    this.space.began(known, 0);
    this.space.load(this.scene);
    this.#titled();
    const chosen = (query.get('show') ?? '').split(',').filter((name) => name in angles);
    if (query.has('t')) this.#seek(Number(query.get('t')) || 0);
    else if (!this.#time.playing && this.#time.frame < known) this.#time.seek(known);
    this.#follow();
    this.#study(chosen);
  }

  async #study(chosen) {
    this.measures.addEventListener('results', () => this.#results());
    try {
      await this.measures.study();
    } catch (e) {
      this.#app.fail(e);
      return;
    }
    if (this.#end.signal.aborted) return;
    const turn = this.measures.overview?.repetitions?.list[0]?.turn;
    if (turn && !here().query.has('t') && !this.#time.playing && this.#time.frame === this.#known) this.#seek(turn.time);
    this.measures.choose(chosen.length ? chosen : this.measures.usual());
    for (const { measures } of this.#views)
      measures.study().then(
        () => {
          this.#follow();
          this.#charts();
        },
        () => {},
      ); // what it says alone is missing then
  }

  #spans = () => spans(this.measures, this.#time.times);

  #seek = (time) => {
    this.#time.pause();
    this.#time.at(time);
  };

  #results() {
    const { measures, recording, scene } = this;
    if (!measures.overview || !scene) return;
    const all = this.#spans();
    this.transport.repetitions = () => all.map(({ first, last }) => [first, last]);
    this.timeline.repetitions(all);
    this.#table.show(measures);
    const { gait, jumps } = measures.overview;
    const around = scene.cameras.map((_, i) => scene.around(i, this.#time.frame));
    const stale = recording.outdated
      ? h('p', { class: 'foot' }, t('results.outdated'), ' ', h('a', { href: address(['two'], this.#pair), t: 'two.measure' }))
      : null;
    const cards = [
      verdict(
        recording,
        measures,
        (frame) => this.#seek(recording.times[frame]),
        (on) => {
          measures.against(on);
          measures.study().catch(this.#app.fail);
        },
        { cameras: around },
      ),
      stale,
      this.#table.el,
      chips(
        measures,
        { feet: true },
        (names, side) => {
          keep({ show: names.join(',') });
          measures.choose(names, side);
        },
        this.#every
          ? null
          : () => {
              this.#every = true;
              this.#results();
            },
      ),
      gait?.mode ? null : repetitionCard(measures, this.#seek),
      gaitCard(gait, () => {
        location.hash = address(['two'], this.#pair);
      }),
      jumpCard(jumps, this.#seek),
      cameraCard(recording.space, scene, 0),
      this.#about.el,
      h(
        'div',
        { class: 'verdict__a' },
        ...this.#views.map(({ record: r }, i) =>
          h('a', { class: 'btn btn--line btn--small', href: address(['recordings', r.id]) }, span('space.open', { name: letters[i] })),
        ),
      ),
    ];
    const focused = /** @type {any} */ (document.activeElement)?.dataset?.angle;
    this.#side.replaceChildren(...cards.filter((c) => c !== null));
    if (focused) this.#side.querySelector(`[data-angle="${focused}"]`)?.focus();
    this.#charts();
    this.#follow();
  }

  #charts() {
    const { measures, timeline } = this;
    if (!measures.overview) return;
    const one = this.#first.measures;
    timeline.charts(
      measures.chosen.map((name) => {
        const list = measures.results(name),
          alone = this.#alone.checked
            ? one.results(name).filter((m) => m.trust !== 'withheld' && !m.estimated && list.some((o) => o.side === m.side))
            : [];
        return new Chart({
          key: labelOf(name),
          unit: list[0]?.unit ?? '°',
          x: timeline.x,
          series: [
            ...list.map((m) => ({
              side: m.side ?? 'trunk',
              name: m.side ? t(`side.${m.side}`) : '',
              values: m.values,
              uncertainty: m.uncertainty,
              held: m.trust === 'withheld' ? why(m, measures.facing).word : '',
            })),
            ...alone.map((m) => ({
              side: m.side ?? 'trunk',
              name: t('space.alone', { name: letters[0] }),
              values: m.values,
              dashed: true,
            })),
          ],
        });
      }),
    );
  }

  // frame is the frame of a recording at a frame of the first, -1 where it has none.
  #frame(i, frame) {
    const { times } = this.#views[i].playhead,
      offset = this.recording.cameras?.[i]?.offset ?? 0,
      time = (this.recording.times[frame] ?? 0) - offset;
    const before = frameAt(times, time),
      near = times[before + 1] - time < time - times[before] ? before + 1 : before;
    return time < times[0] - 0.05 || time > times[times.length - 1] + 0.05 ? -1 : near;
  }

  // step keeps another movie at a frame, -1 where it has none. While the first plays, it plays beside it, and is put
  // right where it is a tenth of a second off.
  #step(playhead, frame) {
    const { playing, speed } = this.#time,
      goes = playing && frame >= 0 && frame < playhead.last;
    if (playhead.speed !== speed) playhead.pace(speed);
    if (playhead.playing !== goes) playhead.pause();
    const off = frame < 0 ? 0 : Math.abs(playhead.times[playhead.frame] - playhead.times[frame]);
    if (frame >= 0 && (!goes || off > 0.1)) playhead.seek(frame);
    if (goes && !playhead.playing) playhead.play();
  }

  #follow() {
    const { frame } = this.#time;
    this.#views.forEach(({ stage, playhead, element }, i) => {
      const at = this.#frame(i, frame),
        none = at < 0;
      if (i) {
        this.#step(playhead, at);
        stage.el.classList.toggle('sp__gone', none);
        stage.tell(none ? 'space.none' : element ? undefined : 'player.noFile');
      }
      if (!this.scene) return;
      const turn = Math.round(this.scene.around(i, frame));
      this.#who[i].textContent = t(turn < 0 ? 'space.right' : 'space.left', { degrees: Math.abs(turn) });
    });
    if (!this.measures.overview) return;
    this.#table.now(frame, this.#time.time);
    const spans = this.#spans(),
      n = spans.findIndex(({ first, last }) => frame >= first && frame <= last);
    const start = spans[n]?.first ?? this.#known;
    if (this.scene && start !== this.space.ghost) {
      this.space.began(start, this.measures.overview?.gait?.mode ? 0 : n + 1);
      this.space.draw();
    }
    this.#remember();
  }

  #remembering = 0;

  #remember() {
    clearTimeout(this.#remembering);
    if (this.#time.playing) return;
    this.#remembering = window.setTimeout(() => {
      if (!this.#end.signal.aborted) keep({ t: this.#time.frame ? this.#time.time.toFixed(2) : '' });
    }, 250);
  }

  // enlarge puts a movie into the place of the person in space, and the second time back.
  #enlarge(i) {
    const big = this.#places.dataset.big === String(i) ? null : i;
    if (big === null) delete this.#places.dataset.big;
    else this.#places.dataset.big = String(big);
    this.#views.forEach(({ stage }, k) => {
      stage.el.classList.toggle('sp__big', k === big);
      stage.el.querySelector('.who').setAttribute('aria-pressed', String(k === big));
    });
  }
}
