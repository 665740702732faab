// @ts-check
// People: the list of them, and beside it one of them, a new one, or the recordings of nobody.
import { h, button, card, field, jobButton } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { address, go } from '../base/route.js';
import { filmedOn, onDay, sessionsOf } from '../library/sessions.js';
import { PersonForm } from './form.js';
import { PeopleList } from './list.js';
import { Person } from './person.js';

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
