// @ts-check
// More than the presets: other values by rules of one's own, and the data themselves.
import { h, button, card, field, save, select } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { types } from '../base/names.js';
import { amount } from '../base/amount.js';
import { Report } from '../base/report.js';
import { Point, Rules } from './rules.js';

// kinds are the types of values, angles between points first.
const kinds = types.toSorted((a, b) => Number(/^(vector|rotation|joint)/.test(b.name)) - Number(/^(vector|rotation|joint)/.test(a.name)));
const first = ['leftHip', 'leftKnee', 'leftAnkle'];

// ruleRow edits one analysis rule.
function ruleRow(movie) {
  const names = kinds.map(({ name }) => name).filter((name) => movie || (name !== 'speed' && name !== 'angularVelocity'));
  const kind = () => kinds.find(({ name }) => name === type.value) ?? kinds[0];
  const place = h('div', { class: 'points' });
  const list = [];
  const fit = () => {
    const { points: n, sided } = kind();
    while (list.length > n) list.pop().el.remove();
    while (list.length < n) {
      const p = new Point(list.length + 1, first[list.length], () => {});
      list.push(p);
      place.append(p.el);
    }
    sideField.hidden = !sided;
  };
  const side = select('rule.side', ['left', 'right'], 'side.');
  const sideField = field('rule.side', side, { hidden: true });
  const type = select('rule.type', names, 'type.', { on: { change: fit } });
  const statistic = select('rule.statistic', ['', 'max', 'min', 'mean', 'median', 'range', 'standardDeviation'], 'statistic.', {
    on: {
      change: () => {
        target.disabled = !statistic.value;
      },
    },
  });
  const target = select('rule.target', ['all', 'positive', 'negative'], 'target.', { disabled: true });
  fit();
  return {
    el: h(
      'div',
      {},
      field('rule.type', type),
      sideField,
      place,
      movie ? h('div', { class: 'two' }, field('rule.statistic', statistic), field('rule.target', target)) : null,
    ),
    get value() {
      const rule = { analysisType: type.value };
      if (list.length) rule.points = list.map((p) => p.value);
      if (kind().sided) rule.side = side.value;
      if (movie && statistic.value) rule.movieOption = { statisticsType: statistic.value, targetValue: target.value };
      return rule;
    },
  };
}

export class More {
  #app;
  #view;
  /** @type {HTMLElement | null} */
  #el = null;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
  }

  panel() {
    this.#el ??= h(
      'div',
      { class: 'side' },
      this.#values(),
      this.#data(),
      button('tool.done', () => this.#view.tools.use('select'), { class: 'btn--line' }),
    );
    return this.#el;
  }

  #values() {
    const { api } = this.#app,
      { recording } = this.#view;
    const rules = new Rules(() => ruleRow(Boolean(recording.movie)), 1),
      report = new Report(),
      out = h('div', {});
    const run = button(
      'values.run',
      () =>
        report.run(run, 'values.works', async () => {
          const made = await api.post('analyses/', {
            keypointId: recording.id,
            ...(recording.person ? { person: recording.person } : {}),
            ...this.#view.measures.part,
            rule: rules.value,
          });
          this.#show(out, await api.finished(`analyses/${made.id}/`));
        }),
      { class: 'btn--primary' },
    );
    return card('more.values', {}, rules.el, h('div', { class: 'verdict__a' }, run), report.el, out);
  }

  // show lists the values of now, and what was summarized.
  #show(out, record) {
    const { playhead } = this.#view;
    const text = (v, unit) => (Array.isArray(v) ? v.map((x) => amount(x, unit)).join(', ') : amount(v, unit));
    const rows = record.result.map((r) => ({ r, now: h('td', { class: 'b' }) }));
    const now = () => {
      for (const { r, now: cell } of rows) cell.textContent = text(r.values[playhead.frame], r.unit);
    };
    playhead.addEventListener('frame', now);
    now();
    out.replaceChildren(
      h(
        'table',
        { class: 'tbl' },
        h('thead', {}, h('tr', {}, ...['values.what', 'values.now', 'rule.statistic'].map((key) => h('th', { scope: 'col', t: key })))),
        h(
          'tbody',
          {},
          ...rows.map(({ r, now: cell }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row', lang: 'en' }, r.name),
              cell,
              h('td', {}, r.movieOption ? `${t(`statistic.${r.movieOption.statisticsType}`)} ${text(r.movieOption.value, r.unit)}` : '–'),
            ),
          ),
        ),
      ),
      h(
        'div',
        { class: 'verdict__a' },
        button(
          'save.csv',
          async () => save(`analysis-${record.id}.csv`, 'text/csv', await this.#app.api.file(`analyses/${record.id}/?format=csv`)),
          { class: 'btn--line' },
        ),
        button('save.json', () => save(`analysis-${record.id}.json`, 'application/json', JSON.stringify(record, null, 1)), {
          class: 'btn--line',
        }),
      ),
    );
  }

  #data() {
    const { media, frames, id, movie, person } = this.#view.recording;
    const found = frames.filter((f) => Object.keys(f).length > 0).length;
    const row = (key, value) => h('tr', {}, h('th', { scope: 'row', t: key }), h('td', {}, String(value)));
    const of = person ? `&person=${person}` : '';
    const file = (format, ending) =>
      button(
        `save.${format}`,
        async () => {
          try {
            save(`keypoints-${id}.${ending}`, '', await this.#app.api.file(`keypoints/${id}/?format=${format}${of}`));
          } catch (e) {
            this.#app.fail(e);
          }
        },
        { class: 'btn--line' },
      );
    return card(
      'more.data',
      {},
      h(
        'table',
        { class: 'tbl' },
        h(
          'tbody',
          {},
          row('data.size', `${media.width} × ${media.height}`),
          row('data.frames', frames.length),
          row('data.found', found),
          ...(movie ? [row('data.fps', media.fps), row('data.time', media.time)] : []),
        ),
      ),
      h(
        'div',
        { class: 'verdict__a' },
        file('csv', 'csv'),
        file('jsonl', 'jsonl'),
        ...(movie ? [file('trc', 'trc')] : []),
        file('coco', 'json'),
      ),
    );
  }
}
