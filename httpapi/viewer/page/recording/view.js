// @ts-check
// The view of a recording: player, charts and numbers.
import { h, button, jobButton, rebuild, span } from '../base/dom.js';
import { say, t, date, day, hour } from '../base/i18n.js';
import { showReport } from '../base/window.js';
import { Charts, spans, chips, gaitCard, jumpCard, phasesLink, repetitionCard, Values } from '../numbers/results.js';
import { Joints } from '../numbers/joints.js';
import { angles, Measures } from '../numbers/measures.js';
import { About } from '../library/about.js';
import { past } from '../library/past.js';
import { address, here, keep } from '../base/route.js';
import { Drawing } from './drawing.js';
import { Flow } from './flow.js';
import { PITCH } from './height.js';
import { links, opener, tables } from '../base/out.js';
import { mend } from '../player/mend.js';
import { Spot } from '../player/spot.js';
import { legend } from '../player/stage.js';
import { Timeline } from '../player/timeline.js';
import { Best } from './best.js';
import { Tools } from './tools.js';
import { Transport } from '../player/transport.js';
import { turnButton } from './turn.js';
import { places, verdict } from '../numbers/verdict.js';

// painted waits until the page shows what has changed, so that a click is answered before charts are drawn.
const painted = () =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100); // where the page is not seen
  });

export class RecordingView {
  #app;
  #end = new AbortController();
  #side = h('aside', { class: 'side', label: 'results.title' });
  #title = h('h1', { tabIndex: -1 }, '\u00a0'); // which keeps the place
  #about = h('p', { class: 'head__m' }, '\u00a0');
  #actions = h('div', { class: 'head__a' });
  #film = h('section', { class: 'film', label: 'player.title' });
  #flow;
  #verdict = h('div', {});
  #part = h(
    'section',
    { class: 'part', role: 'status', hidden: true },
    span('part.only'),
    button('part.whole', () => this.#whole(), { class: 'btn--line btn--small' }),
  );
  #cards = h('div', { class: 'side' });
  #past = h('div', {});
  /** @type {About} */
  #known;
  /** @type {Values} */
  #values;
  /** @type {Recording} */
  recording; // once it is done
  /** @type {Measures} */
  measures;
  /** @type {Joints} */
  joints;
  /** @type {Timeline} */
  timeline;
  /** @type {Transport} */
  transport;
  /** @type {Tools} */
  tools;

  constructor(app) {
    this.#app = app;
    this.#flow = new Flow(app, { film: this.#film, side: this.#side, title: this.#title, end: this.#end.signal });
    this.el = h(
      'main',
      { class: 'work', id: 'main', tabIndex: -1 },
      h('div', { class: 'head' }, h('div', { class: 'head__t' }, this.#title, this.#about), this.#actions),
      h('div', { class: 'grid' }, this.#film, this.#side),
    );
    document.addEventListener(
      'keydown',
      (e) => {
        if (!e.target?.closest('dialog, .menu, .rail')) this.#key(e);
      },
      { signal: this.#end.signal },
    );
    app.library.addEventListener(
      'names',
      () => {
        if (!this.recording || this.#title.querySelector('input')) return;
        this.recording.media.name = app.library.known(this.recording).name ?? this.recording.media.name;
        this.#name();
      },
      { signal: this.#end.signal },
    );
  }

  // close ends what the view is doing.
  close() {
    this.#end.abort();
    this.#flow.close();
  }

  get playhead() {
    return this.#flow.playhead;
  }

  get stage() {
    return this.#flow.stage;
  }

  // upload shows a movie that is being sent.
  upload(upload) {
    this.#flow.upload(upload);
  }

  // open shows a keypoint record by its id. It returns true if it is one of several recordings, which is shown otherwise, and
  // the address of what was made of it later, where that is shown in its place.
  async open(id, query) {
    const person = Number(query.get('person')) || 0;
    const done = await this.#flow.record(id, person);
    if (done?.record.keypointIds) return true;
    if (done?.record.newer && !query.has('kept'))
      return address(['recordings', done.record.newer.id], { ...Object.fromEntries(query), person: '', was: id });
    const cameraPitch = PITCH[this.#flow.camera];
    if (done && cameraPitch !== undefined && !person) {
      const { clean } = done.record,
        made = await this.#app.api.post('keypoints/', { keypointId: id, clean, cameraPitch }, this.#end.signal);
      return address(['recordings', made.id]);
    }
    if (done) this.#show(done.record, done.media, person, query);
    return false;
  }

  // show builds the view of a recording that is done.
  #show(record, media, person, query) {
    record = this.#app.library.moving(record);
    const movie = Boolean(record.movie);
    const times = movie ? record.timestamps : [0];
    if (!media.fps && times.length > 1) media = { ...media, fps: (times.length - 1) / (times[times.length - 1] - times[0]) };
    this.recording = { ...record, media, person, frames: record.keypoint, times, span: [0, times.length - 1] };
    const r = this.recording;
    const slow = r.capture?.frameRate && media.fps ? r.capture.frameRate / media.fps : 1,
      film = slow === 1 ? times : times.map((s) => s * slow);
    const waited = this.#flow.settle(times, film); // and then the movie plays on in the same picture
    if (this.#flow.media && movie) this.#flow.media.loop = false;
    this.#values = new Values(movie);
    this.measures = new Measures(this.#app.api, r);
    this.#known = new About(this.#app, r, movie ? { seek: this.#seek, now: () => this.playhead.time } : {});
    this.stage.load({
      hidden: r.hidden,
      media: this.#flow.media,
      size: [media.width, media.height],
      frames: r.frames,
      scores: r.scores,
      follow: !waited || query.has('t'),
    });
    this.#app.library.picture(record).then((url) => {
      if (url && media.width < 1.5 * media.height) this.stage.backdrop(url);
    });
    if (!this.#flow.media) this.stage.tell(this.#app.library.given(record) ? 'player.given' : 'player.noFile');
    if (this.#flow.media) mend(this.#app, this.#flow.media, r, { stage: this.stage, signal: this.#end.signal, lost: () => this.#lost() });
    this.joints = new Joints(this.stage, this.measures);
    this.#best = new Best(this.stage, this.measures);
    this.timeline = new Timeline(this.playhead, { cut: movie ? (end, frame) => this.cut(end, frame) : null });
    if (this.#flow.early) this.timeline.follow(this.#flow.early.timeline);
    this.transport = new Transport(this.playhead, this.#film, (on) => {
      this.joints.on = on;
      this.joints.draw();
    });
    this.transport.repetitions = () => spans(this.measures, this.playhead.times).map((s) => [s.first, s.last]);
    this.transport.el.hidden = this.timeline.el.hidden = !movie;
    this.tools = new Tools(this.#app, this);
    this.joints.hidden = () => Boolean(this.tools.now?.quiet);
    this.stage.el.append(legend(r.hidden?.some((parts) => parts.length)));
    new Spot(this.stage, () => Boolean(this.tools.now?.quiet));
    if (!waited) this.#film.replaceChildren(this.stage.el);
    const focused = this.#film.querySelector('.transport :focus');
    while (this.#film.children.length > 1) this.#film.lastChild?.remove(); // what is moved in the document stops playing
    this.#film.append(this.tools.el, this.transport.el, this.timeline.el);
    if (focused) this.transport.el.querySelector('.btn--play').focus();
    if (movie && this.#flow.media && !waited) this.playhead.attach(this.#flow.media);
    this.#head();
    this.playhead.addEventListener('frame', () => this.#remember());
    this.playhead.addEventListener('state', () => this.#remember());
    this.measures.addEventListener('results', () => this.#results());
    const chosen = (query.get('show') ?? '').split(',').filter((n) => n in angles);
    ['from', 'to'].forEach((name, end) => {
      const frame = Number(query.get(name) || NaN);
      if (movie && frame >= 0 && frame <= this.playhead.last) this.cut(end, Math.round(frame));
    });
    this.measures.side = ['left', 'right'].includes(query.get('side')) ? query.get('side') : 'both';
    this.#study(chosen.length || query.has('show') ? chosen : null);
    if (query.has('t')) this.#seek(Number(query.get('t')) || 0); // there it stands
    this.timeline.places(places(r, this.measures));
    past(this.#app, r).then(
      (card) => this.#past.replaceChildren(card),
      () => {},
    );
  }

  // lost goes on with the skeleton alone, where the browser cannot play the movie.
  #lost() {
    this.playhead.detach();
    this.#flow.media = null;
    this.stage.media?.remove();
    this.stage.media = null;
    this.stage.tell('player.unplayable');
  }

  #head() {
    const { media, times, movie, people, candidates, recordedAt, createdAt } = this.recording;
    const n = people?.length ?? new Set(candidates?.map((c) => c.track || c)).size;
    this.#name();
    const at = recordedAt ?? media.createdAt ?? createdAt;
    const facts = [recordedAt ? `${day(at)} ${hour(at)}` : t('about.added', { day: `${date(at)} ${hour(at)}` })];
    if (movie)
      facts.push(
        t('head.seconds', { s: (times[times.length - 1] - times[0]).toFixed(1) }),
        t('head.rate', { n: Math.round(this.recording.capture?.frameRate ?? media.fps ?? 0) }),
      );
    else facts.push(`${media.width} × ${media.height}`);
    if (n > 0) facts.push(t(n === 1 ? 'head.person' : 'head.people', { n }));
    this.#about.replaceChildren(facts.join(' · '), ...this.#anew());
    const busy = (key, name, job, look) => jobButton(this.#app, key, job, { icon: name, class: look });
    this.#actions.replaceChildren(
      opener('head.link', 'link', () => links(this.#app, this.recording, () => this.measures.report())),
      ...(this.#app.library.given(this.recording)
        ? []
        : [opener(movie ? 'head.movie' : 'head.picture', 'camera', () => new Drawing(this.#app, this, this.#of).el)]),
      opener('head.csv', 'download', () => tables(this.#app, () => this.measures.report(), this.#of)),
      busy('head.report', 'report', () => this.#report(), 'btn--primary'),
    );
  }

  // name shows the name, to be changed.
  #name() {
    const name = this.recording.media.name || t('list.unnamed');
    document.title = `${name} · ${t('title')}`;
    this.#title.replaceChildren(h('span', { title: name }, name));
    if (!this.#app.library.given(this.recording))
      this.#title.append(button('list.rename', () => this.#rename(), { icon: 'pencil', only: true }));
  }

  // anew says that the recording was measured again, where an old address led here, or leads to what came of it.
  #anew() {
    const { query } = here(),
      { id, newer, createdAt } = this.recording,
      was = query.get('was');
    if (!newer && !was) return [];
    const at = newer?.createdAt ?? createdAt,
      words = span('head.anew', { time: `${date(at)} ${hour(at)}` });
    return [
      ' · ',
      words,
      ' ',
      h('a', {
        href: newer ? address(['recordings', newer.id], { was: id }) : address(['recordings', was], { kept: 1 }),
        t: newer ? 'head.newer' : 'head.earlier',
      }),
    ];
  }

  // rename edits the name in its place.
  #rename() {
    const { media } = this.recording;
    const input = h('input', { class: 'head__i', value: media.name ?? '', maxLength: 200, label: 'list.name' });
    let done = false;
    const end = async (keepIt) => {
      if (done) return;
      done = true;
      const name = input.value.trim();
      if (keepIt && name && name !== media.name) {
        try {
          await this.#app.library.change(this.recording, { name });
          media.name = name;
        } catch (e) {
          this.#app.fail(e);
        }
      }
      this.#head();
      this.#title.querySelector('button')?.focus();
    };
    input.addEventListener('keydown', (e) => {
      if (e.key === 'Enter') end(true);
      if (e.key === 'Escape') end(false);
      e.stopPropagation();
    });
    input.addEventListener('blur', () => end(true));
    this.#title.replaceChildren(input);
    input.select();
  }

  async #report() {
    const id = await this.measures.report();
    const [name, at] = this.#of();
    await showReport(this.#app, `analyses/${id}/`, { name, at, keypointId: this.recording.id });
  }

  // of is what files of this recording are called by: its name, and when it was filmed or added.
  /** @returns {[string, string]} */
  #of = () => {
    const { media, recordedAt, createdAt } = this.recording;
    return [media.name || t('list.unnamed'), recordedAt ?? media.createdAt ?? createdAt];
  };

  #ready = false; // whether the first numbers are known; before, their warnings would move what stands below

  // panel shows the numbers, or what a tool shows in their place.
  #panel() {
    const own = this.tools.panel();
    if (!own && !this.#ready) {
      if (!this.#flow.early?.el.isConnected) this.#side.replaceChildren();
    } else
      rebuild(
        this.#side,
        ...(own
          ? [own]
          : [
              this.#verdict,
              this.#part,
              chips(
                this.measures,
                this.#has(),
                (c, s) => this.choose(c, s),
                () => this.tools.use('more'),
              ),
              this.#cards,
              this.#known.el,
            ]),
      );
  }

  // panel is called by the tools when another one is used.
  panel() {
    this.#panel();
  }

  #has() {
    return { feet: this.recording.frames.some((f) => f?.leftHeel || f?.rightHeel || f?.leftBigToe || f?.rightBigToe) };
  }

  // choose shows measures, and keeps the choice in the address.
  async choose(chosen, side) {
    keep({ show: chosen.join(','), side: side === 'both' ? '' : side });
    this.measures.side = side;
    this.measures.chosen = chosen;
    const row = this.#side.querySelector('.chips')?.closest('.card');
    if (row) {
      const focus = document.activeElement?.dataset?.angle;
      row.replaceWith(
        chips(
          this.measures,
          this.#has(),
          (c, s) => this.choose(c, s),
          () => this.tools.use('more'),
        ),
      );
      if (focus) this.#side.querySelector(`[data-angle="${focus}"]`)?.focus();
    }
    if (this.#ready) await painted();
    this.measures.choose(chosen, side);
  }

  // study asks what the recording shows. Without a choice, what leads is shown.
  async #study(chosen = this.measures.chosen) {
    try {
      await this.measures.study();
      this.#app.mended();
    } catch (e) {
      this.#app.fail(e);
    }
    this.choose(chosen ?? this.measures.usual(), this.measures.side);
    this.#ready = true;
    this.#panel();
  }

  #seek = (time) => {
    this.playhead.pause();
    this.playhead.at(time);
  };

  // results shows what is known of the values.
  #results() {
    const { measures, recording: r } = this;
    const seek = (frame) => this.playhead.step(frame - this.playhead.frame);
    this.#verdict.replaceChildren(
      verdict(
        r,
        measures,
        seek,
        (on) => {
          measures.against(on);
          this.#charts.forget();
          this.#study();
        },
        { turn: () => turnButton(this.#app, r) },
      ),
    );
    this.#values.show(measures);
    const { gait, jumps } = measures.overview ?? {};
    const repetitions = gait?.mode ? null : repetitionCard(measures, this.#seek);
    repetitions?.append(this.#best.el);
    const steps = gaitCard(gait, () => this.tools.use('setup')),
      jumped = jumpCard(jumps, this.#seek);
    if (gait?.cycles.length || jumps?.length) (steps ?? jumped)?.append(h('p', { class: 'verdict__a' }, phasesLink(r.id, r.person)));
    const cards = [this.#values.el, repetitions, steps, jumped, this.#past];
    if (r.outdated) cards.unshift(h('p', { class: 'foot', t: 'results.outdated' }));
    this.#cards.replaceChildren(...cards.filter(Boolean));
    this.timeline.repetitions(spans(this.measures, this.playhead.times));
    this.timeline.places(places(r, measures), Boolean(r.movie && measures.chosen.some((name) => measures.results(name).length)));
    if (r.movie) this.#charts.show(measures, this.timeline);
  }

  #charts = new Charts();

  /** @type {Best} */
  #best;

  // again reads the keypoints once more, after a correction.
  async again() {
    const { id, person } = this.recording;
    const record = await this.#app.api.get(`keypoints/${id}/?include=scores,timestamps,changes,hidden${person ? `&person=${person}` : ''}`);
    Object.assign(this.recording, { edits: [] }, record, { frames: record.keypoint });
    this.stage.points(record.keypoint, record.scores, record.hidden);
    this.measures.forget();
    await this.#study();
  }

  /** @type {(number | null)[]} */
  part = [null, null]; // the first and the last frame of what is measured and drawn; null is that of the movie

  // cut begins (end 0) or ends (end 1) the part that is measured and drawn at a frame, null for that of the movie.
  cut(end, frame) {
    const [first, last] = this.part;
    this.part[end] = frame;
    if (this.part[0] !== null && this.part[1] !== null && this.part[0] >= this.part[1]) this.part[1 - end] = null;
    if (this.part[0] === 0) this.part[0] = null;
    if (this.part[1] === this.playhead.last) this.part[1] = null;
    if (first !== this.part[0] || last !== this.part[1]) this.#cut();
  }

  // whole measures all of the movie again.
  #whole() {
    this.part = [null, null];
    this.#cut();
    this.#side.querySelector('.chip input')?.focus();
  }

  #cut() {
    const { times } = this.recording,
      [first, last] = this.part;
    const part = { ...(first === null ? {} : { from: times[first] }), ...(last === null ? {} : { to: times[last] }) };
    this.recording.span = [first ?? 0, last ?? times.length - 1];
    this.timeline.part(first, last);
    keep({ from: first ?? '', to: last ?? '' });
    this.#part.hidden = first === null && last === null;
    say(this.#part.firstChild, 'part.only', { from: times[first ?? 0].toFixed(1), to: times[last ?? times.length - 1].toFixed(1) });
    this.measures.cut(part);
    this.el.dispatchEvent(new Event('part'));
    this.#charts.forget();
    this.#study();
  }

  // toggle begins or ends the part at the playhead, and takes that back the second time.
  toggle(end) {
    this.cut(end, this.part[end] === this.playhead.frame ? null : this.playhead.frame);
  }

  #ends(e) {
    const end = ['i', 'o'].indexOf(e.key.toLowerCase());
    if (end < 0 || e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
      return false;
    this.toggle(end);
    return true;
  }

  #remembering = 0;

  // remember keeps the time in the address, when the movie stands.
  #remember() {
    clearTimeout(this.#remembering);
    if (this.playhead.playing) return;
    this.#remembering = setTimeout(() => {
      if (!this.#end.signal.aborted) keep({ t: this.playhead.frame ? this.playhead.time.toFixed(2) : '' });
    }, 250);
  }

  #key(e) {
    if (!this.recording) {
      if (e.key !== ' ' || e.target.matches('button, input, textarea, a, summary')) return;
      this.playhead?.toggle();
      e.preventDefault();
      return;
    }
    if (this.tools.key(e) || (this.recording.movie && (this.transport.key(e) || this.timeline.key(e) || this.#ends(e)))) e.preventDefault();
  }
}
