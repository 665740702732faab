// The list of recordings: keypoint records with the name of their media and their state,
// polled while one is at work.
import { h, button } from './dom.js';
import { say, when } from './i18n.js';
import { Deleting } from './deleting.js';

const atOnce = 20;

export class Recordings {
  #api;
  #open;
  #deleting;
  #rows = h('ul', { class: 'recordings' });
  #note = h('p', { class: 'note', role: 'status' });
  #more = button('list.more', () => { this.#pages++; this.refresh(); }, { hidden: true });
  #pages = 1;
  #media = new Map(); // by path
  #details = new Map(); // words of failures by id
  #timer = 0;
  #turn = 0;
  #current = 0;
  items = [];

  // open is called with the record that the user chooses, gone with one that is deleted.
  constructor(api, open, gone) {
    this.#api = api;
    this.#open = open;
    const title = h('h2', { t: 'list.title', tabIndex: -1 });
    this.#deleting = new Deleting(api, async (item) => {
      gone(item);
      await this.refresh();
      title.focus();
    }, (item) => this.#rows.querySelector(`[data-delete="${item.id}"]`)?.focus());
    this.el = h('section', { class: 'card', label: 'list.title' },
      title, this.#note, this.#rows, this.#more);
    document.body.append(this.#deleting.el);
    document.addEventListener('language', () => this.#show());
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.refresh(); });
  }

  // media returns the movie or image of a record.
  async media(record) {
    const path = record.movie ? `movies/${record.movie}/` : `images/${record.image}/`;
    if (!this.#media.has(path)) this.#media.set(path, await this.#api.get(path));
    return this.#media.get(path);
  }

  // mark shows which record is open.
  mark(id) {
    this.#current = id;
    this.#show();
  }

  // refresh reads the list now.
  async refresh() {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    try {
      const items = [];
      let last = 1;
      for (let page = 1; page <= Math.min(this.#pages, last); page++) {
        const list = await this.#api.get(`keypoints/?size=${atOnce}&page=${page}`);
        items.push(...list.data);
        last = list.maxPage;
      }
      for (const item of items) {
        item.media = await this.media(item);
        if (item.execStatus === 'FAILURE' && !this.#details.has(item.id)) {
          this.#details.set(item.id, (await this.#api.get(`keypoints/${item.id}/`)).failureDetail);
        }
      }
      if (turn !== this.#turn) return; // a later call is under way
      this.items = items;
      this.#more.hidden = last <= this.#pages;
      this.#show();
    } catch (e) {
      if (turn === this.#turn) say(this.#note, e.key ?? String(e), e.args);
    }
    const busy = this.items.some((i) => i.execStatus === 'UNPROCESSED' || i.execStatus === 'PROCESSING');
    if (turn === this.#turn) this.#timer = setTimeout(() => document.hidden || this.refresh(), busy ? 1000 : 15_000);
  }

  #show() {
    const { record, delete: deleted } = document.activeElement?.dataset ?? {};
    if (this.items.length) this.#note.replaceChildren();
    else say(this.#note, 'list.empty');
    if (this.items.length) delete this.#note.dataset.t;
    this.#rows.replaceChildren(...this.items.map((item) => this.#row(item)));
    if (record) this.#rows.querySelector(`[data-record="${record}"]`)?.focus();
    if (deleted) this.#rows.querySelector(`[data-delete="${deleted}"]`)?.focus();
    document.dispatchEvent(new Event('recordings'));
  }

  #row(item) {
    const name = nameOf(item);
    const done = item.execStatus === 'SUCCESS';
    const words = [
      h('span', { class: 'name' }, name),
      h('span', { class: 'note' }, h('span', { t: item.movie ? 'kind.movie' : 'kind.image' }),
        ` · ${when(item.createdAt)}`),
      h('span', { class: `state ${item.execStatus.toLowerCase()}`, t: `state.${item.execStatus}` }),
    ];
    if (item.execStatus === 'PROCESSING' && item.progress !== null) {
      words.push(h('progress', { max: 1, value: item.progress, label: 'list.progress', labelArgs: { name } }));
    }
    if (item.execStatus === 'FAILURE') words.push(h('span', { class: 'error', t: this.#details.get(item.id) }));
    const el = done
      ? h('button', { type: 'button', class: 'record', 'data-record': item.id, on: { click: () => this.#open(item) } }, ...words)
      : h('div', { class: 'record' }, ...words);
    if (done && item.id === this.#current) el.setAttribute('aria-current', 'true');
    return h('li', {}, el, h('button', {
      type: 'button', class: 'delete', 'data-delete': item.id, label: 'list.deleteOf', labelArgs: { name },
      on: { click: () => this.#deleting.ask(item, name) },
    }, '×'));
  }
}

// nameOf is how a record is called.
export const nameOf = (item) => `${item.media?.name ?? ''} #${item.id}`.trim();
