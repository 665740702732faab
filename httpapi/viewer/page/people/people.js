// @ts-check
// People: the list of them, and beside it one of them, a new one, or the recordings of nobody.
import { h, button, card, field, jobButton, span } from '../base/dom.js';
import { t, date } from '../base/i18n.js';
import { address, go } from '../base/route.js';
import { filmed, filmedOn, onDay, sessionsOf } from '../library/sessions.js';
import { PersonForm } from './form.js';
import { Person } from './person.js';
import { icon } from '../base/icons.js';

// PeopleList is the list of people, with a picture of the last session of each.
class PeopleList {
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

export class PeopleView {
  #app;
  #add;
  #choose;
  #end = new AbortController();
  #list;
  #id = '';
  /** @type {Person | null} */
  #one = null; // who is open
  el = h('main', { class: 'work', id: 'main', tabIndex: -1 });

  // choose opens the chooser of files, add sends files; both for a person.
  constructor(app, choose, add) {
    this.#app = app;
    this.#choose = choose;
    this.#add = add;
    this.#list = new PeopleList(app, () => go(['people', 'new']));
    this.rail = this.#list.el;
    app.library.addEventListener('names', () => this.#told().catch(app.fail), { signal: this.#end.signal });
  }

  // told reads again what another window has changed.
  async #told() {
    this.#list.refresh();
    if (this.#one) this.#one.told(await this.#app.api.get(`subjects/${this.#id}/`, this.#end.signal));
  }

  close() {
    this.#end.abort();
  }

  // take sends files that were dropped: they are of the person who is open.
  take(files) {
    this.#add(files, Number(this.#id) || 0);
  }

  // open shows a person by id, "new", or "none". Without an id the first person is opened.
  async open(id, query) {
    const { signal } = this.#end;
    this.#id = id;
    this.#one = null;
    this.#list.mark(id);
    this.el.replaceChildren(h('h1', { class: 'quiet', t: 'people.title' }));
    const read = this.#list.refresh();
    if (id === 'new') this.#new();
    else if (id === 'none') await this.#loose(signal);
    else if (id) await this.#show(id, query, signal);
    await read;
    if (id || signal.aborted) return;
    if (this.#list.items.length) location.replace(address(['people', this.#list.items[0].id]));
    else this.#welcome();
  }

  async #show(id, query, signal) {
    const { api, library } = this.#app;
    const [person, { data }] = await Promise.all([
      api.get(`subjects/${id}/`, signal),
      api.get(`keypoints/?subjectId=${id}&include=recordedAt&size=1000`, signal),
    ]);
    const sessions = sessionsOf(library, data);
    await Promise.all(sessions.map((r) => (library.known(r).name === undefined ? library.media(r).catch(() => {}) : null)));
    if (signal.aborted) return;
    const one = new Person(this.#app, person, sessions, {
      signal,
      choose: () => this.#choose(person.id),
      changed: () => {
        this.#list.refresh();
      },
      erased: (words) => {
        this.#id = '';
        this.#one = null;
        this.#list.mark('');
        this.#list.refresh();
        this.el.replaceChildren(h('div', { class: 'head' }, h('h1', { tabIndex: -1, t: 'people.title' })), words);
        this.el.querySelector('h1').focus();
      },
    });
    this.#one = one;
    this.el.replaceChildren(...one.parts);
    document.title = `${person.name} · ${t('title')}`;
    await one.measure(query.get('show') ?? '');
  }

  // welcome is what stands where nobody is known yet.
  #welcome() {
    this.el.replaceChildren(
      h('div', { class: 'head' }, h('h1', { t: 'people.title' })),
      h(
        'div',
        { class: 'su__new' },
        card(
          'people.first',
          {},
          h('p', { class: 'say', t: 'people.first.text' }),
          button('people.add', () => go(['people', 'new']), { icon: 'plus', class: 'btn--primary' }),
        ),
      ),
    );
  }

  #new() {
    const form = new PersonForm(
      {},
      async (body) => {
        const made = await this.#app.api.post('subjects/', Object.fromEntries(Object.entries(body).filter(([, v]) => v)));
        this.#app.library.tell();
        go(['people', made.id]);
      },
      () => history.back(),
    );
    this.el.replaceChildren(
      h('div', { class: 'head' }, h('h1', { t: 'people.new' })),
      h('div', { class: 'su__new' }, card('people.about', {}, form.el)),
    );
    form.focus();
  }

  // loose lists the recordings of nobody, to give them to somebody.
  async #loose(signal) {
    const { api, library } = this.#app;
    const [{ data }, { data: people }] = await Promise.all([
      api.get('keypoints/?subjectId=0&include=recordedAt&size=100', signal),
      api.get('subjects/?size=1000', signal),
    ]);
    const all = sessionsOf(library, data);
    await Promise.all(all.map((r) => library.media(r).catch(() => {})));
    if (signal.aborted) return;
    const ready = () => {
      act.disabled = !people.length || !boxes.some((b) => b.checked);
    };
    const boxes = all.map(() => h('input', { type: 'checkbox', on: { change: ready } }));
    const whom = h('select', {}, ...people.map((p) => h('option', { value: p.id }, p.name)));
    const day = h('input', { type: 'date' });
    const act = jobButton(
      this.#app,
      'people.give',
      async () => {
        for (const [i, r] of all.entries())
          if (boxes[i].checked) await library.change(r, { subjectId: Number(whom.value), ...onDay(r, day.value) });
        go(['people', whom.value]);
      },
      { class: 'btn--primary' },
    );
    ready();
    const row = (r, i) =>
      h(
        'li',
        {},
        h(
          'label',
          {},
          boxes[i],
          library.thumbnail(r, 56, 42),
          h('span', { class: 'se__n' }, h('b', {}, library.known(r).name || t('list.unnamed')), h('small', {}, filmedOn(r))),
        ),
      );
    this.el.replaceChildren(
      h(
        'div',
        { class: 'head' },
        h('div', { class: 'head__t' }, h('h1', { t: 'people.free' }), h('p', { class: 'head__m', t: 'people.free.text' })),
      ),
      h(
        'div',
        { class: 'su__new' },
        card(
          'list.title',
          { id: 'people-free' },
          all.length ? h('ul', { class: 'se se--free' }, ...all.map(row)) : h('p', { class: 'foot', t: 'people.noneFree' }),
          all.length ? h('div', { class: 'su__give' }, field('people.whom', whom), field('pick.day', day), act) : null,
        ),
      ),
    );
  }
}
