// @ts-check
// The trend of a person: one value a session of each side over the dates of filming, with its uncertainty, a band of the
// smallest real change about the first, and a lane of hollow marks for what was withheld.
import { after, plusMinus, tick } from '../base/amount.js';
import { h, button, rebuild } from '../base/dom.js';
import { svg } from '../base/icons.js';
import { language, t, date } from '../base/i18n.js';
import { address } from '../base/route.js';
import { ticks } from '../player/chart.js';
import { read, why } from '../numbers/trust.js';

const most = 12; // sessions that are shown at once
const apart = 6.4; // percent of the width that marks keep at least
const width = 84; // percent of the plot for marks; at its right stand the last values

/** @typedef {{keypointId: number, recordedAt: string, value?: number, uncertainty?: number, trust: 'good' | 'care' | 'withheld',
 * why?: string[], facing?: Facing, estimated?: boolean, kind?: string, undated?: boolean, repetitions?: number, real?: boolean}} Point
 * @typedef {{measure: string, side?: 'left' | 'right', statistic: string, unit: string, sessions: Point[], smallestChange?: number,
 * change?: {from: number, to: number, amount: number, real?: boolean}, sentence: {[language: string]: string}}} Series
 * of one side, as the service answers it */

// reason is the word for why a value was withheld, and what to do.
/** @param {Point} p */
export const reason = (p) => why(p, p.facing);

// valueOf is a value in words, "~98° ± 8".
/** @param {Point} p @param {string} unit */
export const valueOf = (p, unit) => `${read({ estimated: p.estimated, unit }, p.value)} ${plusMinus(p.uncertainty, unit)}`.trim();

// placed are the places of times on the axis in percent, in order, none nearer to the one before than apart.
/** @param {number[]} times */
function placed(times) {
  const first = times[0],
    all = times[times.length - 1] - first || 1,
    n = times.length;
  const at = times.map((time) => 4 + ((width - 4) * (time - first)) / all);
  for (let i = 1; i < n; i++) at[i] = Math.max(at[i], at[i - 1] + apart);
  for (let i = n - 1, end = width; i >= 0; i--, end -= apart) at[i] = Math.min(at[i], end);
  return n > 1 ? at : [width / 2];
}

// bandOf is within which a value is no real change from the first; null where that is not known.
/** @param {Series} s @returns {[number, number] | null} */
function bandOf({ sessions, smallestChange, change }) {
  const first = sessions.find((p) => (change ? p.keypointId === change.from : p.trust !== 'withheld'));
  return smallestChange && typeof first?.value === 'number' ? [first.value - smallestChange, first.value + smallestChange] : null;
}

export class Trend {
  #last = 0; // how many of the newest sessions are left out
  /** @type {Series[]} */
  #series = [];
  #say = h('p', { class: 'su__say', role: 'status' });
  #plot = h('div', {});
  el = h('div', {}, this.#say, this.#plot);

  // show draws the series of the sides.
  /** @param {Series[]} series */
  show(series) {
    this.#series = series;
    this.#last = 0;
    this.#draw();
  }

  #draw() {
    const real = this.#series.filter((s) => s.change?.real);
    const words = (s) => s.sentence[language] ?? '';
    this.#say.replaceChildren(
      ...this.#series
        .filter(words)
        .sort((a, b) => Number(real.includes(b)) - Number(real.includes(a)))
        .flatMap((s) => [h(real.includes(s) ? 'b' : 'span', {}, words(s)), ' ']),
    );
    const times = new Map(this.#series.flatMap((s) => s.sessions.map((p) => [p.keypointId, Date.parse(p.recordedAt)])));
    const ids = [...times.keys()].sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
    const end = ids.length - this.#last,
      shown = ids.slice(Math.max(0, end - most), end);
    if (!shown.length) {
      this.#plot.replaceChildren(h('p', { class: 'foot', t: 'trend.none' }));
      return;
    }
    const places = placed(shown.map((id) => times.get(id) ?? 0));
    const x = new Map(shown.map((id, i) => [id, places[i]]));
    rebuild(this.#plot, this.#key(), this.#chart(x, times), ...(ids.length > most ? [this.#pages(ids.length, shown.length)] : []));
  }

  // pages moves the window over the sessions.
  #pages(n, shown) {
    const by = (d) => () => {
      this.#last = Math.min(n - shown, Math.max(0, this.#last + d));
      this.#draw();
    };
    return h(
      'p',
      { class: 'su__p' },
      button('trend.earlier', by(most / 2), { class: 'btn--line btn--small', disabled: this.#last >= n - shown }),
      button('trend.later', by(-most / 2), { class: 'btn--line btn--small', disabled: this.#last === 0 }),
    );
  }

  // key is the last value of each side, where the plot has no room for it.
  #key() {
    return h(
      'p',
      { class: 'su__k' },
      ...this.#series.map((s) => {
        const last = s.sessions.findLast((p) => p.trust !== 'withheld');
        return h(
          'span',
          {},
          h('i', { class: `pt ${s.side ?? 'trunk'}` }),
          s.side ? t(`side.${s.side}`) : '',
          ' ',
          h('b', {}, last ? valueOf(last, s.unit) : t('space.withheld')),
        );
      }),
    );
  }

  #chart(x, times) {
    const unit = this.#series[0].unit,
      held = this.#series.map((s) => s.sessions.filter((p) => x.has(p.keypointId) && p.trust === 'withheld'));
    const known = this.#series.map((s) =>
      s.sessions.filter((p) => x.has(p.keypointId) && p.trust !== 'withheld' && typeof p.value === 'number'),
    );
    const edges = known
      .flat()
      .flatMap((p) => [(p.value ?? 0) - (p.uncertainty ?? 0), (p.value ?? 0) + (p.uncertainty ?? 0)])
      .concat(this.#series.flatMap((s) => bandOf(s) ?? []));
    let low = Math.min(...edges),
      high = Math.max(...edges);
    if (!edges.length) [low, high] = [0, unit === '°' ? 90 : 1];
    const marks = ticks(low, high, 5),
      step = marks.length > 1 ? marks[1] - marks[0] : high - low || 1;
    low = Math.min(low, Math.floor(low / step) * step);
    high += 0.12 * (high - low); // room for the word above the highest
    const y = (v) => (100 * (v - low)) / (high - low);
    const drawing = svg('svg', { viewBox: '0 0 1000 100', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    const plot = h(
      'div',
      { class: 'tr__p' },
      ...ticks(low, high, 5).map((v) => h('span', { class: 'tick', style: { bottom: `${y(v)}%` } }, tick(v, unit))),
      drawing,
    );
    this.#series.forEach((s, k) => {
      const look = s.side ?? 'trunk',
        band = bandOf(s);
      if (band)
        plot.prepend(h('div', { class: `mdc ${look}`, style: { bottom: `${y(band[0])}%`, height: `${y(band[1]) - y(band[0])}%` } }));
      known[k].forEach((p, i) => {
        const before = known[k].slice(0, i).findLast((o) => !o.estimated === !p.estimated), // a line never joins measured with estimated
          other = known.flat().find((o) => o.keypointId === p.keypointId && o !== p);
        if (before) {
          const all = s.sessions.indexOf(p) - s.sessions.indexOf(before) > 1; // something between was withheld
          drawing.append(
            svg('path', {
              class: `ln ${look}${all ? ' skip2' : ''}${p.estimated ? ' est' : ''}`,
              d: `M${10 * x.get(before.keypointId)} ${100 - y(before.value)}L${10 * x.get(p.keypointId)} ${100 - y(p.value)}`,
            }),
          );
        }
        const near = other && Math.abs(y(other.value ?? 0) - y(p.value ?? 0)) < 16; // their marks would lie on each other
        const left = `calc(${x.get(p.keypointId)}% ${near ? (s.side === 'left' ? '- 6px' : '+ 6px') : '+ 0px'})`;
        const upper = !other ? s.side !== 'right' : (p.value ?? 0) > (other.value ?? 0) || (p.value === other.value && s.side === 'left');
        const half = y(p.uncertainty ?? 0) - y(0),
          last = i === known[k].length - 1 && x.get(p.keypointId) > width - apart / 2;
        plot.append(
          h('i', { class: `wh ${look}`, style: { left, bottom: `${y(p.value) - half}%`, height: `${2 * half}%` } }),
          this.#mark(s, p, left, y(p.value)),
        );
        if (!last)
          plot.append(
            h(
              'span',
              {
                class: `ptv ${upper ? 'up' : 'dn'}`,
                'aria-hidden': 'true',
                style: { left: `${x.get(p.keypointId)}%`, bottom: `${y(p.value) + (upper ? half : -half)}%` },
              },
              read({ estimated: p.estimated, unit }, p.value),
            ),
          );
        else
          plot.append(
            h(
              'span',
              {
                class: `tr__e ${look}`,
                'aria-hidden': 'true',
                style: {
                  left: `${x.get(p.keypointId)}%`,
                  bottom: `${y(p.value)}%`,
                  'margin-bottom': near ? (upper ? '5px' : '-17px') : '-6px',
                },
              },
              `${s.side ? `${t(`side.${s.side}`)} ` : ''}${valueOf(p, unit)}`,
            ),
          );
      });
    });
    const banded = this.#series.filter(bandOf),
      far = (s) => plusMinus(s.smallestChange, unit) + after(unit);
    const each =
      new Set(banded.map(far)).size > 1 ? banded.map((s) => `${t(`side.${s.side}`)} ${far(s)}`).join(t('list.comma')) : banded.map(far)[0];
    if (each)
      plot.append(
        h(
          'span',
          { class: 'mdc__t', style: { bottom: `${Math.min(...banded.map((s) => y(bandOf(s)?.[0])))}%` } },
          t('trend.smallest', { amount: each }),
        ),
      );
    return h(
      'div',
      { class: 'tr', role: 'group', label: 'trend.chart' },
      plot,
      ...(held.flat().length ? [this.#lane(held, x)] : []),
      h('div', { class: 'axis tr__a' }, ...[...x].map(([id, left]) => h('span', { style: { left: `${left}%` } }, date(times.get(id))))),
      h('p', { class: 'foot su__wh' }, this.#withheld(held)),
    );
  }

  // mark is the point of a session, which opens it at its moment.
  #mark(s, p, left, bottom) {
    const words = [
      s.side ? t(`side.${s.side}`) : '',
      `${date(p.recordedAt)}:`,
      valueOf(p, s.unit),
      p.estimated ? t('trend.estimated') : p.trust === 'care' ? t('trust.care') : '',
    ]
      .filter(Boolean)
      .join(' ');
    return h('a', {
      class: `pt ${s.side ?? 'trunk'}`,
      href: address(['recordings', p.keypointId]),
      'aria-label': words,
      title: words,
      style: { left, bottom: `${bottom}%` },
    });
  }

  // lane bears a hollow mark for every session whose value was withheld. It tells how to film.
  #lane(held, x) {
    const ids = [...new Set(held.flat().map((p) => p.keypointId))].sort((a, b) => x.get(a) - x.get(b));
    return h(
      'div',
      { class: 'lane' },
      ...ids.map((id) => {
        const sides = this.#series.filter((_, k) => held[k].some((p) => p.keypointId === id)),
          p = held.flat().find((o) => o.keypointId === id);
        const words = this.#held(sides, p),
          next = Math.min(...ids.map((o) => x.get(o)).filter((o) => o > x.get(id)), 100);
        const width = [...words].reduce((n, c) => n + (c > '\u2000' ? 1.7 : 0.85), 0); // percent
        const wide = next - x.get(id) > 4 + 3 * sides.length + width;
        return h(
          'button',
          {
            type: 'button',
            class: 'hol',
            title: `${words}. ${reason(p).tip}`,
            'aria-label': `${t('space.withheld')}, ${date(p.recordedAt)}: ${words}`,
            style: { left: `${x.get(id)}%` },
            on: { click: () => document.getElementById('help').click() },
          },
          ...sides.map((s) => h('i', { class: `pt hollow ${s.side ?? 'trunk'}` })),
          wide ? h('small', {}, words) : null,
        );
      }),
    );
  }

  // held is which sides were withheld, and why: "left: hidden".
  #held(sides, p) {
    const side = !sides[0].side ? '' : sides.length > 1 ? t('side.both') : t(`side.${sides[0].side}`);
    return [side, reason(p).word].filter(Boolean).join(': ');
  }

  // withheld says the same in a sentence, for where the lane has no room.
  #withheld(held) {
    const list = new Map();
    held.forEach((points, k) => points.forEach((p) => list.set(p.keypointId, [...(list.get(p.keypointId) ?? []), [this.#series[k], p]])));
    return list.size
      ? t('trend.withheld', {
          list: [...list.values()]
            .map(
              (all) =>
                `${date(all[0][1].recordedAt)} ${this.#held(
                  all.map(([s]) => s),
                  all[0][1],
                )}`,
            )
            .join(t('trend.semicolon')),
        })
      : '';
  }
}
