// @ts-check
// What selects recordings of the list: words, a person, a tag, the days of filming.
import { h, button, field } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';

// start is the start of a day of the calendar here, or of the one after it.
const start = (day, after = 0) => { const [y, m, d] = day.split('-').map(Number); return new Date(y, m - 1, d + after).toISOString(); };

export class Filter {
  #api;
  #changed;
  #search = h('input', { type: 'search', label: 'list.search' });
  #person = h('select', {});
  #tag = h('input', { maxLength: 32, autocomplete: 'off' });
  #from = h('input', { type: 'date' });
  #to = h('input', { type: 'date' });
  #panel = h('div', { class: 'rail__f', id: 'filter', hidden: true }, field('about.person', this.#person), field('filter.tag', this.#tag),
    field('filter.from', this.#from), field('filter.to', this.#to),
    button('filter.clear', () => this.#clear(), { class: 'btn--line btn--small' }));
  #open = button('filter.title', () => this.#toggle(), { icon: 'filter', only: true, class: 'btn--line', 'aria-expanded': 'false', 'aria-controls': 'filter' });
  parts = [h('label', { class: 'search' }, icon('search'), this.#search), this.#open];
  panel = this.#panel;

  // changed is called when something else is selected.
  constructor(api, changed) {
    this.#api = api;
    let timer = 0;
    const soon = () => { clearTimeout(timer); timer = setTimeout(() => this.#tell(), 200); };
    this.#changed = changed;
    for (const el of [this.#search, this.#tag]) el.addEventListener('input', soon);
    for (const el of [this.#person, this.#from, this.#to]) el.addEventListener('change', () => this.#tell());
    this.speak();
  }

  // speak puts the words of the language where no key can.
  speak() { this.#search.placeholder = t('filter.search'); }

  get words() { return this.#search.value.trim(); }

  // query is what the service is asked for, null for everything.
  /** @returns {{[name: string]: string} | null} */
  get query() {
    const all = { text: this.words, subjectId: this.#person.value, tag: this.#tag.value.trim(),
      recordedFrom: this.#from.value && start(this.#from.value), recordedTo: this.#to.value && start(this.#to.value, 1) };
    const set = Object.entries(all).filter(([, v]) => v);
    return set.length ? Object.fromEntries(set) : null;
  }

  #tell() {
    this.#open.setAttribute('aria-pressed', String(Object.keys(this.query ?? {}).some((name) => name !== 'text')));
    this.#changed();
  }

  // close puts the fields away, with the names in them.
  close() {
    this.#person.replaceChildren();
    this.#clear();
    this.#panel.hidden = true;
    this.#open.setAttribute('aria-expanded', 'false');
  }

  async #toggle() {
    this.#panel.hidden = !this.#panel.hidden;
    this.#open.setAttribute('aria-expanded', String(!this.#panel.hidden));
    if (this.#panel.hidden) return;
    const chosen = this.#person.value, { data } = await this.#api.get('subjects/?size=1000').catch(() => ({ data: [] }));
    this.#person.replaceChildren(h('option', { value: '', t: 'filter.everyone' }), h('option', { value: '0', t: 'people.free' }), ...data.map((p) => h('option', { value: p.id }, p.name)));
    this.#person.value = chosen;
  }

  #clear() {
    for (const el of [this.#search, this.#person, this.#tag, this.#from, this.#to]) el.value = '';
    this.#tell();
  }
}
