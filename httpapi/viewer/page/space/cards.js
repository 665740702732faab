// @ts-check
// The numbers of a recording in space: what the cameras say together beside what each says alone, and where they stand.
import { amount, brief, number, plusMinus } from '../base/amount.js';
import { h, card } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';
import { types } from '../base/names.js';
import { angles } from '../numbers/measures.js';
import { nameOf } from '../numbers/results.js';
import { held } from '../numbers/trust.js';
import { letters } from './stage.js';

const withheld = () => h('td', { class: 'dim' }, icon('hidden'), h('span', { class: 'vh', t: 'space.withheld' }));

// most is by how many degrees a camera alone may be off without a word.
const most = types.find(({ unit }) => unit === '°')?.good ?? 0;

// Beside is the table of the values of now, in space and by each camera alone.
export class Beside {
  #time = h('span');
  #body = h('tbody');
  #foot = h('p', { class: 'foot' });
  #views;
  /** @type {{m: Measure, cell: HTMLElement, alone: HTMLElement[]}[]} */
  #rows = [];

  // views are the recordings alone: {record, playhead, measures}. frame gives the frame of one at a frame of the first,
  // -1 where it has none.
  constructor(views, frame) {
    this.#views = views;
    this.frame = frame;
    this.el = card(
      'values.title',
      { after: this.#time, note: 'values.straight' },
      h(
        'div',
        { class: 'scroll', tabIndex: 0, role: 'group', label: 'values.title' },
        h(
          'table',
          { class: 'tbl tbl--v sp__t' },
          h(
            'thead',
            {},
            h(
              'tr',
              {},
              h('th', { scope: 'col', t: 'values.of' }),
              h('th', { scope: 'col', t: 'space.in' }),
              ...views.map((_, i) => h('th', { scope: 'col', t: 'space.alone', args: { name: letters[i] } })),
            ),
          ),
          this.#body,
        ),
      ),
      this.#foot,
    );
  }

  // show lists the measures that are chosen.
  show(measures) {
    this.#rows = [];
    this.#body.replaceChildren(
      ...measures.chosen.flatMap((name) => {
        const { type: analysisType, sides } = angles[name],
          list = measures.results(name);
        if (!list.length)
          return (sides ? measures.shownSides : [undefined]).map((side) =>
            this.#row({ analysisType, side }, ...[null, ...this.#views].map(() => h('td', {}, '–'))),
          );
        return list.map((m) => {
          const alone = this.#views.map(() => h('td', { class: 'dim' })),
            off = m.trust === 'withheld',
            cell = off ? held(m, measures.facing) : h('td', { class: 'b' });
          if (!off) this.#rows.push({ m, cell, alone });
          else alone.forEach((el) => el.replaceWith(withheld()));
          return this.#row(m, cell, ...alone);
        });
      }),
    );
  }

  #row(m, ...cells) {
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        h(
          'span',
          { class: 'j' },
          h('i', { class: `dot ${m.side ?? 'trunk'}` }),
          h('span', {}, nameOf(m), m.unit === 'torso' ? h('small', { class: 'quiet' }, t('values.cm')) : null),
        ),
      ),
      ...cells,
    );
  }

  // now shows the values of a frame.
  now(frame, time) {
    this.#time.textContent = t('space.at', { seconds: time.toFixed(2) });
    const worst = this.#views.map(() => ({ off: 0, name: '' }));
    for (const { m, cell, alone } of this.#rows) {
      const value = m.values[frame];
      cell.replaceChildren(
        brief(value, m.unit),
        h('small', { class: 'pm' }, typeof value === 'number' ? plusMinus(m.uncertainty[frame], m.unit) : ''),
      );
      this.#views.forEach(({ measures }, i) => {
        if (!measures.overview) {
          alone[i].textContent = '–';
          return;
        }
        const one = measures.overview.measures.find((o) => o.analysisType === m.analysisType && o.side === m.side),
          at = this.frame(i, frame);
        const said = one && one.trust !== 'withheld' && !one.estimated && at >= 0 ? one.values[at] : null;
        if (typeof said !== 'number') alone[i].replaceChildren(...withheld().childNodes);
        else alone[i].textContent = brief(said, m.unit);
        const off = typeof said === 'number' && typeof value === 'number' && m.unit === '°' ? Math.abs(said - value) : 0;
        if (off > worst[i].off) worst[i] = { off, name: nameOf(m) };
      });
    }
    this.#foot.textContent = worst
      .map(({ off, name }, i) => (off > most ? t('space.off', { camera: letters[i], degrees: number(off, '°'), name }) : ''))
      .filter(Boolean)
      .join(' ');
  }
}

// cameraCard tells where the cameras stand and when they began.
export function cameraCard(space, scene, frame) {
  const place = (i) => {
    const [away, high] = [scene.away(i, frame), scene.cameras[i].eye[1] - scene.floor];
    const said = { away: amount(away, scene.unit), high: amount(high, scene.unit) };
    return t(scene.unit === 'm' ? 'space.away' : 'space.torsos', said);
  };
  const when = (offset) => `${offset < 0 ? '−' : '+'} ${amount(Math.abs(offset), 's')}`;
  return card(
    'space.cameras',
    { note: 'space.miss', noteArgs: { pixels: space.residual < 10 ? Number(space.residual.toFixed(1)) : Math.round(space.residual) } },
    h(
      'ul',
      { class: 'sp__two' },
      ...scene.cameras.map(({ offset }, i) =>
        h('li', {}, h('b', { class: i ? 'b' : '' }, letters[i]), place(i), h('span', {}, i ? when(offset) : t('space.leads'))),
      ),
    ),
  );
}
