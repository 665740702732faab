// @ts-check
// What a job is doing, and what went wrong with it.
import { h } from './dom.js';
import { say, label } from './i18n.js';
import { Problem } from './api.js';

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
      this.#error.append(
        h('p', { t: e.key, args: e.args }),
        ...(e.places.length ? [h('ul', {}, ...e.places.map((p) => h('li', {}, p)))] : []),
      );
    } finally {
      this.#words.replaceChildren();
      delete this.#words.dataset.t;
      this.#bar.hidden = true;
      by.disabled = false;
    }
  }
}
