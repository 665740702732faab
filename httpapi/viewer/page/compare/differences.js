// @ts-check
// What differs between two recordings, as the service says it: the answer in words, and a table of the angles at the
// turns, or the largest difference of each. A click, or an arrow key in the table, goes there.
import { amount, number } from '../base/amount.js';
import { h, button, card, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t, language } from '../base/i18n.js';
import { address } from '../base/route.js';
import { angles } from '../numbers/measures.js';
import { nameOf } from '../numbers/results.js';

const few = 5; // rows before "More"

// named are the choice of measures.js and the side that the name of an angle in a comparison stands for.
/** @type {{[name: string]: {choice: string, type: string, side: string}}} */
export const named = Object.fromEntries(
  Object.entries(angles).flatMap(([choice, { type, sides }]) =>
    sides
      ? ['left', 'right'].map((side) => [side + type[0].toUpperCase() + type.slice(1), { choice, type, side }])
      : [[type, { choice, type, side: '' }]],
  ),
);

// otherSide is the side of B that is compared with a side of A.
export const otherSide = (side, mirror) => (mirror ? ({ left: 'right', right: 'left' }[side] ?? side) : side);

const signed = (v) => (v > 0 && number(v, '°') !== '0' ? '+' : '') + amount(v, '°');

export class Differences {
  /** @type {{el: HTMLElement, angle: string, n: number}[]} */
  #cells = [];
  #record;
  #go;

  // go is called with a difference that is chosen; spans are the repetitions on the time axis of A; seconds is the time of a
  // frame of A in words; lead is the measure to read first of A.
  constructor(record, { go, spans, seconds, lead }) {
    this.#record = record;
    this.#go = go;
    const unlike = record.warnings.some((w) => w.code === 'notTheSameMovement'),
      { answer } = record;
    const most = unlike ? [] : record.largest.filter(({ angle }) => angle in named);
    // What is read first is told first, also where it does not differ.
    const first = (angle) =>
      angle === answer?.angle ? 2 : Number(lead?.analysisType === named[angle].type && (lead.side ?? '') === named[angle].side);
    most.sort((a, b) => first(b.angle) - first(a.angle));
    const told = answer
      ? h(
          'section',
          { class: 'card big' },
          h('p', { class: 'card__n', t: 'compare.against' }),
          h('h2', { class: 'big__t' }, answer.title[language]),
          h('p', {}, answer.text[language]),
        )
      : unlike
        ? null
        : h('section', { class: 'card' }, h('p', { class: 'say', t: 'compare.nothing' }));
    const turns = !unlike && record.repetitions?.some((r) => r.at?.length);
    this.cards = [told, turns ? this.#twins(most, spans) : most.length ? this.#list(most, seconds) : null].filter((el) => el !== null);
    this.first = answer && answer.angle in named ? answer : (most[0] ?? null);
  }

  // show marks the angle in the chart and the repetition that the playhead is in; n is -1 outside of them.
  show(angle, n) {
    for (const cell of this.#cells) {
      const on = cell.angle === angle && (cell.n === n || cell.n < 0);
      if (cell.el.getAttribute('aria-pressed') !== String(on)) cell.el.setAttribute('aria-pressed', String(on));
    }
  }

  // at is the difference of an angle at the turn of a repetition.
  at(angle, n) {
    return this.#record.repetitions?.[n]?.at?.find((d) => d.angle === angle);
  }

  #joint(angle) {
    const { type: analysisType, side } = named[angle],
      other = otherSide(side, this.#record.mirror);
    return h(
      'span',
      { class: 'j' },
      h('i', { class: `dot ${side || 'trunk'}` }),
      side === other ? null : h('i', { class: `dot ${other}` }),
      nameOf({ analysisType, side }),
    );
  }

  #cell(d, n, ...children) {
    const el = h('button', { type: 'button', 'aria-pressed': 'false', on: { click: () => this.#go(d) } }, ...children);
    this.#cells.push({ el, angle: d.angle, n });
    return el;
  }

  // twins is the table of the differences at the turns: a row for each angle, a column for each repetition.
  #twins(most, spans) {
    const { repetitions } = this.#record;
    const rows = most.map((d) => d.angle).filter((angle) => repetitions.some((_, n) => this.at(angle, n)));
    const columns = spans.map((s, n) => ({ n, flag: s.flag }));
    const cell = (angle, n) => {
      const d = this.at(angle, n);
      if (!d) return h('td', { class: 'mx__no' }, n < repetitions.length ? '–' : t('compare.alone'));
      return h(
        'td',
        { class: d.sure ? 'd' : '' },
        this.#cell(d, n, h('b', {}, signed(d.difference)), h('small', {}, `${number(d.source, '°')}\u2009→\u2009${amount(d.target, '°')}`)),
      );
    };
    const body = h(
      'tbody',
      {},
      ...rows.map((angle, k) =>
        h('tr', { hidden: k >= few }, h('th', { scope: 'row' }, this.#joint(angle)), ...columns.map(({ n }) => cell(angle, n))),
      ),
    );
    body.addEventListener('keydown', (e) => this.#move(e));
    const more = button(
      'compare.all',
      () => {
        for (const tr of body.rows) tr.hidden = false;
        more.remove();
      },
      { class: 'btn--line btn--small', args: { n: rows.length }, hidden: rows.length <= few },
    );
    return card(
      'compare.turns',
      { note: 'compare.ab' },
      h(
        'div',
        { class: 'scroll', tabIndex: 0, role: 'group', label: 'compare.turns' },
        h(
          'table',
          { class: 'mx' },
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              h('th', { scope: 'col', t: 'values.of' }),
              ...columns.map(({ n, flag }) => h('th', { scope: 'col', class: flag ? 'flag' : '' }, t('compare.rep', { n: n + 1 }))),
            ),
          ),
          body,
        ),
      ),
      h('div', { class: 'mx__f' }, h('p', { class: 'foot', t: 'compare.bold' }), more),
    );
  }

  // move goes with the arrow keys from cell to cell.
  #move(e) {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key],
      td = e.target.closest('td');
    if (!by || !td || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    const row = td.parentElement,
      rows = [...row.parentElement.children];
    const next = rows[rows.indexOf(row) + by[0]]?.children[[...row.children].indexOf(td) + by[1]]?.querySelector('button');
    next?.focus();
    next?.click();
  }

  // list is what differs most where there are no repetitions.
  #list(most, seconds) {
    return card(
      'compare.most',
      { note: 'compare.ab' },
      h(
        'ul',
        { class: 'diff' },
        ...most
          .slice(0, 6)
          .map((m) =>
            h(
              'li',
              {},
              this.#cell(
                m,
                -1,
                h('span', {}, h('b', {}, this.#joint(m.angle)), h('small', {}, seconds(m.frame))),
                h('span', { class: 'quiet' }, `${amount(m.source, '°')} → ${amount(m.target, '°')}`),
                h('strong', { class: m.sure ? '' : 'unsure' }, signed(m.difference)),
              ),
            ),
          ),
      ),
      h('p', { class: 'foot', t: 'compare.bold' }),
    );
  }
}

// cautions are the warnings of a comparison, each with what to do; opposite is whether the two face opposite sides, a the id of
// A, and flip the button that shows B mirrored or as it was filmed.
export function cautions({ warnings }, opposite, a, flip) {
  const unlike = warnings.some((w) => w.code === 'notTheSameMovement'),
    others = warnings.filter((w) => w.code !== 'mirrored' && (!unlike || w.code === 'notTheSameMovement'));
  if (!opposite && !others.length) return null;
  return h(
    'section',
    { class: 'verdict verdict--care', role: 'status' },
    h(
      'div',
      {},
      h('h2', {}, icon('care'), span(unlike ? 'compare.unlike' : opposite ? 'compare.opposite' : 'compare.care')),
      opposite && !unlike ? h('p', { t: 'compare.mirrored' }) : null,
      ...others.map((w) => h('p', {}, w.sentence[language])),
    ),
    h(
      'div',
      { class: 'verdict__a' },
      opposite && !unlike ? flip : null,
      unlike
        ? h('a', { class: 'btn btn--line btn--small', href: address(['compare', a]), t: 'compare.other' })
        : button('help.film', () => document.getElementById('help').click(), { icon: 'camera', class: 'btn--line btn--small' }),
    ),
  );
}
