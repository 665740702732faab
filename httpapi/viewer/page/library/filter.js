// @ts-check
// What selects recordings of the list: words, a person, a tag, the days of filming, and what needs care.
import { h, button, field } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { say, t, date } from '../base/i18n.js';
import { menu } from './menu.js';

// start is the start of a day of the calendar here, or of the one after it.
const start = (day, after = 0) => {
  const [y, m, d] = day.split('-').map(Number);
  return new Date(y, m - 1, d + after).toISOString();
};

export class Filter {
  #app;
  #changed;
  #search = h('input', { type: 'search', label: 'list.search' });
  #from = h('input', { type: 'date' });
  #to = h('input', { type: 'date' });
  #menu = menu();
  #days = h(
    'div',
    { class: 'menu menu--days', popover: 'auto' },
    field('filter.from', this.#from),
    field('filter.to', this.#to),
    button('filter.clear', () => this.#clear(['from', 'to']), { class: 'btn--line btn--small' }),
  );
  #pills = Object.fromEntries(
    ['person', 'tag', 'filmed', 'care'].map((name) => [
      name,
      h(
        'button',
        { type: 'button', 'aria-pressed': 'false', on: { click: (e) => this.#press(name, e.currentTarget) } },
        h('span', { t: `filter.${name}` }),
        name === 'care' ? null : icon('down', true),
      ),
    ]),
  );
  #person = { id: '', name: '' };
  #tag = '';
  #care = false;
  el = h(
    'div',
    {},
    h('div', { class: 'rail__f', role: 'group', label: 'filter.title' }, ...Object.values(this.#pills)),
    this.#menu.el,
    this.#days,
  );
  search = h('label', { class: 'search' }, icon('search'), this.#search);

  // changed is called when something else is selected.
  constructor(app, changed) {
    this.#app = app;
    this.#changed = changed;
    let timer = 0;
    this.#search.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#tell(), 200);
    });
    for (const el of [this.#from, this.#to]) el.addEventListener('change', () => this.#tell());
    for (const name of ['person', 'tag']) this.#pills[name].setAttribute('aria-haspopup', 'menu');
    this.speak();
  }

  // speak puts the words of the language where no key can.
  speak() {
    this.#search.placeholder = t('filter.search');
  }

  get words() {
    return this.#search.value.trim();
  }

  // query is what the service is asked for, null for everything.
  /** @returns {{[name: string]: string} | null} */
  get query() {
    const all = {
      text: this.words,
      subjectId: this.#person.id,
      tag: this.#tag,
      recordedFrom: this.#from.value && start(this.#from.value),
      recordedTo: this.#to.value && start(this.#to.value, 1),
    };
    const set = Object.entries(all).filter(([, v]) => v);
    return set.length ? Object.fromEntries(set) : null;
  }

  // takes reports whether a recording that the service has selected is shown.
  takes = (item) => !this.#care || ['usable', 'poor', 'nobody'].includes(item.verdict);

  get careful() {
    return this.#care;
  }

  async #press(name, by) {
    if (name === 'care') {
      this.#care = !this.#care;
      this.#tell();
    } else if (name === 'filmed') {
      const { left, bottom } = by.getBoundingClientRect();
      Object.assign(this.#days.style, { left: `${Math.min(left, innerWidth - 250)}px`, top: `${bottom + 4}px` });
      this.#days.showPopover();
      this.#from.focus();
    } else if (name === 'tag') {
      const pick = (tag) => {
        this.#tag = tag;
        this.#tell();
      };
      this.#menu.open(by, [
        { key: 'filter.anyTag', chosen: !this.#tag, act: () => pick('') },
        ...this.#app.library.tags().map((tag) => ({ name: tag, chosen: tag === this.#tag, act: () => pick(tag) })),
      ]);
    } else {
      const pick = (id, of) => {
        this.#person = { id: String(id), name: of };
        this.#tell();
      };
      const people = await this.#app.library.everybody();
      this.#menu.open(by, [
        { key: 'filter.everyone', chosen: !this.#person.id, act: () => pick('', '') },
        { key: 'people.free', chosen: this.#person.id === '0', act: () => pick(0, t('people.free')) },
        ...people.map((p) => ({ name: p.name, chosen: this.#person.id === String(p.id), act: () => pick(p.id, p.name) })),
      ]);
    }
  }

  #tell() {
    const days = [this.#from.value, this.#to.value].map((day) => (day ? date(`${day}T12:00`) : '')),
      set = { person: this.#person.name, tag: this.#tag, filmed: days.some(Boolean) ? [...new Set(days)].join('–') : '' };
    for (const [name, pill] of Object.entries(this.#pills)) {
      const words = /** @type {HTMLElement} */ (pill.firstElementChild);
      if (set[name]) {
        words.textContent = set[name];
        delete words.dataset.t;
      } else say(words, `filter.${name}`);
      pill.setAttribute('aria-pressed', String(name === 'care' ? this.#care : Boolean(set[name])));
    }
    this.#changed();
  }

  #clear(which) {
    if (which.includes('from')) this.#from.value = this.#to.value = '';
    if (which.includes('all')) Object.assign(this.#search, { value: '' });
    this.#tell();
  }

  // close forgets what is selected, and the names in it.
  close() {
    this.#person = { id: '', name: '' };
    this.#tag = '';
    this.#care = false;
    this.#menu.el.replaceChildren();
    this.#clear(['from', 'all']);
  }
}
