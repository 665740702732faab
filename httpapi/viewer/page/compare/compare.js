// @ts-check
// Two recordings side by side or over each other, under one slider; what differs, in words and in degrees.
import { number } from '../base/amount.js';
import { h, button, called, segments, span } from '../base/dom.js';
import { say, t } from '../base/i18n.js';
import { showReport } from '../base/window.js';
import { icon } from '../base/icons.js';
import { Chart } from '../player/chart.js';
import { beside } from '../numbers/beside.js';
import { Joints } from '../numbers/joints.js';
import { past } from '../library/past.js';
import { address, keep } from '../base/route.js';
import { Skeleton } from '../player/skeleton.js';
import { legend } from '../player/stage.js';
import { Timeline } from '../player/timeline.js';
import { Transport } from '../player/transport.js';
import { Report } from '../base/report.js';
import { flipped, laid, usual } from '../player/bodies.js';
import { choose, who } from './choose.js';
import { cautions, Differences, named, otherSide } from './differences.js';
import { made } from './made.js';
import { Pairing } from './pairing.js';

export class CompareView {
  #app;
  #end = new AbortController();
  /** @type {string[]} */
  #urls = [];
  #mode = 'side';
  #sync = 'time';
  #outline = true;
  #opposite = false; // whether the two face opposite sides
  #unlike = false; // whether they are not the same movement, so that nothing is laid on each other
  #flipped = false; // whether B is shown as in a mirror
  #pairing = new Pairing();
  /** @type {Timeline} */
  timeline;
  /** @type {Transport} */
  transport;
  /** @type {Awaited<ReturnType<typeof beside>>} */
  a;
  /** @type {Awaited<ReturnType<typeof beside>>} */
  b;
  /** @type {any} */
  record; // the comparison
  #ghost = new Skeleton('skel--ghost');
  #about = h('p', { class: 'head__m' });
  /** @type {Differences | null} */
  #differences = null;

  constructor(app) {
    this.#app = app;
    this.el = h('main', { class: 'cmp', id: 'main', tabIndex: -1 });
    document.addEventListener(
      'keydown',
      (e) => {
        if (!e.target?.closest('dialog') && !this.#key(e)) this.transport?.key(e);
      },
      { signal: this.#end.signal },
    );
  }

  close() {
    this.#end.abort();
    this.a?.playhead.detach();
    this.b?.playhead.detach();
    for (const url of this.#urls) if (url.startsWith('blob:')) URL.revokeObjectURL(url);
  }

  // open compares two keypoint records by their ids; without one of them, both are chosen first.
  // query says which person of each is meant, where everybody was followed, and whether B is to be mirrored.
  async open(source, target, query) {
    const [person, targetPerson] = ['person', 'targetPerson'].map((name) => Number(query.get(name)) || 0);
    if (!source || !target) {
      await choose(this.#app, this.el, source, target, person);
      return;
    }
    this.el.replaceChildren(h('p', { class: 'foot', role: 'status', t: 'compare.works' }));
    const [a, b] = await Promise.all([this.#read(source, person), this.#read(target, targetPerson)]);
    if (this.#end.signal.aborted) return;
    this.a = a;
    this.b = b;
    this.#flipped = query.has('mirror');
    this.#show();
    await this.#compare();
  }

  async #read(id, person) {
    const read = await beside(this.#app, id, person, this.#end.signal);
    if (read.url) this.#urls.push(read.url);
    return read;
  }

  #show() {
    const { a, b } = this;
    const film = h('section', { class: 'film', label: 'compare.title' });
    this.timeline = new Timeline(a.playhead);
    this.transport = new Transport(a.playhead, film, () => {});
    this.transport.el.querySelector('.btn--ghost').remove();
    this.transport.repetitions = () => this.#spans.map(({ first, last }) => [first, last]);
    this.#pill.addEventListener('click', () => this.#flip());
    a.stage.el.append(who('A', a.record, [a.record, b.record]));
    b.stage.el.append(who('B', b.record, [a.record, b.record]), legend(), this.#pill);
    a.stage.above.append(this.#ghost.el);
    a.stage.addEventListener('draw', () => this.#overlay());
    a.stage.addEventListener('view', () => this.#lock(a, b));
    b.stage.addEventListener('view', () => this.#lock(b, a));
    for (const { stage, measures } of [a, b]) new Joints(stage, measures);
    this.#sizes = [usual(a.record.frames), usual(b.record.frames)];
    const pair = h('div', { class: 'pair2' }, a.stage.el, b.stage.el);
    const outline = h(
      'label',
      { class: 'switch' },
      h('input', {
        type: 'checkbox',
        checked: true,
        on: {
          change: (e) => {
            this.#outline = e.target.checked;
            a.stage.draw();
          },
        },
      }),
      span('compare.outline'),
    );
    this.#bySync = segments(
      'compare.sync',
      [
        ['repetition', 'compare.repetition'],
        ['time', 'compare.time'],
        ['hand', 'compare.hand'],
      ],
      this.#sync,
      (v) => {
        this.#step(v);
        this.#follow();
        this.#chart();
      },
    );
    this.transport.el.querySelector('.transport__r').prepend(
      outline,
      segments(
        'compare.layout',
        [
          ['side', 'compare.side', 'side'],
          ['over', 'compare.over', 'ghost'],
        ],
        this.#mode,
        (v) => {
          this.#mode = v;
          pair.classList.toggle('pair2--over', v === 'over');
          if (b.element) (v === 'over' ? a.stage.el : b.stage.el).querySelector('.stage__p').append(b.element);
          b.element?.classList.toggle('ghost', v === 'over');
          a.stage.draw();
        },
      ),
      this.#bySync,
    );
    const movie = Boolean(a.record.movie);
    this.transport.el.hidden = this.timeline.el.hidden = !movie;
    film.append(pair, this.transport.el, this.#byHand(), this.timeline.el);
    this.#results = h('aside', { class: 'side', label: 'results.title' }, h('p', { class: 'foot', role: 'status', t: 'compare.works' }));
    const drawing = new Report();
    const movieButton = button(
      'compare.movie',
      () =>
        drawing.run(movieButton, 'draw.works', async (tell) => {
          const made = await this.#app.api.post('drawings/', {
            comparisonId: this.record.id,
            layout: this.#mode === 'over' ? 'ghost' : 'sideBySide',
            preset: 'sides',
            shrink: true,
          });
          const { drawingUrl } = await this.#app.api.finished(`drawings/${made.id}/`, { tell });
          h('a', { href: drawingUrl, download: called(`${a.record.name} - ${b.record.name}`, undefined, t('out.movie'), 'mp4') }).click();
        }),
      { icon: 'download', class: 'btn--line', disabled: true },
    );
    const report = button(
      'head.report',
      async () => {
        try {
          await showReport(this.#app, `comparisons/${this.record.id}/`, { name: `${a.record.name} - ${b.record.name}` });
        } catch (e) {
          this.#app.fail(e);
        }
      },
      { icon: 'report', class: 'btn--primary', disabled: true },
    );
    this.#after = [movieButton, report];
    this.el.replaceChildren(
      h(
        'div',
        { class: 'head' },
        h(
          'div',
          { class: 'head__t' },
          h('h1', {}, a.record.name, ' ', h('span', { class: 'quiet', t: 'compare.word' }), ' ', b.record.name),
          this.#about,
          drawing.el,
        ),
        h(
          'div',
          { class: 'head__a' },
          button(
            'compare.swap',
            () => {
              location.hash = address(['compare', b.record.id, a.record.id], {
                person: b.record.person || '',
                targetPerson: a.record.person || '',
              });
            },
            { icon: 'swap', class: 'btn--line' },
          ),
          button('head.share', () => this.#app.share(location.hash), { icon: 'link', class: 'btn--line' }),
          movieButton,
          report,
        ),
      ),
      film,
      this.#results,
    );
    a.playhead.addEventListener('frame', () => this.#follow());
    this.#mirror(this.#flipped);
    this.#follow();
  }

  #sizes = [1, 1];
  #bySync;
  #together = false; // whether B, moved by hand, goes with A
  #hand = h('div', { class: 'cmp__hand', hidden: true });

  // byHand is the row that moves B by itself, until it stands at the same moment as A.
  #byHand() {
    const { b } = this,
      { times, last } = b.playhead;
    const slider = h('input', {
      type: 'range',
      min: 0,
      max: last,
      step: 1,
      value: b.playhead.frame,
      label: 'compare.shift',
      on: {
        input: () => {
          b.playhead.seek(slider.valueAsNumber);
          this.#pairing.hold(this.a.playhead.frame, b.playhead.frame);
          this.a.stage.draw();
          if (this.#together) this.#chart();
        },
      },
    });
    const clock = h('output', { class: 'clock' });
    const tell = () => {
      slider.value = String(b.playhead.frame);
      slider.setAttribute('aria-valuetext', t('player.seconds', { seconds: times[b.playhead.frame].toFixed(2) }));
      clock.textContent = `${times[b.playhead.frame].toFixed(2)} / ${times[last].toFixed(2)} s`;
    };
    b.playhead.addEventListener('frame', tell);
    tell();
    const together = button('compare.together', () => this.#hold(!this.#together), {
      icon: 'link',
      class: 'btn--line btn--small',
      'aria-pressed': 'false',
    });
    this.#hand.replaceChildren(h('b', { t: 'compare.b' }), slider, clock, together, h('p', { class: 'foot', t: 'compare.hand.how' }));
    return this.#hand;
  }

  // hold lets B go with A from the moments that both show now, or by itself.
  #hold(on) {
    this.#together = on;
    this.#hand.querySelector('button')?.setAttribute('aria-pressed', String(on));
    const how = this.#hand.querySelector('.foot');
    if (how) say(how, on ? 'compare.hand.held' : 'compare.hand.how');
    this.#pairing.hold(this.a.playhead.frame, this.b.playhead.frame);
    this.#chart();
  }

  // step keeps the two in step by movement ("repetition"), by time or by hand.
  #step(by) {
    if (by === 'hand' && this.#sync !== 'hand') this.#hold(false);
    this.#sync = by;
    this.#bySync.choose(by);
    this.#hand.hidden = by !== 'hand';
  }

  #results;
  /** @type {HTMLButtonElement[]} */
  #after = [];
  /** @type {any[]} */
  #spans = []; // the repetitions of A, as the time axis shows them
  /** @type {string | null} */
  #shown = null; // the angle in the chart

  #follow() {
    const { a, b } = this;
    if (this.#sync !== 'hand' || this.#together) b.playhead.seek(this.#pairing.frame(this.#sync, a.playhead.frame));
    b.playhead.times.length > 1 && a.stage.draw();
    this.#differences?.show(
      this.#shown,
      this.#spans.findIndex((s) => a.playhead.frame >= s.first && a.playhead.frame <= s.last),
    );
  }

  // seen is B's body in the frame that is shown, as it is shown.
  #seen() {
    return this.b.stage.frames[this.b.playhead.frame];
  }

  // lock shows the same part of the body in the other stage, in the same size.
  #lock(from, to) {
    const { stage } = from,
      other = to.stage,
      view = stage.view;
    if (!stage.width || !other.width) return;
    const [size, otherSize] = from === this.a ? this.#sizes : [...this.#sizes].reverse(),
      k = otherSize / size;
    const place =
      laid(stage.frames[from.playhead.frame], other.frames[to.playhead.frame], k) ??
      (([x, y]) => [(x * other.size[0]) / stage.size[0], (y * other.size[1]) / stage.size[1]]);
    other.view = { following: view.following, centre: place(view.centre), k: view.k / k };
  }

  // overlay lays the body of B over that of A, as an outline or as a picture.
  #overlay() {
    const { a, b } = this;
    const put = this.#unlike ? null : laid(this.#seen(), a.record.frames[a.playhead.frame], this.#sizes[0] / this.#sizes[1]);
    this.#ghost.show(
      this.#outline && put ? b.stage.body(b.playhead.frame) : null,
      null,
      put ? (at) => a.stage.place(put(at)) : a.stage.place,
    );
    if (this.#mode !== 'over' || !b.element || !put) return;
    const corner = put([0, 0]),
      far = put([b.record.media.width, b.record.media.height]),
      k = a.stage.view.k;
    Object.assign(b.element.style, {
      left: `${corner[0] * k}px`,
      top: `${corner[1] * k}px`,
      width: `${(far[0] - corner[0]) * k}px`,
      height: `${(far[1] - corner[1]) * k}px`,
    });
  }

  #pill = h('button', { type: 'button', class: 'badge badge--flip' }, icon('mirror'), h('span'));
  #flipButton = button('compare.asFilmed', () => this.#flip(), { icon: 'mirror', class: 'btn--line btn--small' });

  // mirror shows B as in a mirror, or as it was filmed. Its left stays blue.
  #mirror(on) {
    const { b } = this,
      { record } = b;
    this.#flipped = on;
    b.element?.classList.toggle('mirrored', on !== Boolean(record.mirrored));
    b.stage.points(on ? record.frames.map((f) => flipped(f, record.media.width)) : record.frames, record.scores, record.hidden);
    this.#pill.setAttribute('aria-pressed', String(on));
    say(this.#pill.lastElementChild, on ? 'compare.isMirrored' : 'compare.isFilmed');
    say(this.#flipButton.lastElementChild, on ? 'compare.asFilmed' : 'compare.asMirror');
    this.a.stage.draw();
  }

  // flip turns B round. Two that face opposite sides are compared mirrored however B is shown.
  #flip() {
    this.#mirror(!this.#flipped);
    if (this.#opposite || !this.record) return;
    keep({ mirror: this.#flipped ? 1 : '' });
    this.#compare().catch((e) => this.#app.fail(e));
  }

  async #compare() {
    const { a, b } = this,
      wanted = this.#flipped;
    const studies = Promise.all([a, b].map((x) => x.measures.study()));
    let record = await made(this.#app.api, a.record, b.record, wanted);
    if (!wanted && record.warnings.some((w) => w.code === 'mirrored')) {
      record = await made(this.#app.api, a.record, b.record, true);
      this.#opposite = true;
    }
    await studies;
    if (this.#end.signal.aborted || (wanted !== this.#flipped && !this.#opposite)) return;
    this.record = record;
    this.#unlike = record.warnings.some((w) => w.code === 'notTheSameMovement');
    if (this.#opposite) this.#mirror(!this.#unlike);
    this.#pairing = new Pairing(a.playhead.times, b.playhead.times, this.#unlike ? {} : record);
    if (this.#sync !== 'hand' && record.shift && record.repetitions?.length && !this.#unlike) this.#step('repetition');
    for (const b of this.#after) b.disabled = false;
    if ((a.record.movie ?? 0) <= 0 || this.#app.library.given(b.record)) this.#after[0].hidden = true;
    const own = a.measures.overview?.repetitions?.list ?? [];
    this.#spans = this.#pairing.spans(own);
    this.timeline.repetitions(this.#spans);
    this.#tellAbout();
    await this.#tell();
    this.#follow();
  }

  // tellAbout says from where both were filmed, and how many repetitions are laid on each other.
  #tellAbout() {
    const { a, b, record } = this,
      seen = [a, b].map((x) => x.measures.facing),
      n = this.#unlike ? 0 : (record.repetitions?.length ?? 0),
      all = this.#spans.length;
    const text = [
      ...(seen[0] && seen[1] ? [t('compare.views', { a: number(seen[0].view, '°'), b: number(seen[1].view, '°') })] : []),
      ...(n && all ? [t(n < all ? 'compare.partners' : 'compare.laid', { n, all })] : []),
    ];
    this.#about.replaceChildren(
      ...(text.length
        ? [icon(record.warnings.length || this.#opposite || n < all ? 'care' : 'good'), h('span', {}, text.join(' · '))]
        : []),
    );
  }

  // tell says what differs, and charts it.
  async #tell() {
    const { a, record } = this;
    const told = (this.#differences = new Differences(record, {
      go: (d) => this.#go(d),
      spans: this.#spans,
      lead: a.measures.lead,
      seconds: (frame) => (a.record.movie ? `${a.playhead.times[frame].toFixed(2)} s` : ''),
    }));
    this.#shown = told.first?.angle ?? null;
    const care = cautions(record, this.#opposite, a.record.id, this.#flipButton);
    this.#results.replaceChildren(...(care ? [care] : []), ...told.cards, await past(this.#app));
    if (told.first && a.playhead.frame === 0 && !a.playhead.playing) this.#go(told.first);
    else this.#chart();
  }

  // go shows the moment of a difference, and charts its angle.
  #go({ angle, frame }) {
    const { a } = this;
    this.#shown = angle;
    if (this.record.shift) this.#step('repetition');
    a.playhead.pause();
    a.playhead.seek(frame);
    this.#chart();
    this.#follow();
  }

  // key goes to the repetition before or after with the square brackets.
  #key(e) {
    const by = { '[': -1, ']': 1 }[e.key];
    if (!by || e.ctrlKey || e.metaKey || e.target.matches('input:not([type=checkbox]), textarea, select') || !this.#spans.length)
      return false;
    const { playhead } = this.a,
      here = this.#spans.findIndex((s) => playhead.frame <= s.last),
      inside = here >= 0 && playhead.frame >= this.#spans[here].first;
    const n = here < 0 ? (by < 0 ? this.#spans.length - 1 : -1) : here + (by > 0 && !inside ? 0 : by);
    if (!this.#spans[n]) return true;
    const d = this.#shown && this.#differences?.at(this.#shown, n);
    if (d) this.#go(d);
    else {
      playhead.pause();
      playhead.at(this.#spans[n].turn);
    }
    return true;
  }

  #chart() {
    const { a, b, timeline } = this;
    if (!a.record.movie || !this.#shown) return;
    const { choice, side, type } = named[this.#shown],
      other = otherSide(side, this.record.mirror);
    a.measures.choose([choice], side || 'both');
    b.measures.choose([choice], other || 'both');
    const [ra, rb] = [a, b].map((x) => x.measures.results(choice)[0]);
    if (!ra || !rb) return;
    timeline.charts([
      new Chart({
        key: side ? `joint.${side}.${type}` : `type.${type}`,
        unit: ra.unit,
        x: timeline.x,
        series: [
          { side: side || 'trunk', name: 'A', values: ra.values, dashed: false },
          {
            side: other || 'trunk',
            name: 'B',
            values: a.playhead.times.map((_, i) =>
              this.#pairing.paired(this.#sync, i) ? (rb.values[this.#pairing.frame(this.#sync, i)] ?? null) : null,
            ),
            dashed: true,
          },
        ],
      }),
    ]);
    keep({ show: this.#shown });
  }
}
