// @ts-check
// What is known of a person, to be written: name, height, year of birth, side, a note.
import { h, button, field, lengthField, select } from '../base/dom.js';
import { Report } from '../base/report.js';

export class PersonForm {
  #report = new Report();
  #name;

  // person is as the service has it, or empty. save is called with all members; what is taken away is 0 or "".
  constructor(person, save, cancel) {
    this.#name = h('input', { value: person.name ?? '', maxLength: 200, required: true, autocomplete: 'off' });
    const height = lengthField({ body: true, value: person.bodyHeight || '' });
    const born = h('input', {
      type: 'number',
      min: 1900,
      max: new Date().getFullYear(),
      step: 1,
      inputMode: 'numeric',
      placeholder: '1990',
      value: person.birthYear || '',
    });
    const side = select('people.side', ['', 'left', 'right'], 'side.', { value: person.side ?? '' });
    const note = h('textarea', { rows: 3, maxLength: 2000, value: person.note ?? '' });
    const keep = h('button', { type: 'submit', class: 'btn btn--primary', t: 'list.keep' });
    const body = () => ({
      name: this.#name.value.trim(),
      bodyHeight: height.metres() || 0,
      birthYear: born.valueAsNumber || 0,
      side: side.value,
      note: note.value.trim(),
    });
    this.el = h(
      'form',
      {
        class: 'su__f',
        on: {
          submit: (e) => {
            e.preventDefault();
            this.#report.run(keep, 'people.saving', () => save(body()));
          },
        },
      },
      field('list.name', this.#name),
      h('div', { class: 'two' }, field('people.height', height), field('people.born', born)),
      field('people.side', side),
      field('people.note', note),
      h('div', { class: 'verdict__a' }, keep, button('tool.cancel', cancel, { class: 'btn--line' })),
      this.#report.el,
    );
  }

  focus() {
    this.#name.focus();
  }
}
