// @ts-check
// The exercises that a person does: they are offered first in the person's recordings.
import { h, button, card } from '../base/dom.js';
import { address } from '../base/route.js';
import { drop, keep, read } from '../numbers/mine.js';
import { title } from '../numbers/exercise.js';

export class PersonExercises {
  #app;
  #id;
  #last;
  /** @type {Exercise[]} */
  #offered = []; // to be chosen: own ones and those that are shipped
  #list = h('ul', { class: 'nt' });
  #choice = h('select', {
    label: 'people.addExercise',
    on: { change: () => this.#do(() => keep(this.#app.api, this.#offered[Number(this.#choice.value)], this.#id)) },
  });
  el = card('people.exercises', { id: 'people-exercises', note: this.#choice }, this.#list);

  // id is the person, last the newest recording, if there is one.
  constructor(app, id, last) {
    this.#app = app;
    this.#id = id;
    this.#last = last;
  }

  // read reads the list.
  async read(signal) {
    const { shipped, own } = await read(this.#app.api, signal);
    this.#offered = [...own.filter((x) => !x.subjectId).map((x) => x.exercise), ...shipped];
    const theirs = own.filter((x) => x.subjectId === this.#id);
    this.#choice.replaceChildren(
      h('option', { value: '', t: 'people.addExercise' }),
      ...this.#offered.map((e, i) => h('option', { value: String(i) }, title(e))),
    );
    this.#choice.value = '';
    this.#list.replaceChildren(
      ...(theirs.length ? [] : [h('li', {}, h('p', { class: 'quiet', t: 'people.noExercises' }))]),
      ...theirs.map(({ id, exercise }) =>
        h(
          'li',
          {},
          h(
            'small',
            {},
            h('a', { href: address(['exercises', id], { recording: this.#last?.id ?? '' }) }, title(exercise)),
            button('people.dropExercise', () => this.#do(() => drop(this.#app.api, id)), {
              icon: 'bin',
              only: true,
              class: 'nt__x',
              args: { name: title(exercise) },
            }),
          ),
        ),
      ),
    );
  }

  async #do(change) {
    this.#choice.disabled = true;
    try {
      await change();
      await this.read();
      this.#app.mended();
    } catch (e) {
      this.#app.fail(e);
    }
    this.#choice.disabled = false;
    this.#choice.focus();
  }
}
