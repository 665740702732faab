// The values of a recording: analyses by rules, as charts with repetitions.
import { h, button, field, select, save, csv } from './dom.js';
import { t, when } from './i18n.js';
import { Chart } from './chart.js';
import { Point } from './points.js';
import { Report, Rules } from './rules.js';

const points = { vectorAngle: 3, rotationAngle: 3, jointFlexion: 3, coordinate: 1, horizontalDifference: 2,
  verticalDifference: 2, euclideanDistance: 2, segmentAngle: 2, speed: 1, angularVelocity: 3,
  kneeFlexion: 0, hipFlexion: 0, ankleDorsiflexion: 0, elbowFlexion: 0, shoulderFlexion: 0, shoulderAbduction: 0,
  trunkLean: 0, pelvicTilt: 0, neckFlexion: 0 };
const units = { vectorAngle: 'unit.deg', rotationAngle: 'unit.deg', jointFlexion: 'unit.deg', segmentAngle: 'unit.deg', speed: 'unit.pxs', angularVelocity: 'unit.degs',
  kneeFlexion: 'unit.deg', hipFlexion: 'unit.deg', ankleDorsiflexion: 'unit.deg', elbowFlexion: 'unit.deg', shoulderFlexion: 'unit.deg', shoulderAbduction: 'unit.deg',
  trunkLean: 'unit.deg', pelvicTilt: 'unit.deg', neckFlexion: 'unit.deg' };
const sided = ['kneeFlexion', 'hipFlexion', 'ankleDorsiflexion', 'elbowFlexion', 'shoulderFlexion', 'shoulderAbduction'];
const first = ['leftHip', 'leftKnee', 'leftAnkle'];

// plain are the units in files.
const plain = { 'unit.deg': 'deg', 'unit.degs': 'deg/s', 'unit.px': 'px', 'unit.pxs': 'px/s' };

// unitOf returns the key of the unit of a result.
const unitOf = (type) => units[type] ?? 'unit.px';

// ruleRow edits one analysis rule.
function ruleRow(movie) {
  const types = Object.keys(points).filter((type) => movie || (type !== 'speed' && type !== 'angularVelocity'));
  const place = h('div', { class: 'points' });
  let list = [];
  const fit = () => {
    const n = points[type.value];
    while (list.length > n) list.pop().el.remove();
    while (list.length < n) {
      const p = new Point(list.length + 1, first[list.length], () => {});
      list.push(p);
      place.append(p.el);
    }
    sideField.hidden = !sided.includes(type.value);
    counted.hidden = type.value === 'coordinate';
  };
  const side = select('rule.side', ['left', 'right'], 'side.');
  const sideField = field('rule.side', side, { hidden: true });
  const type = select('rule.type', types, 'type.', { on: { change: fit } });
  const statistic = select('rule.statistic', ['', 'max', 'min', 'mean', 'median'], 'statistic.', { on: { change: () => { target.disabled = !statistic.value; } } });
  const target = select('rule.target', ['all', 'positive', 'negative'], 'target.', { disabled: true });
  const way = select('cycles.way', ['', 'falls', 'rises'], 'cycles.');
  const by = h('input', { type: 'number', min: 0, step: 'any' });
  const counted = h('div', { class: 'pair' }, field('cycles.way', way), field('cycles.by', by));
  fit();
  const el = h('div', {}, field('rule.type', type), sideField, place,
    movie ? h('div', { class: 'pair' }, field('rule.statistic', statistic), field('rule.target', target)) : null, movie ? counted : null);
  return {
    el,
    get value() {
      const rule = { analysisType: type.value };
      if (list.length) rule.points = list.map((p) => p.value);
      if (sided.includes(type.value)) rule.side = side.value;
      if (movie && statistic.value) rule.movieOption = { statisticsType: statistic.value, targetValue: target.value };
      if (movie && !counted.hidden) rule.repetitions = { direction: way.value || null, prominence: by.valueAsNumber > 0 ? by.valueAsNumber : null };
      return rule;
    },
  };
}

export class Values {
  #api;
  #player;
  #recording;
  #report = new Report();
  #results = h('div', { class: 'results' });
  #past = h('select', { label: 'values.past', on: { change: () => this.#show(Number(this.#past.value)) } });
  #pastField = field('values.past', this.#past, { hidden: true });
  #charts = [];

  constructor(api, player) {
    this.#api = api;
    this.#player = player;
    this.el = h('div', {});
    player.addEventListener('frame', ({ detail }) => this.#charts.forEach((c) => c.cursor(detail)));
  }

  // load shows the analyses of a recording.
  async load(recording) {
    this.#recording = recording;
    this.#clear();
    const rules = new Rules(() => ruleRow(Boolean(recording.movie)), 1);
    const run = button('values.run', () => this.#report.run(run, 'values.works', () => this.#analyse(rules)), { class: 'main' });
    this.el.replaceChildren(h('h3', { t: 'values.rules' }), rules.el, run, this.#report.el, this.#pastField, this.#results);
    const all = (await this.#api.all('analyses/')).filter((a) => a.keypoint === recording.id && a.execStatus === 'SUCCESS');
    if (recording !== this.#recording) return;
    this.#past.replaceChildren(...all.map((a) => this.#option(a)));
    this.#pastField.hidden = all.length === 0;
    if (all.length) await this.#show(all[0].id);
  }

  #clear() {
    this.#charts = [];
    this.#results.replaceChildren();
  }

  #option(a) { return h('option', { value: a.id }, `#${a.id} · ${when(a.createdAt)}`); }

  async #analyse(rules) {
    const recording = this.#recording;
    const made = await this.#api.post('analyses/', { keypointId: recording.id, rule: rules.value });
    await this.#api.finished(`analyses/${made.id}/`);
    if (recording !== this.#recording) return;
    this.#past.prepend(this.#option(made));
    this.#past.value = made.id;
    this.#pastField.hidden = false;
    await this.#show(made.id);
  }

  async #show(id) {
    const recording = this.#recording;
    const record = await this.#api.get(`analyses/${id}/`);
    if (recording !== this.#recording) return;
    this.#clear();
    this.#results.append(...record.result.map((r) => this.#result(r)), h('p', { class: 'downloads' },
      button('save.json', () => save(`analysis-${id}.json`, 'application/json', JSON.stringify(record, null, 1))),
      button('save.csv', () => save(`analysis-${id}.csv`, 'text/csv', this.#csv(record)))));
  }

  // result shows the values of one rule.
  #result(result) {
    const unit = unitOf(result.analysisType);
    const { times } = this.#recording;
    const el = h('article', { class: 'result' }, h('h4', { t: `type.${result.analysisType}` }), h('p', { class: 'note', lang: 'en' }, result.description));
    const number = (v) => (v === null ? t('chart.none') : [v].flat().map((x) => Number(x.toFixed(3))).join(', '));
    for (const w of result.warnings ?? []) {
      const go = button(times ? `${times[w.from].toFixed(2)} – ${times[w.to].toFixed(2)} s` : 'kind.image', () => this.#player.step(w.from - this.#player.frame), { class: 'link' });
      el.append(h('p', { class: 'verdict usable' }, h('span', { t: `warning.${w.code}` }), ' ', times ? go : null, h('span', { class: 'note', lang: 'en' }, ` ${w.detail}`)));
    }
    const option = result.movieOption;
    if (option) {
      el.append(h('p', {}, h('span', { t: `statistic.${option.statisticsType}` }), `: ${number(option.value)} `, h('span', { t: unit })));
    }
    if (!times) {
      el.append(h('p', { class: 'figure' }, `${number(result.values[0])} `, h('span', { t: unit })));
      return el;
    }
    const pair = result.analysisType === 'coordinate';
    const series = pair
      ? ['x', 'y'].map((name, i) => ({ name, values: result.values.map((v) => v?.[i] ?? null) }))
      : [{ name: '', values: result.values }];
    const chart = new Chart((frame) => this.#player.step(frame - this.#player.frame));
    this.#charts.push(chart);
    const data = { name: `type.${result.analysisType}`, unit, times, series, level: option && !pair ? option.value : null };
    el.append(chart.el);
    const list = result.repetitions?.list ?? [];
    chart.set({ ...data, cycles: list.map((c) => ({ start: c.start.frame, turn: c.turn.frame, end: c.end.frame })) });
    if (result.repetitions) el.append(this.#repetitions(list));
    chart.cursor(this.#player.frame);
    return el;
  }

  // repetitions lists them.
  #repetitions(list) {
    const head = ['cycles.number', 'cycles.start', 'cycles.turn', 'cycles.seconds', 'cycles.values'];
    const go = ({ frame, time }) => button(`${time.toFixed(2)} s`, () => this.#player.step(frame - this.#player.frame), { class: 'link' });
    const rows = list.map((c, i) => h('tr', {}, h('td', {}, String(i + 1)), h('td', {}, go(c.start)), h('td', {}, go(c.turn)),
      h('td', {}, c.duration.toFixed(2)), h('td', {}, [c.start, c.turn, c.end].map(({ value }) => Number(value.toFixed(1))).join(' → '))));
    const table = h('table', {}, h('thead', {}, h('tr', {}, ...head.map((key) => h('th', { scope: 'col', t: key })))), h('tbody', {}, ...rows));
    return h('details', { class: 'cycles', open: true }, h('summary', { t: 'cycles.title' }), h('p', { t: 'cycles.total', args: { n: list.length } }),
      rows.length ? h('div', { class: 'scroll', tabIndex: 0, role: 'region', label: 'cycles.title' }, table) : null);
  }

  // csv writes the values of all rules, a row for each frame.
  #csv(record) {
    const { times } = this.#recording;
    const columns = record.result.flatMap((r, i) => {
      const name = r.name ?? `${i + 1} ${r.analysisType}`; // records of older servers have neither name nor unit
      const unit = r.unit?.replace('°', 'deg') ?? plain[unitOf(r.analysisType)];
      if (r.analysisType !== 'coordinate') return [[`${name} [${unit}]`, (f) => r.values[f]]];
      return [0, 1].map((k) => [`${name} ${'xy'[k]} [${unit}]`, (f) => r.values[f]?.[k]]);
    });
    const rows = record.result[0].values.map((_, f) => [f, times?.[f], ...columns.map(([, at]) => at(f))]);
    return csv([['frame', 'time [s]', ...columns.map(([name]) => name)], ...rows]);
  }
}
