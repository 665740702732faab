// @ts-check
// The verdict on a recording in plain words, above its numbers: what holds, what does not, what to do; and a
// plan seen from above with the camera and the good places.
import { h } from '../base/dom.js';
import { svg } from '../base/svg.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';
import { angles, viewOf } from './measures.js';

// plan shows where the camera stood: 0 in front of the person, 90 beside, 180 behind.
function plan(view) {
  const turn = (view * Math.PI) / 180, at = [40 + 29 * Math.sin(turn), 40 - 29 * Math.cos(turn)];
  const el = svg('svg', { class: 'plan', viewBox: '0 0 80 80', role: 'img' },
    svg('circle', { class: 'plan__ring', cx: 40, cy: 40, r: 29 }),
    svg('path', { class: 'plan__good', d: 'M64.6 24.6A29 29 0 0 1 64.6 55.4M15.4 55.4A29 29 0 0 1 15.4 24.6' }),
    svg('path', { class: 'plan__ray', d: `M${at[0].toFixed(1)} ${at[1].toFixed(1)}L40 40` }),
    svg('ellipse', { class: 'plan__body', cx: 40, cy: 40, rx: 11, ry: 5.5 }), svg('circle', { class: 'plan__head', cx: 40, cy: 39, r: 4.6 }),
    svg('path', { class: 'plan__nose', d: 'M38 35 40 31.5 42 35Z' }),
    svg('g', { transform: `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)}) rotate(${180 + view})` },
      svg('rect', { class: 'plan__cam', x: -6.5, y: -5, width: 13, height: 10, rx: 2.5 }), svg('path', { class: 'plan__lens', d: 'M-3.5-5 0-9.5 3.5-5Z' })));
  el.setAttribute('aria-label', t('plan.view', { degrees: Math.round(view) }));
  return el;
}

// warningsOf joins those of the recording with those of the values that are shown, inside the part that is measured.
function warningsOf(recording, results) {
  const [first, last] = recording.span;
  const own = recording.quality?.warnings ?? [];
  const more = results.flatMap((r) => (r.warnings ?? []).map((w) => ({ ...w, of: r.analysisType })));
  const known = new Set();
  return [...own, ...more].map((w) => ({ ...w, from: Math.max(w.from, first), to: Math.min(w.to, last) })).filter((w) => {
    if (w.from > w.to) return false;
    const key = `${w.code} ${w.from} ${w.to} ${w.of ?? ''}`;
    return !known.has(key) && known.add(key);
  });
}

// nameOf is what a type of angle is called where it is chosen.
const nameOf = (type) => {
  const choice = Object.keys(angles).find((name) => angles[name].type === type);
  return t(choice ? `angle.${choice}` : `type.${type}`);
};

const oblique = (w) => w.code === 'outOfPlane';

// verdict makes the box. results are those that are shown; seek is called with a frame.
export function verdict(recording, results, seek) {
  const { quality, times } = recording;
  if (!quality) return h('div', { hidden: true });
  const [first, last] = recording.span;
  const all = warningsOf(recording, results);
  const codes = [...new Set(all.map((w) => w.code))];
  const share = (code) => {
    const frames = new Set();
    for (const w of all) if (w.code === code) for (let i = w.from; i <= w.to; i++) frames.add(i);
    return frames.size / (last - first + 1);
  };
  const view = viewOf(quality);
  const unreliable = [...new Set(all.filter(oblique).map((w) => w.of))].filter((type) => share('outOfPlane') > 0.3);
  const bad = quality.verdict === 'poor' || quality.verdict === 'nobody';
  const good = quality.verdict === 'good' && !unreliable.length;
  const far = view !== null && (view < 45 || view > 135);
  const title = unreliable.length ? t(far ? 'verdict.angles' : 'verdict.oblique', { angles: unreliable.map(nameOf).join(t('list.comma')) }) : t(`verdict.${quality.verdict}`);
  const words = [];
  if (view !== null) words.push(t(view < 35 ? 'view.front' : view > 145 ? 'view.back' : view >= 64 && view <= 116 ? 'view.side' : 'view.between', { degrees: Math.round(view) }));
  const list = codes.map((code) => {
    const here = all.filter((w, i) => w.code === code && all.findIndex((o) => o.code === code && o.from === w.from && o.to === w.to) === i);
    const spans = here.slice(0, 4).map((w) => (times.length > 1 && (w.from > first || w.to < last)
      ? h('button', { type: 'button', class: 'jump', on: { click: () => seek(w.from) } }, w.from === w.to ? `${times[w.from].toFixed(2)} s` : `${times[w.from].toFixed(2)}–${times[w.to].toFixed(2)} s`) : null));
    const parts = [...new Set(here.flatMap((w) => w.parts ?? []))];
    return h('li', {}, h('span', {}, t(`warning.${code}`)),
      parts.length && parts.length <= 4 ? h('span', { class: 'quiet' }, ` ${parts.map((p) => t(`part.${p}`)).join(t('list.comma'))}`) : null,
      ...spans.flatMap((s) => [' ', s]), here.length > 4 ? h('span', { class: 'quiet' }, ` +${here.length - 4}`) : null);
  });
  const advice = [...new Set(codes.map((code) => `advice.${code}`))].map((key) => [key, t(key)]).filter(([key, text]) => key !== text).map(([, text]) => text);
  const kind = bad ? 'verdict--bad' : good ? '' : 'verdict--care';
  return h('section', { class: `verdict ${kind}`, 'aria-labelledby': 'h-verdict', role: 'status' },
    h('div', {},
      h('h2', { id: 'h-verdict' }, icon(good ? 'good' : 'care'), title),
      words.length ? h('p', {}, words.join(' ')) : null,
      list.length ? h('ul', { class: 'verdict__l' }, ...list) : null,
      advice.length ? h('p', {}, h('b', {}, advice.slice(0, 2).join(' '))) : null),
    view === null ? null : plan(view));
}

// places are the runs of frames that the time axis marks: warnings, what cleaning changed, corrections.
export function places(recording, results) {
  const n = recording.frames.length, list = [], [start, end] = recording.span;
  for (const w of warningsOf(recording, results)) {
    if (w.from > start || w.to < end) list.push([w.from, w.to, 'warn', t(`warning.${w.code}`)]);
  }
  const kinds = { swapped: ['swapped'], rejected: ['rejected', 'coincident'], filled: ['filled'], corrected: ['corrected'] };
  for (const [kind, names] of Object.entries(kinds)) {
    let first = -1;
    for (let i = 0; i <= n; i++) {
      const is = i < n && Object.values(recording.changes?.[i] ?? {}).some((c) => names.some((name) => c.includes(name)));
      if (is && first < 0) first = i;
      if (!is && first >= 0) {
        list.push([first, i - 1, kind, t(`change.${kind}`)]);
        first = -1;
      }
    }
  }
  return list;
}
