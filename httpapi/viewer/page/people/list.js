// @ts-check
// The list of people, with a picture of the last session of each.
import { h, button, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t, date } from '../base/i18n.js';
import { address } from '../base/route.js';
import { filmed, sessionsOf } from '../library/sessions.js';

export class PeopleList {
  #app;
  #turn = 0;
  #list = h('div', { class: 'rail__lists' });
  #search = h('input', { type: 'search', label: 'people.search', on: { input: () => this.refresh() } });
  #current = '';
  /** @type {any[]} */
  items = [];

  // add makes a person.
  constructor(app, add) {
    this.#app = app;
    this.#search.placeholder = t('people.search');
    this.el = h(
      'aside',
      { class: 'rail', id: 'rail', label: 'people.title' },
      h(
        'div',
        { class: 'rail__top' },
        h('label', { class: 'search' }, icon('search'), this.#search),
        button('people.add', add, { icon: 'plus', only: true, class: 'btn--line' }),
      ),
      this.#list,
      h('p', { class: 'rail__foot wide-only', t: 'people.stay' }),
    );
  }

  // mark shows who is open.
  mark(id) {
    this.#current = String(id);
    for (const a of this.#list.querySelectorAll('.rec')) {
      if (a.dataset.id === this.#current) a.setAttribute('aria-current', 'true');
      else a.removeAttribute('aria-current');
    }
  }

  // refresh reads the people whose name or note has the words that are searched for.
  async refresh() {
    const turn = ++this.#turn,
      { api, library } = this.#app,
      words = this.#search.value.trim();
    const [{ data }, { data: loose }] = await Promise.all([
      api.get(`subjects/?size=200${words ? `&text=${encodeURIComponent(words)}` : ''}`),
      api.get('keypoints/?subjectId=0&size=100'),
    ]);
    if (turn !== this.#turn) return;
    this.items = data;
    const free = sessionsOf(library, loose);
    const rows = data.map((p) => this.#row(p.id, p.name));
    const last = this.#row(
      'none',
      t(free.length === 1 ? 'people.recording' : 'people.recordings', { n: free.length + (loose.length === 100 ? '+' : '') }),
    );
    last.querySelector('.rec__m')?.replaceChildren(span('people.assign'));
    this.#list.replaceChildren(
      h('h2', { class: 'rail__group', t: 'people.title' }),
      ...(rows.length
        ? [h('ul', { class: 'list' }, ...rows)]
        : [h('p', { class: 'rail__foot', t: words ? 'people.nothing' : 'people.none' })]),
      ...(free.length && !words ? [h('h2', { class: 'rail__group', t: 'people.free' }), h('ul', { class: 'list' }, last)] : []),
    );
    this.mark(this.#current);
    if (free.length)
      library.portrait(free[0]).then((src) => {
        if (src) last.querySelector('img').src = src;
      });
    for (const [i, p] of data.entries()) {
      // one after the other: nothing else waits for them
      const { data: records } = await api.get(`keypoints/?subjectId=${p.id}&include=recordedAt&size=100`);
      if (turn !== this.#turn) return;
      const all = sessionsOf(library, records);
      rows[i].querySelector('.rec__m').textContent = all.length
        ? `${t(all.length === 1 ? 'people.session' : 'people.sessions', { n: all.length })} · ${date(filmed(all[0]))}`
        : t('people.noSession');
      if (all.length)
        library.portrait(all[0]).then((src) => {
          if (src) rows[i].querySelector('img').src = src;
        });
    }
  }

  #row(id, name) {
    return h(
      'li',
      {},
      h(
        'a',
        { class: 'rec', href: address(['people', id]), 'data-id': String(id) },
        h('span', { class: 'rec__p' }, h('img', { alt: '', width: 48, height: 60 })),
        h('span', { class: 'rec__t' }, h('span', { class: 'rec__n' }, name), h('span', { class: 'rec__m' }, '\u00a0')),
      ),
    );
  }
}
