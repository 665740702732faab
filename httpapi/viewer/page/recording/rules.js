// @ts-check
// A list of rules, made with controls or written as JSON, and their points: how a point is found, and of which parts.
import { h, button, field, select } from '../base/dom.js';
import { label } from '../base/i18n.js';
import { parts } from '../base/names.js';
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

const pointTypes = ['single', 'midpoint', 'centroid', 'horizontalLeft', 'horizontalRight', 'verticalTop', 'verticalDown'];

export class Point {
  #names = h('span', { class: 'names' });
  #changed;
  #number;

  // changed is called after each change.
  constructor(number, part, changed) {
    this.#number = number;
    this.#changed = changed;
    this.type = select('rule.pointType', pointTypes, 'point.', {
      on: {
        change: () => {
          this.#fit();
          changed();
        },
      },
    });
    this.#more = button(
      'rule.morePart',
      () => {
        this.#add('nose');
        changed();
      },
      { class: 'btn--line btn--small' },
    );
    this.#less = button(
      'rule.lessPart',
      () => {
        this.#names.lastChild?.remove();
        this.#fit();
        changed();
      },
      { class: 'btn--line btn--small' },
    );
    this.el = h(
      'fieldset',
      { class: 'point' },
      h('legend', { t: 'rule.point', args: { number } }),
      this.type,
      this.#names,
      this.#more,
      this.#less,
    );
    this.#add(part);
  }

  #more;
  #less;

  #add(part) {
    const el = select('rule.part', parts, 'part.', { value: part, on: { change: this.#changed } });
    this.#names.append(el);
    label(el, 'rule.partOf', { number: this.#number, part: this.#names.children.length });
    this.#fit();
  }

  // fit gives a type the parts it takes: single one, midpoint two, the others as many as wanted.
  #fit() {
    const type = this.type.value,
      have = this.#names.children;
    const most = type === 'single' ? 1 : type === 'midpoint' ? 2 : Infinity;
    while (have.length > most) this.#names.lastChild?.remove();
    if (type === 'midpoint' && have.length < 2) this.#add('rightHip');
    this.#more.hidden = most < Infinity;
    this.#less.hidden = most < Infinity || have.length < 2;
  }

  // value is the point as the API takes it.
  get value() {
    const names = [...this.#names.querySelectorAll('select')].map((s) => s.value);
    if (this.type.value === 'single') return names[0];
    return { pointType: this.type.value, pointName: names.length === 1 ? names[0] : names };
  }
}
