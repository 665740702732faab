// @ts-check
// The verdict on a recording in plain words, above its numbers: what holds, what does not, what to do; and a
// plan seen from above with the camera and the good places.
import { number } from '../base/amount.js';
import { h, button } from '../base/dom.js';
import { icon, svg } from '../base/icons.js';
import { language, t, title } from '../base/i18n.js';
import { address } from '../base/route.js';
import { angles } from './measures.js';

const round = (turn, r = 29) =>
  [40 + r * Math.sin((turn * Math.PI) / 180), 40 - r * Math.cos((turn * Math.PI) / 180)].map((v) => v.toFixed(1));

// plan shows where the cameras stand: 0 in front of the person, 90 beside, 180 behind. The good places for a single one
// are at the sides; what several see is marked between them.
export function plan(cameras) {
  const [a, b] = cameras,
    wide = ((((b - a) % 360) + 540) % 360) - 180;
  const good =
    cameras.length < 2
      ? 'M64.6 24.6A29 29 0 0 1 64.6 55.4M15.4 55.4A29 29 0 0 1 15.4 24.6'
      : `M${round(a).join(' ')}A29 29 0 0 ${wide > 0 ? 1 : 0} ${round(b).join(' ')}`;
  const el = svg(
    'svg',
    { class: 'plan', viewBox: '0 0 80 80', role: 'img' },
    svg('circle', { class: 'plan__ring', cx: 40, cy: 40, r: 29 }),
    svg('path', { class: 'plan__good', d: good }),
    ...cameras.map((view) => svg('path', { class: 'plan__ray', d: `M${round(view).join(' ')}L40 40` })),
    svg('ellipse', { class: 'plan__body', cx: 40, cy: 40, rx: 11, ry: 5.5 }),
    svg('circle', { class: 'plan__head', cx: 40, cy: 39, r: 4.6 }),
    svg('path', { class: 'plan__nose', d: 'M38 35 40 31.5 42 35Z' }),
    ...cameras.map((view) =>
      svg(
        'g',
        { transform: `translate(${round(view).join(' ')}) rotate(${180 + view})` },
        svg('rect', { class: 'plan__cam', x: -6.5, y: -5, width: 13, height: 10, rx: 2.5 }),
        svg('path', { class: 'plan__lens', d: 'M-3.5-5 0-9.5 3.5-5Z' }),
      ),
    ),
  );
  el.setAttribute(
    'aria-label',
    cameras.length > 1
      ? t('plan.several', { n: cameras.length, degrees: number(Math.abs(wide), '°') })
      : t('plan.view', { degrees: number(a, '°') }),
  );
  return el;
}

// unfound is the verdict in the place of numbers where recordings cannot be measured together: why, and what to do.
/** @param {string} detail @param {...HTMLElement} acts */
export function unfound(detail, ...acts) {
  const unknown = plan([-25, 25]);
  unknown.setAttribute('aria-hidden', 'true');
  unknown.classList.add('plan--q');
  return h(
    'section',
    { class: 'verdict verdict--care', role: 'status' },
    h('div', {}, h('h2', {}, icon('care'), h('span', { t: 'space.refused' })), h('p', {}, detail), h('p', { t: 'space.each' })),
    unknown,
    h('div', { class: 'verdict__a' }, ...acts),
  );
}

// notesOf are those of the overview, or before it is known the warnings of the recording, inside the part that is
// measured.
function notesOf(recording, overview) {
  const [first, last] = recording.span;
  return (overview?.notes ?? recording.quality?.warnings ?? [])
    .map((w) => ({ ...w, from: Math.max(w.from, first), to: Math.min(w.to, last) }))
    .filter((w) => w.from <= w.to);
}

// more is what is read on demand: where the camera stands, every warning with its times, and what ± means.
function more(recording, measures, several, seek) {
  const { times } = recording,
    [first, last] = recording.span,
    notes = notesOf(recording, measures.overview);
  const facing = several ? null : measures.facing,
    words = [];
  if (several)
    words.push(t('space.found', { angle: number(recording.space?.angle ?? 0, '°'), pixels: number(recording.space?.residual ?? 0, 'px') }));
  if (facing?.direction) words.push(t(`view.${facing.direction}`, { degrees: number(facing.view, '°') }));
  const list = [...new Set(notes.map((w) => w.code))].map((code) => {
    const here = notes.filter((w) => w.code === code);
    const spans = here
      .slice(0, 4)
      .map((w) =>
        times.length > 1 && (w.from > first || w.to < last)
          ? h(
              'button',
              { type: 'button', class: 'jump', on: { click: () => seek(w.from) } },
              w.from === w.to ? `${times[w.from].toFixed(2)} s` : `${times[w.from].toFixed(2)}–${times[w.to].toFixed(2)} s`,
            )
          : null,
      );
    const parts = [...new Set(here.flatMap((w) => w.parts ?? []))];
    return h(
      'li',
      {},
      h('span', {}, t(`warning.${code}`)),
      parts.length && parts.length <= 4
        ? h('span', { class: 'quiet' }, ` ${parts.map((p) => t(`part.${p}`)).join(t('list.comma'))}`)
        : null,
      ...spans.flatMap((s) => [' ', s]),
      here.length > 4 ? h('span', { class: 'quiet' }, ` +${here.length - 4}`) : null,
    );
  });
  return h(
    'details',
    { class: 'verdict__m' },
    h('summary', { t: 'verdict.more' }),
    words.length ? h('p', {}, words.join(' ')) : null,
    list.length ? h('ul', { class: 'verdict__l' }, ...list) : null,
    h('p', { class: 'quiet', t: 'uncertainty' }),
  );
}

// verdict makes the box of a recording whose overview is known; seek is called with a frame, against with whether angles
// are to be given against quiet standing. cameras are where they stand, if there are several. turn makes a button that turns a movie which
// lies on its side.
/** @param {any} recording @param {any} measures @param {(frame: number) => void} seek @param {(on: boolean) => void} against
 * @param {{cameras?: number[], turn?: (() => HTMLElement) | null}} options */
export function verdict(recording, measures, seek, against, { cameras = [], turn = null } = {}) {
  const { overview } = measures;
  if (!overview) return h('div', { hidden: true });
  const several = cameras.length > 1,
    facing = several ? null : measures.facing,
    { title, limit, do: act, hides = [] } = overview.summary,
    said = [limit, ...hides.map((h) => ({ en: `${h.en}.`, ja: `${h.ja}。` }))].filter(Boolean);
  const good = overview.verdict === 'good';
  /** @type {HTMLElement[]} */
  const acts = overview.standing
    ? [
        button(measures.neutral ? 'neutral.on' : 'neutral.off', () => against(!measures.neutral), {
          icon: 'floor',
          class: 'btn--line btn--small',
          'aria-pressed': String(measures.neutral),
          args: { from: overview.standing.from.toFixed(1), to: overview.standing.to.toFixed(1) },
        }),
      ]
    : [];
  if (turn && notesOf(recording, overview).some((w) => w.code === 'sideways')) acts.unshift(turn());
  if (recording.movie > 0 && !several)
    acts.push(
      h(
        'a',
        { class: 'btn btn--line btn--small', href: address(['two'], { a: recording.id }) },
        icon('plus'),
        h('span', { t: 'space.add' }),
      ),
    );
  const kind = ['poor', 'nobody'].includes(overview.verdict) ? 'verdict--bad' : good ? '' : 'verdict--care';
  return h(
    'section',
    { class: `verdict ${kind}`, 'aria-labelledby': 'h-verdict', role: 'status' },
    h(
      'div',
      {},
      h('h2', { id: 'h-verdict' }, icon(good ? 'good' : 'care'), title[language]),
      several && good ? h('p', { t: 'space.good' }) : null,
      said.length ? h('p', {}, said.map((words) => words[language]).join(' '), ' ', act ? h('b', {}, act[language]) : null) : null,
      more(recording, measures, several, seek),
    ),
    several ? plan(cameras) : facing ? plan([facing.view]) : null,
    acts.length ? h('div', { class: 'verdict__a' }, ...acts) : null,
  );
}

// explained are the warnings that the measures themselves show where they are withheld.
const explained = ['hidden', 'hiddenSide', 'outOfPlane', 'facing'];

// places are the runs of frames that the time axis marks: warnings, where what is chosen is hidden, what cleaning
// exchanged of it, corrections.
export function places(recording, measures) {
  const n = recording.frames.length,
    list = [],
    [start, end] = recording.span;
  for (const w of notesOf(recording, measures.overview)) {
    if (!explained.includes(w.code) && (w.from > start || w.to < end)) list.push([w.from, w.to, 'warn', t(`warning.${w.code}`)]);
  }
  const hidden = (i) =>
    measures.chosen.some((name) =>
      measures.results(name).some((m) => m.trust !== 'withheld' && m.why?.includes('hidden') && m.values[i] === null),
    );
  for (let i = start, first = -1; i <= end + 1; i++) {
    const is = i <= end && hidden(i);
    if (is && first < 0) first = i;
    if (!is && first >= 0) {
      list.push([first, i - 1, 'hidden', t('mark.hidden')]);
      first = -1;
    }
  }
  const sides = measures.chosen.flatMap((name) => angles[name].joint.flatMap((part) => ['left', 'right'].map((side) => side + part)));
  const kinds = { swapped: ['swapped'], corrected: ['corrected', 'exchanged'] };
  for (const [kind, names] of Object.entries(kinds)) {
    let first = -1;
    for (let i = 0; i <= n; i++) {
      const is =
        i < n &&
        Object.entries(recording.changes?.[i] ?? {}).some(
          ([part, c]) => (kind === 'corrected' || sides.includes(part)) && names.some((name) => c.includes(name)),
        );
      if (is && first < 0) first = i;
      if (!is && first >= 0) {
        list.push([first, i - 1, kind, title(t(`mark.${kind}`))]);
        first = -1;
      }
    }
  }
  return list;
}
