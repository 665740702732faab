// A list of rules, made with controls or written as JSON.
import { h, button, field } from './dom.js';
import { say, label } from './i18n.js';
import { Problem } from './api.js';

export class Rules {
  #list = h('ol', { class: 'rules' });
  #rows = [];
  #make;
  #text = h('textarea', { rows: 10, spellcheck: false, label: 'rule.json', hidden: true });
  #byHand = h('input', { type: 'checkbox', on: { change: () => this.#switch() } });
  #builder;

  // make makes a row {el, value}; it gets what to call after a change. least is how many
  // rows there are at the beginning.
  constructor(make, least) {
    this.#make = make;
    this.#builder = h('div', {}, this.#list, button('rule.add', () => this.add().querySelector('select').focus(), { icon: 'plus', class: 'btn--line' }));
    this.el = h('div', { class: 'rule-editor' }, this.#builder, field('rule.byHand', this.#byHand, { class: 'field check' }), this.#text);
    for (let i = 0; i < least; i++) this.add();
  }

  // add adds a rule and returns its element.
  add() {
    const row = this.#make();
    const remove = button('rule.remove', () => {
      this.#rows.splice(this.#rows.indexOf(row), 1);
      item.remove();
      this.#builder.lastChild.focus();
    }, { class: 'btn--line btn--small' });
    const item = h('li', {}, row.el, remove);
    this.#rows.push(row);
    this.#list.append(item);
    return item;
  }

  #switch() {
    const hand = this.#byHand.checked;
    if (hand) this.#text.value = JSON.stringify(this.#rows.map((r) => r.value), null, 1);
    this.#text.hidden = !hand;
    this.#builder.hidden = hand;
    if (hand) this.#text.focus();
  }

  // value is the rules as the API takes them. It throws what is wrong with written ones.
  get value() {
    if (!this.#byHand.checked) return this.#rows.map((r) => r.value);
    try {
      return JSON.parse(this.#text.value);
    } catch (e) {
      throw new Problem('rule.notJSON', { places: [e.message] });
    }
  }
}

// Report shows what a job is doing and what went wrong with it.
export class Report {
  #words = h('p', { role: 'status', class: 'note' });
  #bar = h('progress', { max: 1, value: 0, hidden: true });
  #error = h('div', { role: 'alert', class: 'error' });
  el = h('div', { class: 'report' }, this.#words, this.#bar, this.#error);

  // run runs a job, and shows that it does. The job is given a function that takes the part
  // that is done, 0 to 1, or null. The button is disabled meanwhile.
  async run(by, words, job) {
    this.#error.replaceChildren();
    by.disabled = true;
    say(this.#words, words);
    label(this.#bar, words);
    try {
      await job((part) => {
        this.#bar.hidden = !part;
        this.#bar.value = part ?? 0;
      });
    } catch (e) {
      if (!(e instanceof Problem)) throw e;
      this.#error.append(h('p', { t: e.key, args: e.args }),
        ...(e.places.length ? [h('ul', {}, ...e.places.map((p) => h('li', {}, p)))] : []));
    } finally {
      this.#words.replaceChildren();
      delete this.#words.dataset.t;
      this.#bar.hidden = true;
      by.disabled = false;
    }
  }
}
