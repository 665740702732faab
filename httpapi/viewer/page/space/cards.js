// @ts-check
// The numbers of a recording in space: what the cameras say together, and where they stand.
import { amount, brief, plusMinus } from '../base/amount.js';
import { h, card } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { angles, labelOf } from '../numbers/measures.js';
import { held } from '../numbers/trust.js';
import { letters } from './stage.js';

// Beside is the table of the values of now, left beside right.
export class Beside {
  #time = h('span');
  #body = h('tbody');
  /** @type {{m: Measure, cell: HTMLElement}[]} */
  #rows = [];

  constructor() {
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
              ...['left', 'right'].map((side) =>
                h('th', { scope: 'col' }, h('i', { class: `dot ${side}` }), ' ', h('span', { t: `side.${side}` })),
              ),
            ),
          ),
          this.#body,
        ),
      ),
    );
  }

  // show lists the measures that are chosen; before they are known they have no numbers.
  show(measures) {
    this.#rows = [];
    this.#body.replaceChildren(
      ...measures.chosen.map((name) => {
        const { sides } = angles[name],
          list = measures.results(name),
          unit = list[0]?.unit;
        const cells = (sides ? ['left', 'right'] : [undefined]).map((side) => {
          const m = list.find((one) => one.side === side);
          if (m?.trust === 'withheld') return held(m, measures.facing);
          const cell = h('td', { class: 'b' }, '–');
          if (m) this.#rows.push({ m, cell });
          return cell;
        });
        const title = h('span', { t: labelOf(name) });
        return h(
          'tr',
          {},
          h('th', { scope: 'row' }, title, unit === 'torso' ? h('small', { class: 'quiet' }, t('values.cm')) : null),
          ...cells,
          ...(sides ? [] : [h('td')]),
        );
      }),
    );
  }

  // now shows the values of a frame.
  now(frame, time) {
    this.#time.textContent = t('space.at', { seconds: time.toFixed(2) });
    for (const { m, cell } of this.#rows) {
      const value = m.values[frame];
      cell.replaceChildren(
        brief(value, m.unit),
        h('small', { class: 'pm' }, typeof value === 'number' ? plusMinus(m.uncertainty[frame], m.unit) : ''),
      );
    }
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
