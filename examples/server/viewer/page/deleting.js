// Deleting a recording, after a question.
import { h, button } from './dom.js';
import { say } from './i18n.js';
import { Report } from './rules.js';

export class Deleting {
  #api;
  #item = null;
  #title = h('h2', { id: 'delete-title' });
  #report = new Report();

  // gone is called with a record that is deleted, kept with one that is not.
  constructor(api, gone, kept) {
    this.#api = api;
    const keep = button('delete.keep', () => this.el.close(), { autofocus: true });
    const go = button('delete.do', () => this.#report.run(go, 'delete.works', async () => {
      await this.#delete(this.#item);
      const item = this.#item;
      this.#item = null;
      this.el.close();
      await gone(item);
    }), { class: 'main' });
    this.el = h('dialog', { 'aria-labelledby': 'delete-title', on: { close: () => { if (this.#item) kept(this.#item); } } },
      this.#title, h('p', { t: 'delete.what' }), h('div', { class: 'downloads' }, keep, go), this.#report.el);
  }

  // ask asks whether a record shall be deleted.
  ask(item, name) {
    this.#item = item;
    say(this.#title, 'delete.title', { name });
    this.el.showModal();
  }

  // delete removes the media, and all that is made from it, or the record alone where there
  // is another one of the same media.
  async #delete(item) {
    const kind = item.movie ? 'movie' : 'image';
    const all = await this.#api.all('keypoints/');
    const shared = all.some((r) => r.id !== item.id && r[kind] === item[kind]);
    await this.#api.delete(shared ? `keypoints/${item.id}/` : `${kind}s/${item[kind]}/`);
  }
}
