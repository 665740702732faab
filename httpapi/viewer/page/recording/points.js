// @ts-check
// Editing the points of a rule: how a point is found, and of which parts.
import { h, button, select } from '../base/dom.js';
import { label } from '../base/i18n.js';
import { parts } from '../base/names.js';

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
