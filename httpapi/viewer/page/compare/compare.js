// @ts-check
// Two recordings side by side or over each other, under one slider; what differs most, in degrees.
import { h, button, card, segments, span } from '../base/dom.js';
import { t, day, language } from '../base/i18n.js';
import { showReport } from '../base/window.js';
import { icon } from '../base/icons.js';
import { amount, Chart } from '../player/chart.js';
import { beside } from '../numbers/beside.js';
import { angles } from '../numbers/measures.js';
import { nameOf } from '../numbers/results.js';
import { plusMinus } from '../numbers/trust.js';
import { frameAt } from '../player/playhead.js';
import { past } from '../library/past.js';
import { address, keep } from '../base/route.js';
import { Skeleton } from '../player/skeleton.js';
import { legend } from '../player/stage.js';
import { Timeline } from '../player/timeline.js';
import { Transport } from '../player/transport.js';
import { Report } from '../base/report.js';

// bodyOf is where the body of a frame is, and how large: the middle of the hips, and the way from there to the shoulders.
function bodyOf(points) {
  const mid = (part) => {
    const [a, b] = [points?.[`left${part}`], points?.[`right${part}`]];
    return a && b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : a ?? b;
  };
  const hips = mid('Hip'), shoulders = mid('Shoulder');
  return hips && shoulders ? { hips, size: Math.hypot(hips[0] - shoulders[0], hips[1] - shoulders[1]) } : null;
}

const usual = (frames) => {
  const sizes = frames.map((f) => bodyOf(f)?.size).filter(Boolean).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
};

// nameOf is the choice of measures.js and the side that the name of an angle in a comparison stands for.
/** @type {{[name: string]: {choice: string, type: string, side: string}}} */
const named = Object.fromEntries(Object.entries(angles).flatMap(([choice, { type, sides }]) => (sides
  ? ['left', 'right'].map((side) => [side + type[0].toUpperCase() + type.slice(1), { choice, type, side }]) : [[type, { choice, type, side: '' }]])));

export class CompareView {
  #app;
  #end = new AbortController();
  /** @type {string[]} */
  #urls = [];
  #mode = 'side';
  #sync = 'time';
  #shift = 0; // frames that B is moved by hand
  #outline = true;
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

  constructor(app) {
    this.#app = app;
    this.el = h('main', { class: 'cmp', id: 'main', tabIndex: -1 });
    document.addEventListener('keydown', (e) => { if (!e.target?.closest('dialog')) this.transport?.key(e); }, { signal: this.#end.signal });
  }

  close() {
    this.#end.abort();
    this.a?.playhead.detach();
    this.b?.playhead.detach();
    for (const url of this.#urls) if (url.startsWith('blob:')) URL.revokeObjectURL(url);
  }

  // open compares two keypoint records by their ids; without one of them, both are chosen first.
  // query says which person of each is meant, where everybody was followed.
  async open(source, target, query) {
    const [person, targetPerson] = ['person', 'targetPerson'].map((name) => Number(query.get(name)) || 0);
    if (!source || !target) { await this.#choose(source, target, person); return; }
    this.el.replaceChildren(h('p', { class: 'foot', role: 'status', t: 'compare.works' }));
    const [a, b] = await Promise.all([this.#read(source, person), this.#read(target, targetPerson)]);
    if (this.#end.signal.aborted) return;
    this.a = a;
    this.b = b;
    this.#show();
    await this.#compare();
  }

  async #read(id, person) {
    const read = await beside(this.#app, id, person, this.#end.signal);
    if (read.url) this.#urls.push(read.url);
    return read;
  }

  // choose lists the recordings that can be compared, and past comparisons.
  async #choose(source, target, person) {
    const { library } = this.#app;
    while (!library.read && !library.problem) await new Promise((done) => library.addEventListener('change', done, { once: true }));
    while (library.more) await library.older();
    const fit = library.items.filter((i) => i.execStatus === 'SUCCESS');
    const pick = (key, id) => {
      const el = h('select', { label: key, class: 'pickone' }, ...fit.map((i) => h('option', { value: i.id }, `${i.media.name || t('list.unnamed')} · ${day(i.createdAt)}`)));
      if (id) el.value = id;
      return el;
    };
    const first = pick('compare.a', source || fit[0]?.id), second = pick('compare.b', target || fit.find((i) => i.id !== (source || fit[0].id))?.id);
    const before = h('div', {});
    this.el.replaceChildren(h('div', { class: 'cmp__choose' }, h('h1', { class: 'vh', t: 'compare.nav' }), card('compare.title', {},
      fit.length < 2 ? h('p', { class: 'say', t: 'compare.few' }) : h('p', { class: 'say', t: 'compare.what' }),
      h('div', { class: 'two' }, h('label', { class: 'field' }, span('compare.a'), first), h('label', { class: 'field' }, span('compare.b'), second)),
      h('div', { class: 'verdict__a' }, button('compare.run', () => { location.hash = address(['compare', first.value, second.value], { person: person && Number(first.value) === source ? person : '' }); }, { class: 'btn--primary', disabled: fit.length < 1 }))), before));
    before.replaceChildren(await past(this.#app));
  }

  #show() {
    const { a, b } = this;
    const film = h('section', { class: 'film', label: 'compare.title' });
    this.timeline = new Timeline(a.playhead);
    this.transport = new Transport(a.playhead, film, () => {});
    this.transport.el.querySelector('.btn--ghost').remove();
    this.transport.repetitions = () => this.#spans.map(({ first, last }) => [first, last]);
    a.stage.el.append(this.#who('A', a));
    b.stage.el.append(this.#who('B', b), legend());
    a.stage.above.append(this.#ghost.el);
    a.stage.addEventListener('draw', () => this.#overlay());
    const pair = h('div', { class: 'pair2' }, a.stage.el, b.stage.el);
    const outline = h('label', { class: 'switch' }, h('input', { type: 'checkbox', checked: true, on: { change: (e) => { this.#outline = e.target.checked; a.stage.draw(); } } }), span('compare.outline'));
    const hand = h('input', { type: 'range', min: -b.playhead.last, max: b.playhead.last, step: 1, value: 0, label: 'compare.shift', hidden: true, on: { input: () => { this.#shift = hand.valueAsNumber; this.#follow(); } } });
    this.#bySync = segments('compare.sync', [['repetition', 'compare.repetition'], ['time', 'compare.time'], ['hand', 'compare.hand']], this.#sync, (v) => { this.#step(v); this.#follow(); this.#chart(); });
    this.#hand = hand;
    this.transport.el.querySelector('.transport__r').prepend(outline,
      segments('compare.layout', [['side', 'compare.side', 'side'], ['over', 'compare.over', 'ghost']], this.#mode, (v) => {
        this.#mode = v;
        pair.classList.toggle('pair2--over', v === 'over');
        if (b.element) (v === 'over' ? a.stage.el : b.stage.el).querySelector('.stage__p').append(b.element);
        b.element?.classList.toggle('ghost', v === 'over');
        a.stage.draw();
      }), this.#bySync, hand);
    const movie = Boolean(a.record.movie);
    this.transport.el.hidden = this.timeline.el.hidden = !movie;
    film.append(pair, this.transport.el, this.timeline.el);
    this.#results = h('aside', { class: 'side', label: 'results.title' }, h('p', { class: 'foot', role: 'status', t: 'compare.works' }));
    const drawing = new Report();
    const movieButton = button('compare.movie', () => drawing.run(movieButton, 'draw.works', async (tell) => {
      const made = await this.#app.api.post('drawings/', { comparisonId: this.record.id, layout: this.#mode === 'over' ? 'ghost' : 'sideBySide' });
      const { drawingUrl } = await this.#app.api.finished(`drawings/${made.id}/`, { tell });
      h('a', { href: drawingUrl, download: '' }).click();
    }), { icon: 'download', class: 'btn--line', disabled: true });
    const report = button('head.report', async () => {
      try {
        await showReport(this.#app, `comparisons/${this.record.id}/`, { name: `${a.record.name} - ${b.record.name}` });
      } catch (e) { this.#app.fail(e); }
    }, { icon: 'report', class: 'btn--primary', disabled: true });
    this.#after = [movieButton, report];
    this.el.replaceChildren(h('div', { class: 'head' }, h('div', { class: 'head__t' }, h('h1', {}, a.record.name, ' ', h('span', { class: 'quiet', t: 'compare.word' }), ' ', b.record.name), h('p', { class: 'head__m' }, drawing.el)),
      h('div', { class: 'head__a' }, button('compare.swap', () => { location.hash = address(['compare', b.record.id, a.record.id], { person: b.record.person || '', targetPerson: a.record.person || '' }); }, { icon: 'swap', class: 'btn--line' }),
        button('head.share', () => this.#app.share(location.hash), { icon: 'link', class: 'btn--line' }), movieButton, report)), film, this.#results);
    a.playhead.addEventListener('frame', () => this.#follow());
    this.#follow();
  }

  // who names one of the two, with the choice of the person where everybody was followed.
  #who(name, { record }) {
    const { people = [] } = record;
    /** @type {HTMLSelectElement | null} */
    const choice = people.length < 2 ? null : h('select', { label: 'compare.person', labelArgs: { name }, on: { change: () => {
      const [source, target] = [this.a.record, this.b.record];
      record.person = Number(choice?.value);
      location.hash = address(['compare', source.id, target.id], { person: source.person || '', targetPerson: target.person || '' });
    } } }, ...people.map(({ track }, i) => h('option', { value: track }, t('person.n', { n: i + 1 }))));
    if (choice) choice.value = record.person || people.find((p) => p.chosen).track;
    return h('span', { class: 'who' }, h('b', {}, name), h('span', {}, record.name), choice);
  }

  #bySync;
  #hand;

  // step keeps the two in step by movement ("repetition"), by time or by hand.
  #step(by) {
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

  // map is the frame of B that belongs to a frame of A. By movement, it is the one whose angles the service has
  // compared, so that pictures and degrees agree.
  #map(frame) {
    const { a, b } = this;
    const moved = this.#sync === 'repetition' ? this.record?.shift?.[frame] ?? 0 : 0;
    const time = a.playhead.times[frame] - a.playhead.times[0] + b.playhead.times[0] + moved, { times } = b.playhead;
    const before = frameAt(times, time), near = times[before + 1] - time < time - times[before] ? before + 1 : before;
    return Math.min(b.playhead.last, Math.max(0, near + (this.#sync === 'hand' ? this.#shift : 0)));
  }

  // paired reports whether a frame of A has a counterpart.
  #paired(frame) { return this.#sync !== 'repetition' || typeof this.record?.shift?.[frame] === 'number'; }

  #follow() {
    this.b.playhead.seek(this.#map(this.a.playhead.frame));
    this.b.playhead.times.length > 1 && this.a.stage.draw();
    for (const { el, name } of this.#rows) el.setAttribute('aria-pressed', String(name === this.#shown));
  }

  /** @type {{el: HTMLElement, name: string}[]} */
  #rows = [];

  // overlay lays the body of B over that of A, as an outline or as a picture.
  #overlay() {
    const { a, b } = this;
    const from = bodyOf(b.record.frames[b.playhead.frame]), to = bodyOf(a.record.frames[a.playhead.frame]);
    this.#sizes ??= [usual(a.record.frames), usual(b.record.frames)];
    const k = this.#sizes[0] / this.#sizes[1];
    const put = from && to ? ([x, y]) => a.stage.place([to.hips[0] + (x - from.hips[0]) * k, to.hips[1] + (y - from.hips[1]) * k]) : null;
    this.#ghost.show(this.#outline && put ? b.record.frames[b.playhead.frame] : null, null, put ?? a.stage.place);
    if (this.#mode !== 'over' || !b.element || !put) return;
    const corner = put([0, 0]), far = put([b.record.media.width, b.record.media.height]), origin = a.stage.place([0, 0]);
    Object.assign(b.element.style, { left: `${corner[0] - origin[0]}px`, top: `${corner[1] - origin[1]}px`, width: `${far[0] - corner[0]}px`, height: `${far[1] - corner[1]}px` });
  }

  /** @type {number[] | null} */
  #sizes = null;

  async #compare() {
    const { a, b } = this;
    const studies = Promise.all([a, b].map((x) => x.measures.study()));
    let record = await this.#made(false);
    if (record.warnings.some((w) => w.code === 'mirrored')) record = await this.#made(true);
    this.record = record;
    await studies;
    if (this.#end.signal.aborted) return;
    if (this.record.shift && this.record.repetitions?.length) this.#step('repetition');
    for (const b of this.#after) b.disabled = false;
    if ((a.record.movie ?? 0) <= 0 || this.#app.library.given(b.record)) this.#after[0].hidden = true;
    this.#spans = (a.measures.overview?.repetitions?.list ?? []).map((one) => ({ first: one.start.frame, last: one.end.frame, from: one.start.time, to: one.end.time, turn: one.turn.time, flag: one.shallow || !one.complete }));
    this.timeline.repetitions(this.#spans);
    await this.#tell();
    this.#follow();
  }

  // made finds a comparison of the two that was made before and still holds, or has one made.
  async #made(mirror) {
    const { api } = this.#app, [source, target] = [this.a.record, this.b.record];
    const shift = Boolean(source.movie && target.movie);
    const same = (await api.get(`comparisons/?keypointId=${source.id}&size=100&execStatus=SUCCESS`)).data.filter((c) => c.source === source.id && c.target === target.id);
    for (const { id } of same.slice(0, 4)) {
      const record = await api.get(`comparisons/${id}/`);
      if (record.largest && record.warnings && !record.outdated && Boolean(record.shift) === shift && Boolean(record.mirror) === mirror
        && (record.person ?? 0) === source.person && (record.targetPerson ?? 0) === target.person) return record;
    }
    const made = await api.post('comparisons/', { sourceId: source.id, targetId: target.id, ...(source.person ? { person: source.person } : {}), ...(target.person ? { targetPerson: target.person } : {}), angles: true, score: true, mirror, ...(shift ? { shift: true, alignment: 'dtw' } : {}) });
    return api.finished(`comparisons/${made.id}/`);
  }

  // tell says what differs most, shows the differences at the turns, and a chart of the greatest.
  async #tell() {
    const { record } = this, { mirror, warnings, repetitions } = record;
    const unlike = warnings.some((w) => w.code === 'notTheSameMovement');
    const most = unlike ? [] : record.largest.filter(({ angle }) => angle in named);
    this.#rows = [];
    this.#shown = most[0]?.angle ?? null;
    const care = [...(mirror ? [h('p', { t: 'compare.mirrored' })] : []), ...warnings.filter((w) => w.code !== 'mirrored').map((w) => h('p', {}, w.sentence[language]))];
    const box = care.length ? h('section', { class: 'verdict verdict--care', role: 'status' }, h('div', {},
      h('h2', {}, icon('care'), span(unlike ? 'compare.unlike' : mirror ? 'compare.opposite' : 'compare.care')), ...care)) : null;
    const [top] = most;
    const told = top ? h('section', { class: 'card big' }, h('h2', { class: 'big__t' }, top.sentence[language]),
      h('p', {}, t('compare.pm', { uncertainty: `${plusMinus(top.uncertainty, '°')}°` })))
      : unlike ? null : h('section', { class: 'card' }, h('p', { class: 'say', t: 'compare.nothing' }));
    const table = unlike ? null : repetitions?.some((r) => r.at?.length) ? this.#twins(repetitions) : most.length ? this.#list(most.slice(0, 6)) : null;
    this.#results.replaceChildren(...[box, told, table, await past(this.#app)].filter((el) => el !== null));
    await this.#chart();
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

  #joint(angle) {
    const { type: analysisType, side } = named[angle];
    return h('span', { class: 'j' }, h('i', { class: `dot ${side || 'trunk'}` }), nameOf({ analysisType, side }));
  }

  // twins is the table of the differences at the turns: a row for each angle, a column for each repetition.
  #twins(repetitions) {
    const rows = [...new Set(repetitions.flatMap((r) => (r.at ?? []).map((d) => d.angle)))].filter((angle) => angle in named);
    const cell = (d) => {
      if (!d) return h('td', { class: 'none' }, '–');
      const el = h('button', { type: 'button', 'aria-pressed': 'false', on: { click: () => this.#go(d) } },
        h('b', {}, `${d.difference > 0 ? '+' : ''}${amount(d.difference, '°').replace('-', '−')}`), h('small', {}, `${amount(d.source, '°')} → ${amount(d.target, '°')}`));
      this.#rows.push({ el, name: d.angle });
      return h('td', { class: d.sure ? 'd' : '' }, el);
    };
    const shown = repetitions.slice(0, 5);
    return card('compare.turns', { note: 'compare.ab' }, h('div', { class: 'scroll', tabIndex: 0, role: 'group', label: 'compare.turns' }, h('table', { class: 'mx' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col', t: 'values.of' }), ...shown.map((_, k) => h('th', { scope: 'col' }, t('compare.rep', { n: k + 1 }))))),
      h('tbody', {}, ...rows.map((angle) => h('tr', {}, h('th', { scope: 'row' }, this.#joint(angle)), ...shown.map((r) => cell(r.at?.find((d) => d.angle === angle)))))))),
    h('p', { class: 'foot', t: 'compare.bold' }));
  }

  // list is what differs most where there are no repetitions.
  #list(most) {
    return card('compare.most', { note: 'compare.ab' }, h('ul', { class: 'diff' }, ...most.map((m) => {
      const el = h('button', { type: 'button', 'aria-pressed': 'false', on: { click: () => this.#go(m) } },
        h('span', {}, h('b', {}, this.#joint(m.angle)), h('small', {}, this.a.record.movie ? `${this.a.playhead.times[m.frame].toFixed(2)} s` : '')),
        h('span', { class: 'quiet' }, `${amount(m.source, '°')} → ${amount(m.target, '°')}`), h('strong', {}, `${Math.round(Math.abs(m.difference))}°`));
      this.#rows.push({ el, name: m.angle });
      return h('li', {}, el);
    })));
  }

  async #chart() {
    const { a, b, timeline } = this;
    if (!a.record.movie || !this.#shown) return;
    const { choice, side, type } = named[this.#shown];
    const other = this.record.mirror ? { left: 'right', right: 'left' }[side] ?? side : side;
    const of = (x, side) => x.measures.results(choice).find((r) => (r.side ?? '') === side);
    const [ra, rb] = [of(a, side), of(b, other)];
    if (!ra || !rb) return;
    const look = side || 'trunk';
    timeline.charts([new Chart({ key: side ? `joint.${side}.${type}` : `type.${type}`, unit: ra.unit, x: timeline.x, series: [
      { side: look, name: 'A', values: ra.values, dashed: false },
      { side: other || 'trunk', name: 'B', values: a.playhead.times.map((_, i) => (this.#paired(i) ? rb.values[this.#map(i)] ?? null : null)), dashed: true }] })]);
    keep({ show: this.#shown });
  }
}
