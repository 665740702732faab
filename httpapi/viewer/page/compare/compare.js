// @ts-check
// Two recordings side by side or over each other, under one slider; what differs most, in degrees.
import { h, button, card, save, segments, span } from '../base/dom.js';
import { t, day } from '../base/i18n.js';
import { amount, Chart } from '../player/chart.js';
import { angles, Measures } from '../numbers/measures.js';
import { frameAt, Playhead } from '../player/playhead.js';
import { past } from '../library/past.js';
import { address, keep } from '../base/route.js';
import { Skeleton } from '../player/skeleton.js';
import { legend, Stage } from '../player/stage.js';
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
  /** @type {Awaited<ReturnType<CompareView['read']>>} */
  a;
  /** @type {Awaited<ReturnType<CompareView['read']>>} */
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
    const [a, b] = await Promise.all([this.read(source, person), this.read(target, targetPerson)]);
    if (this.#end.signal.aborted) return;
    this.a = a;
    this.b = b;
    this.#show();
    await this.#compare();
  }

  async read(id, person) {
    const record = await this.#app.api.get(`keypoints/${id}/?include=scores,timestamps${person ? `&person=${person}` : ''}`, this.#end.signal);
    const media = await this.#app.library.media(record);
    const url = await this.#app.library.source(record, media);
    if (url) this.#urls.push(url);
    const movie = Boolean(record.movie);
    const r = { ...record, media, person, frames: record.keypoint ?? [], times: movie ? record.timestamps : [0], name: media.name || t('list.unnamed') };
    const slow = r.capture?.frameRate && media.fps ? r.capture.frameRate / media.fps : 1;
    const element = !url ? null : movie ? h('video', { src: url, muted: true, playsInline: true, preload: 'auto', tabIndex: -1, 'aria-hidden': 'true' }) : h('img', { src: url, alt: '' });
    const playhead = new Playhead(r.times, r.times.map((s) => s * slow)), stage = new Stage(playhead);
    stage.load({ media: element, size: [media.width, media.height], frames: r.frames, scores: r.scores });
    if (element instanceof HTMLVideoElement) playhead.attach(element);
    if (!element) stage.tell('player.noFile');
    return { record: r, playhead, stage, element, measures: new Measures(this.#app.api, r) };
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
        save(`${a.record.name} - ${b.record.name}.html`, 'text/html', await this.#app.api.file(`comparisons/${this.record.id}/?format=report&language=${document.documentElement.lang}`));
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
    const { api } = this.#app, { a, b } = this;
    const both = Boolean(a.record.movie && b.record.movie);
    await Promise.all([a, b].map((x) => x.measures.study()));
    const lead = both ? [a, b].find((x) => x.measures.overview?.repetitions)?.measures.lead : null;
    const rule = lead ? { analysisType: lead.analysisType, ...(lead.side ? { side: lead.side } : {}) } : null;
    this.record = await this.#made(both, Boolean(rule));
    if (!this.record) {
      const made = await api.post('comparisons/', { sourceId: a.record.id, targetId: b.record.id, ...(a.record.person ? { person: a.record.person } : {}), ...(b.record.person ? { targetPerson: b.record.person } : {}), angles: true, score: true, ...(both ? { shift: true, alignment: 'dtw' } : {}), ...(rule ? { repetitions: rule } : {}) });
      this.record = await api.finished(`comparisons/${made.id}/`);
    }
    if (this.#end.signal.aborted) return;
    if (this.record.shift) this.#step('repetition');
    for (const b of this.#after) b.disabled = false;
    if (!a.record.movie) this.#after[0].hidden = true;
    this.#spans = (a.measures.overview?.repetitions?.list ?? []).map((one) => ({ first: one.start.frame, last: one.end.frame, from: one.start.time, to: one.end.time, turn: one.turn.time, flag: one.shallow || !one.complete }));
    this.timeline.repetitions(this.#spans);
    await this.#tell();
    this.#follow();
  }

  // made finds a comparison of the two that was made before and still holds, or null.
  async #made(shift, repetitions) {
    const { api } = this.#app, [source, target] = [this.a.record.id, this.b.record.id];
    const same = (await api.get(`comparisons/?keypointId=${source}&size=100&execStatus=SUCCESS`)).data.filter((c) => c.source === source && c.target === target);
    for (const { id } of same.slice(0, 4)) {
      const record = await api.get(`comparisons/${id}/`);
      if (record.largest && !record.outdated && Boolean(record.shift) === shift && Boolean(record.repetitions) === repetitions
        && (record.person ?? 0) === this.a.record.person && (record.targetPerson ?? 0) === this.b.record.person) return record;
    }
    return null;
  }

  // tell shows what differs most, the past, and a chart of the greatest.
  async #tell() {
    const { a, record } = this;
    const most = (record.largest ?? []).filter(({ angle }) => angle in named).slice(0, 6);
    const joint = ({ type, side }) => (side ? t(`joint.${side}.${type}`) : t(`type.${type}`));
    const words = (m) => t(Math.abs(m.difference) < 0.5 ? 'compare.same' : m.difference > 0 ? 'compare.more' : 'compare.less');
    const when = (m) => {
      const n = this.#spans.findIndex(({ first, last }) => m.frame >= first && m.frame <= last);
      return [...(n >= 0 ? [t('repetition.n', { n: n + 1 })] : []), ...(a.record.movie ? [`${a.playhead.times[m.frame].toFixed(2)} s`] : [])].join(', ');
    };
    this.#rows = most.map((m) => {
      const what = named[m.angle];
      const el = h('button', { type: 'button', 'aria-pressed': 'false', on: { click: () => { this.#shown = m.angle; if (record.shift) this.#step('repetition'); a.playhead.pause(); a.playhead.seek(m.frame); this.#chart(); this.#follow(); } } },
        h('span', {}, h('b', {}, h('i', { class: `dot ${what.side || 'trunk'}` }), joint(what)), h('small', {}, [words(m), when(m)].filter(Boolean).join(' · '))),
        h('span', { class: 'quiet' }, `${amount(m.source, '°')} → ${amount(m.target, '°')}`), h('strong', {}, `${Math.round(Math.abs(m.difference))}°`));
      return { el, name: m.angle };
    });
    const top = most[0];
    this.#shown = top?.angle ?? null;
    this.#results.replaceChildren(
      top ? h('section', { class: 'card big', 'aria-labelledby': 'big' }, h('h2', { id: 'big', class: 'card__n', t: 'compare.biggest' }),
        h('div', { class: 'big__n' }, `${Math.round(Math.abs(top.difference))}°`, h('small', {}, `${joint(named[top.angle])}: ${words(top)}`)), h('p', {}, when(top)))
        : h('section', { class: 'card' }, h('p', { class: 'say', t: 'compare.nothing' })),
      ...(most.length ? [card('compare.most', { note: 'compare.ab' }, h('ul', { class: 'diff' }, ...this.#rows.map(({ el }) => h('li', {}, el))))] : []),
      await past(this.#app));
    await this.#chart();
  }

  async #chart() {
    const { a, b, timeline } = this;
    if (!a.record.movie || !this.#shown) return;
    const { choice, side, type } = named[this.#shown];
    const of = (x) => x.measures.results(choice).find((r) => (r.side ?? '') === side);
    const [ra, rb] = [of(a), of(b)];
    if (!ra || !rb) return;
    const look = side || 'trunk';
    timeline.charts([new Chart({ key: side ? `joint.${side}.${type}` : `type.${type}`, unit: ra.unit, x: timeline.x, series: [
      { side: look, name: 'A', values: ra.values, dashed: false },
      { side: look, name: 'B', values: a.playhead.times.map((_, i) => rb.values[this.#map(i)] ?? null), dashed: true }] })]);
    keep({ show: this.#shown });
  }
}
