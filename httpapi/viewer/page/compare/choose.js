// @ts-check
// The two recordings to compare are chosen from those that can be compared; past comparisons stand below.
import { h, button, card, span } from '../base/dom.js';
import { t, date, day } from '../base/i18n.js';
import { address } from '../base/route.js';
import { past } from '../library/past.js';

// choose lists the recordings; source and target are chosen already, if they are given, and a person of the source.
export async function choose(app, el, source, target, person) {
  const { library } = app;
  while (!library.read && !library.problem) await new Promise((done) => library.addEventListener('change', done, { once: true }));
  while (library.more) await library.older();
  const fit = library.items.filter((i) => i.execStatus === 'SUCCESS');
  const pick = (key, id) => {
    const select = h(
      'select',
      { label: key, class: 'pickone' },
      ...fit.map((i) => h('option', { value: i.id }, `${i.media.name || t('list.unnamed')} · ${day(i.recordedAt ?? i.createdAt)}`)),
    );
    if (id) select.value = id;
    return select;
  };
  const first = pick('compare.a', source || fit[0]?.id),
    second = pick('compare.b', target || fit.find((i) => i.id !== (source || fit[0].id))?.id);
  const before = h('div', {});
  el.replaceChildren(
    h(
      'div',
      { class: 'cmp__choose' },
      h('h1', { class: 'vh', t: 'compare.nav' }),
      card(
        'compare.title',
        {},
        fit.length < 2 ? h('p', { class: 'say', t: 'compare.few' }) : h('p', { class: 'say', t: 'compare.what' }),
        h(
          'div',
          { class: 'two' },
          h('label', { class: 'field' }, span('compare.a'), first),
          h('label', { class: 'field' }, span('compare.b'), second),
        ),
        h(
          'div',
          { class: 'verdict__a' },
          button(
            'compare.run',
            () => {
              location.hash = address(['compare', first.value, second.value], {
                person: person && Number(first.value) === source ? person : '',
              });
            },
            { class: 'btn--primary', disabled: fit.length < 1 },
          ),
        ),
      ),
      before,
    ),
  );
  before.replaceChildren(await past(app));
}

// who names one of the two recordings, with the choice of the person where everybody was followed.
/** @param {string} name @param {Recording & {name: string}} record @param {Recording[]} two */
export function who(name, record, two) {
  const { people = [] } = record;
  /** @type {HTMLSelectElement | null} */
  const choice =
    people.length < 2
      ? null
      : h(
          'select',
          {
            label: 'compare.person',
            labelArgs: { name },
            on: {
              change: () => {
                record.person = Number(choice?.value);
                location.hash = address(['compare', two[0].id, two[1].id], {
                  person: two[0].person || '',
                  targetPerson: two[1].person || '',
                });
              },
            },
          },
          ...people.map(({ track }, i) => h('option', { value: track }, t('person.n', { n: i + 1 }))),
        );
  if (choice) choice.value = record.person || people.find((p) => p.chosen).track;
  return h(
    'span',
    { class: 'who' },
    h('b', {}, name),
    h('span', { title: record.name }, record.name),
    h('small', {}, date(record.recordedAt ?? record.media.createdAt ?? record.createdAt)),
    choice,
  );
}
