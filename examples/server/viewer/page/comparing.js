// Comparing the open recording with another one: both side by side, coloured by how far each
// part is off, a chart of the mean distance and a table of the parts.
import { h, button, field, select, save, csv } from './dom.js';
import { say } from './i18n.js';
import { Chart } from './chart.js';
import { Drawing } from './drawing.js';
import { matcher } from './match.js';
import { nameOf } from './recordings.js';
import { Report } from './rules.js';
import { heat, heats, listed, parts } from './skeleton.js';
import { Stage } from './stage.js';

export class Comparing {
  #api;
  #player;
  #recordings;
  #read;
  #source;
  #record = null;
  #match;
  #report = new Report();
  #left = new Stage();
  #right = new Stage();
  #chart = new Chart((frame) => this.#player.step(frame - this.#player.frame));
  #choice = h('select', { label: 'compare.target' });
  #parts = h('tbody');
  #result = h('div', { class: 'results' });
  #score = h('p', { class: 'figure' });

  // read reads a recording by its list item.
  constructor(api, player, recordings, read) {
    this.el = h('div', {});
    this.#api = api;
    this.#player = player;
    this.#recordings = recordings;
    this.#read = read;
    player.addEventListener('frame', ({ detail }) => this.#show(detail));
    document.addEventListener('recordings', () => this.#offer());
  }

  // load shows the comparisons of a recording.
  load(source) {
    this.#source = source;
    this.#drop();
    const alignment = select('compare.alignment', ['linear', 'dtw', 'offset'], 'alignment.');
    const mirror = h('input', { type: 'checkbox' });
    const run = button('compare.run', () => this.#report.run(run, 'compare.works', () => this.#compare(alignment.value, mirror.checked)), { class: 'main' });
    this.el.replaceChildren(h('h3', { t: 'compare.title' }), h('p', { class: 'note', t: 'compare.what' }),
      h('div', { class: 'pair' }, field('compare.target', this.#choice), field('compare.alignment', alignment), field('compare.mirror', mirror, { class: 'field check' })),
      run, this.#report.el, this.#result);
    this.#offer();
  }

  #drop() {
    this.#record = null;
    this.#left.clear();
    this.#right.clear();
    this.#result.replaceChildren();
  }

  // offer lists the recordings that can be compared.
  #offer() {
    if (!this.#source) return;
    const before = this.#choice.value;
    const fit = this.#recordings.items.filter((i) => i.execStatus === 'SUCCESS');
    if (fit.map((i) => i.id).join() === Array.from(this.#choice.options, (o) => o.value).join()) return;
    this.#choice.replaceChildren(...fit.map((i) => h('option', { value: i.id }, nameOf(i))));
    const other = fit.find((i) => i.id !== this.#source.id);
    this.#choice.value = fit.some((i) => String(i.id) === before) ? before : other?.id ?? this.#source.id;
  }

  async #compare(alignment, mirror) {
    const source = this.#source;
    const item = this.#recordings.items.find((i) => String(i.id) === this.#choice.value);
    const made = await this.#api.post('comparisons/', { sourceId: source.id, targetId: item.id, alignment, mirror, score: true });
    const [record, target] = await Promise.all([this.#api.finished(`comparisons/${made.id}/`), this.#read(item)]);
    if (source !== this.#source) return;
    this.#drop();
    this.#record = record;
    this.#match = matcher(source, target, record);
    this.#left.colours = (frame) => heats(record.difference[frame]);
    const mirrored = (frame) => Object.fromEntries(Object.entries(frame ?? {}).map(([name, d]) =>
      [mirror && name !== 'nose' ? name.replace(/^left|^right/, (s) => (s === 'left' ? 'right' : 'left')) : name, d]));
    this.#right.colours = () => heats(mirrored(record.difference[this.#left.frame]));
    this.#result.replaceChildren(
      h('div', { class: 'side' },
        h('figure', {}, h('figcaption', {}, h('span', { t: 'compare.source' }), `: ${nameOf(source)}`), this.#left.el),
        h('figure', {}, h('figcaption', {}, h('span', { t: 'compare.target' }), `: ${nameOf(target)}`), this.#right.el)),
      this.#legend(), this.#score, ...(source.times ? [h('h4', { t: 'compare.mean' }), this.#chart.el] : []),
      h('details', { open: true }, h('summary', { t: 'compare.parts' }), h('table', {},
        h('thead', {}, h('tr', {}, h('th', { scope: 'col', t: 'rule.part' }), h('th', { scope: 'col', t: 'compare.distance' }), h('th', { scope: 'col', t: 'compare.direction' }))), this.#parts)),
      h('p', { class: 'downloads' },
        button('save.json', () => save(`comparison-${record.id}.json`, 'application/json', JSON.stringify(record, null, 1))),
        button('save.csv', () => save(`comparison-${record.id}.csv`, 'text/csv', this.#csv()))),
      new Drawing(this.#api, { comparisonId: record.id }, Boolean(source.movie)).el);
    this.#left.load(source);
    this.#right.load(target);
    if (typeof record.score?.overall === 'number') say(this.#score, 'compare.score', { score: Math.round(100 * record.score.overall) });
    else this.#score.replaceChildren();
    const mean = (frame) => {
      const d = Object.values(frame).map((x) => x.distance);
      return d.length ? d.reduce((a, b) => a + b, 0) / d.length : null;
    };
    if (source.times) this.#chart.set({ name: 'compare.mean', unit: '', least: 0, times: source.times, series: [{ name: '', values: record.difference.map(mean) }] });
    this.#show(this.#player.frame);
  }

  #legend() {
    const steps = [0, 0.1, 0.15, 0.2, 0.3];
    return h('p', { class: 'heat' }, h('span', { t: 'compare.legend' }), ...steps.map((d) => {
      const el = h('i', { class: 'swatch' });
      el.style.background = heat(d);
      return h('span', { class: 'step' }, el, d === 0.3 ? '≥ 0.3' : String(d));
    }));
  }

  // show goes to a frame of the source.
  #show(frame) {
    if (!this.#record) return;
    this.#left.show(frame);
    this.#right.show(this.#match(frame));
    this.#chart.cursor(frame);
    const now = this.#record.difference[frame] ?? {};
    const known = parts.filter((p) => now[p]).sort((a, b) => now[b].distance - now[a].distance);
    this.#parts.replaceChildren(...known.map((p) => {
      const dot = h('i', { class: 'swatch' });
      dot.style.background = heat(now[p].distance);
      return h('tr', {}, h('td', {}, dot, h('span', { t: `part.${p}` })), h('td', {}, now[p].distance.toFixed(3)), h('td', {}, `${Math.round(now[p].direction)}°`));
    }));
  }

  #csv() {
    const { difference } = this.#record, compared = listed(difference);
    const head = ['frame', 'seconds', ...compared.flatMap((p) => [`${p} distance`, `${p} direction`])];
    return csv([head, ...difference.map((f, i) =>
      [i, this.#source.times?.[i], ...compared.flatMap((p) => [f[p]?.distance, f[p]?.direction])])]);
  }
}
