// @ts-check
// Past comparisons, of one recording or of all.
import { h, button, card } from '../base/dom.js';
import { t, day } from '../base/i18n.js';
import { address } from '../base/route.js';

// past lists the newest comparisons, of a recording if it is given.
export async function past({ library, api }, recording) {
  const all = (await api.get('comparisons/?size=100&execStatus=SUCCESS')).data,
    seen = new Set(),
    rows = [];
  for (const c of all) {
    const pair = [c.source, c.target, c.person, c.targetPerson].join();
    if (rows.length === 8 || seen.has(pair)) continue;
    seen.add(pair);
    const [a, b] = [await library.find(c.source), await library.find(c.target)];
    if (!a || !b || (recording && ![a, b].some((r) => library.path(r) === library.path(recording)))) continue;
    const name = (r) => library.known(r).name || t('list.unnamed');
    rows.push(
      h(
        'li',
        {},
        h(
          'a',
          { href: address(['compare', c.source, c.target], { person: c.person || '', targetPerson: c.targetPerson || '' }) },
          h('b', {}, t('compare.with', { a: name(a), b: name(b) })),
          h('span', {}, day(c.createdAt)),
        ),
      ),
    );
  }
  return card(
    'compare.past',
    {},
    rows.length ? h('ul', { class: 'past' }, ...rows) : h('p', { class: 'foot', t: 'compare.none' }),
    recording
      ? h(
          'div',
          { class: 'verdict__a' },
          button(
            'list.compare',
            () => {
              location.hash = address(['compare', recording.id], { person: recording.person || '' });
            },
            { icon: 'side', class: 'btn--line btn--small' },
          ),
        )
      : null,
  );
}
