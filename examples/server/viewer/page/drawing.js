// Drawings made by the service: rules, background, the finished file.
import { h, button, field, select } from './dom.js';
import { t } from './i18n.js';
import { Point } from './points.js';
import { Report, Rules } from './rules.js';

const colours = ['white', 'black', 'grey', 'yellow', 'green', 'red', 'blue', 'cyan', 'orange', 'pink', 'magenta', 'purple', 'skyBlue', 'blueGreen', 'limeGreen'];
const least = { keypoint: 1, stickPicture: 2, horizontalLine: 1, verticalLine: 1, angle: 3 };
const first = ['leftHip', 'leftKnee', 'leftAnkle'];

const colour = (value) => select('draw.color', colours, 'color.', { value });
const size = (value) => h('input', { type: 'number', min: 0.1, max: 100, step: 0.1, value });

// ruleRow edits one drawing rule; compared adds the bands of a comparison.
function ruleRow(compared) {
  const type = select('draw.type', Object.keys(least), 'drawing.', { value: 'stickPicture', on: { change: () => fit() } });
  const what = select('draw.what', ['all', 'upperBody', 'lowerBody', 'leftBody', 'rightBody', 'points'], 'pattern.', { on: { change: () => fit() } });
  const place = h('div', { class: 'points' });
  const more = button('draw.morePoint', () => { add(); fit(); });
  const fewer = button('draw.lessPoint', () => { list.pop().el.remove(); fit(); });
  const looks = { color: colour(compared ? 'grey' : 'limeGreen'), size: size(2) };
  const list = [], bands = [];
  const add = () => {
    const p = new Point(list.length + 1, first[list.length] ?? 'nose', () => {});
    list.push(p);
    place.append(p.el);
  };
  const fit = () => {
    const angle = type.value === 'angle';
    what.disabled = angle;
    const chosen = angle || what.value === 'points';
    if (!chosen) { while (list.length) list.pop().el.remove(); }
    else {
      while (list.length < least[type.value]) add();
      while (angle && list.length > 3) list.pop().el.remove();
    }
    more.hidden = !chosen || angle;
    fewer.hidden = !chosen || list.length <= least[type.value];
  };
  const bandList = h('div', { class: 'bands' });
  const band = (threshold, name) => {
    const b = { threshold: h('input', { type: 'number', min: 0, max: 1, step: 0.01, value: threshold }), color: colour(name), size: size(2) };
    const el = h('div', { class: 'pair' }, field('draw.threshold', b.threshold), field('draw.color', b.color), field('draw.size', b.size),
      button('draw.lessBand', () => { bands.splice(bands.indexOf(b), 1); el.remove(); }));
    bands.push(b);
    bandList.append(el);
  };
  if (compared) {
    band(0.1, 'yellow');
    band(0.2, 'red');
  }
  fit();
  const el = h('div', {}, h('div', { class: 'pair' }, field('draw.type', type), field('draw.what', what), field('draw.color', looks.color), field('draw.size', looks.size)),
    place, more, fewer, compared ? h('div', {}, bandList, button('draw.moreBand', () => band(0.3, 'magenta'))) : null);
  const read = (b) => ({ color: b.color.value, size: b.size.valueAsNumber });
  return {
    el,
    get value() {
      const rule = { drawingType: type.value, ...read(looks) };
      if (type.value === 'angle' || what.value === 'points') rule.points = list.map((p) => p.value);
      else rule.pattern = what.value;
      if (type.value !== 'angle') rule.faint = true;
      if (bands.length) rule.comparisons = bands.map((b) => ({ threshold: b.threshold.valueAsNumber, ...read(b) }));
      return rule;
    },
  };
}

export class Drawing {
  #api;
  #of;
  #movie;
  #report = new Report();
  #result = h('div', { class: 'drawn' });

  // of is {keypointId} or {comparisonId}.
  constructor(api, of, movie) {
    this.#api = api;
    this.#of = of;
    this.#movie = movie;
    const rules = new Rules(() => ruleRow('comparisonId' in of), 0);
    const bare = h('input', { type: 'checkbox', on: { change: () => { ground.disabled = !bare.checked; } } });
    const ground = colour('white');
    ground.disabled = true;
    const run = button('draw.run', () => this.#report.run(run, 'draw.works', (tell) => this.#draw(rules.value, bare.checked && { skeletonOnly: true, color: ground.value }, tell)), { class: 'main' });
    this.el = h('div', {}, h('h3', { t: 'draw.rules' }), h('p', { class: 'note', t: 'draw.none' }), rules.el,
      h('div', { class: 'pair' }, field('draw.bare', bare, { class: 'field check' }), field('draw.ground', ground)),
      run, this.#report.el, this.#result);
  }

  async #draw(rule, backgroundRule, tell) {
    const body = { ...this.#of };
    if (!Array.isArray(rule) || rule.length) body.rule = rule;
    if (backgroundRule) body.backgroundRule = backgroundRule;
    const made = await this.#api.post('drawings/', body);
    this.#show(await this.#api.finished(`drawings/${made.id}/`, { tell }));
  }

  #show(record) {
    const src = record.drawingUrl;
    this.#result.replaceChildren(
      this.#movie ? h('video', { src, controls: true, muted: true, playsInline: true, loop: true, label: 'draw.result' }) : h('img', { src, alt: t('draw.result') }),
      h('p', {}, h('a', { href: src, download: '', class: 'button', t: 'save.drawing' })));
  }
}
