// @ts-check
// A list of rules, made with controls or written as JSON.
import { h, button, field } from '../base/dom.js';
import { Problem } from '../base/api.js';

export class Rules {
  #list = h('ol', { class: 'rules' });
  /** @type {{el: HTMLElement, value: any}[]} */
  #rows = [];
  #make;
  #text = h('textarea', { rows: 10, spellcheck: false, label: 'rule.json', hidden: true });
  #byHand = h('input', { type: 'checkbox', on: { change: () => this.#switch() } });
  #builder;

  // make makes a row {el, value}; it gets what to call after a change. least is how many
  // rows there are at the beginning.
  constructor(make, least) {
    this.#make = make;
    this.#builder = h(
      'div',
      {},
      this.#list,
      button('rule.add', () => this.add().querySelector('select').focus(), { icon: 'plus', class: 'btn--line' }),
    );
    this.el = h('div', { class: 'rule-editor' }, this.#builder, field('rule.byHand', this.#byHand, { class: 'field check' }), this.#text);
    for (let i = 0; i < least; i++) this.add();
  }

  // add adds a rule and returns its element.
  add() {
    const row = this.#make();
    const remove = button(
      'rule.remove',
      () => {
        this.#rows.splice(this.#rows.indexOf(row), 1);
        item.remove();
        this.#builder.lastChild.focus();
      },
      { class: 'btn--line btn--small' },
    );
    const item = h('li', {}, row.el, remove);
    this.#rows.push(row);
    this.#list.append(item);
    return item;
  }

  #switch() {
    const hand = this.#byHand.checked;
    if (hand)
      this.#text.value = JSON.stringify(
        this.#rows.map((r) => r.value),
        null,
        1,
      );
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
