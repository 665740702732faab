// @ts-check
// Drawing onto the movie or image: the skeleton, values at the joints, faces blurred; or by rules of one's own.
import { h, button, called, card, field, select } from '../base/dom.js';
import { language, say, t } from '../base/i18n.js';
import { Report } from '../base/report.js';
import { Point, Rules } from './rules.js';
import { rulesOf } from '../numbers/measures.js';

const colours = [
  'white',
  'black',
  'grey',
  'yellow',
  'green',
  'red',
  'blue',
  'cyan',
  'orange',
  'pink',
  'magenta',
  'purple',
  'skyBlue',
  'blueGreen',
  'limeGreen',
];
const least = { keypoint: 1, stickPicture: 2, horizontalLine: 1, verticalLine: 1, angle: 3 };
const first = ['leftHip', 'leftKnee', 'leftAnkle'];

// filmed is a date in letters that every font has.
const filmed = (at) =>
  new Date(at).toLocaleDateString(
    language === 'ja' ? 'ja-JP' : 'en-GB',
    language === 'ja' ? {} : { day: 'numeric', month: 'short', year: 'numeric' },
  );

const colour = (value) => select('draw.color', colours, 'color.', { value });

// ruleRow edits one drawing rule.
function ruleRow() {
  const list = [],
    place = h('div', { class: 'points' });
  const add = () => {
    const p = new Point(list.length + 1, first[list.length] ?? 'nose', () => {});
    list.push(p);
    place.append(p.el);
  };
  const fit = () => {
    const angle = type.value === 'angle',
      chosen = angle || what.value === 'points';
    what.disabled = angle;
    while (list.length > (chosen ? (angle ? 3 : Infinity) : 0)) list.pop().el.remove();
    while (chosen && list.length < least[type.value]) add();
    more.hidden = !chosen || angle;
  };
  const type = select('draw.type', Object.keys(least), 'drawing.', { on: { change: () => fit() } });
  const what = select('draw.what', ['all', 'upperBody', 'lowerBody', 'leftBody', 'rightBody', 'points'], 'pattern.', {
    on: { change: () => fit() },
  });
  const more = button('draw.morePoint', add, { class: 'btn--line' });
  const ink = colour('limeGreen'),
    size = h('input', { type: 'number', min: 0.1, max: 100, step: 0.1, value: 2 });
  fit();
  return {
    el: h(
      'div',
      {},
      h('div', { class: 'two' }, field('draw.type', type), field('draw.what', what), field('draw.color', ink), field('draw.size', size)),
      place,
      more,
    ),
    get value() {
      const rule = { drawingType: type.value, color: ink.value, size: size.valueAsNumber };
      if (type.value === 'angle' || what.value === 'points') rule.points = list.map((p) => p.value);
      else rule.pattern = what.value;
      if (type.value !== 'angle') rule.faint = true;
      return rule;
    },
  };
}

export class Drawing {
  // view has the recording, the measures whose values can be written, and the part to draw; named is the name and the day of files.
  /** @param {any} app @param {any} view @param {() => [string, string]} named */
  constructor(app, view, named) {
    const { api } = app,
      { recording } = view;
    const check = (key, checked = false) => field(key, h('input', { type: 'checkbox', checked }), { class: 'field check' });
    const preset = check('draw.preset', true),
      values = check('draw.values', true),
      blur = check('draw.blur'),
      bare = check('draw.bare');
    const on = (f) => f.querySelector('input').checked;
    const rules = new Rules(() => ruleRow(), 0),
      report = new Report(),
      out = h('div', { class: 'drawn' });
    const times = recording.times;
    const ends = ['from', 'to'].map((name, i) => button(`draw.${name}`, () => view.toggle(i), { class: 'btn--line', args: {} }));
    const part = () =>
      ends.forEach((b, i) => {
        const frame = view.part[i];
        b.setAttribute('aria-pressed', String(frame !== null));
        say(b.lastChild, `draw.${i ? 'to' : 'from'}${frame === null ? '' : '.at'}`, {
          seconds: frame === null ? '' : times[frame].toFixed(2),
        });
      });
    view.el.addEventListener('part', part);
    part();
    const name = called(...named(), t(recording.movie ? 'out.movie' : 'out.picture'), recording.movie ? 'mp4' : 'jpg');
    const run = button(
      recording.movie ? 'draw.run' : 'draw.picture',
      () =>
        report.run(run, 'draw.works', async (tell) => {
          const own = rules.value,
            body = /** @type {Record<string, any>} */ ({ keypointId: recording.id, shrink: true });
          if (recording.person) body.person = recording.person;
          if (own.length) body.rule = own;
          else if (on(preset))
            body.rule = [
              { drawingType: 'body', size: 2, legend: true, ...(recording.recordedAt ? { text: filmed(recording.recordedAt) } : {}) },
            ];
          // What the page withholds is not written either.
          const told = view.measures.chosen.filter((name) => view.measures.withheld(name) === null);
          if (on(values) && told.length) body.values = rulesOf(told, view.measures.shownSides, {});
          if (on(blur)) body.blurFaces = true;
          if (on(bare)) body.backgroundRule = { skeletonOnly: true, color: 'white' };
          ['from', 'to'].forEach((name, i) => {
            if (view.part[i] !== null) body[name] = times[view.part[i]];
          });
          const made = await api.post('drawings/', body);
          const { drawingUrl: src } = await api.finished(`drawings/${made.id}/`, { tell });
          out.replaceChildren(
            recording.movie
              ? h('video', { src, controls: true, muted: true, playsInline: true, loop: true, label: 'draw.result' })
              : h('img', { src, alt: t('draw.result') }),
            h('a', { href: src, download: name, class: 'btn btn--line', t: 'save.drawing' }),
          );
          out.scrollIntoView({ block: 'nearest' });
        }),
      { icon: 'download', class: 'btn--primary' },
    );
    this.el = card(
      recording.movie ? 'head.movie' : 'head.picture',
      {},
      preset,
      values,
      blur,
      bare,
      ...(recording.movie ? [h('div', { class: 'two' }, ...ends), h('p', { class: 'foot', t: 'draw.part' })] : []),
      h('details', {}, h('summary', { t: 'draw.rules' }), rules.el),
      run,
      h('p', { class: 'foot' }, name),
      report.el,
      out,
    );
  }
}
