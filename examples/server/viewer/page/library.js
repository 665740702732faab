// The recordings of the user: for each movie or image its newest keypoint record, with its media and
// thumbnail. It is read again while one is at work.
import { fileOf } from './files.js';

export class Library extends EventTarget {
  #api;
  #media = new Map(); // by path
  #pictures = new Map(); // promises of object URLs by path
  #timer = 0;
  #turn = 0;
  items = [];
  read = false; // whether the list has been read

  constructor(api) {
    super();
    this.#api = api;
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.refresh(); });
  }

  // path is the address of the media of a record.
  path = (record) => (record.movie ? `movies/${record.movie}/` : `images/${record.image}/`);

  // media returns the movie or image of a record.
  async media(record) {
    const path = this.path(record);
    if (!this.#media.has(path)) this.#media.set(path, await this.#api.get(path));
    return this.#media.get(path);
  }

  // picture returns an object URL of the thumbnail of a record's media, or null where there is none.
  picture(record) {
    const path = this.path(record);
    if (!this.#pictures.has(path)) {
      this.#pictures.set(path, this.#api.file(`${path}?format=thumbnail`).then((b) => URL.createObjectURL(b), () => null));
    }
    return this.#pictures.get(path);
  }

  // source returns an address of the movie or image itself: the user's own file, if the page holds it, else a
  // link from the service, or null if the service gives none.
  async source(record, media) {
    const file = fileOf(media);
    if (file) return URL.createObjectURL(file);
    try {
      return (await this.#api.get(`${this.path(record)}?include=media`)).mediaUrl ?? null;
    } catch {
      return null;
    }
  }

  // rename gives a recording another name.
  async rename(item, name) {
    const path = this.path(item);
    this.#media.set(path, await this.#api.patch(path, { name }));
    await this.refresh();
  }

  // remove deletes a recording: its media, and everything that is made of it.
  async remove(item) {
    await this.#api.delete(this.path(item));
    await this.refresh();
  }

  // refresh reads the list now.
  async refresh() {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    try {
      const all = await this.#api.all('keypoints/'), seen = new Set();
      const items = all.filter((item) => !seen.has(this.path(item)) && seen.add(this.path(item)));
      await Promise.all(items.map(async (item) => { item.media = await this.media(item); }));
      if (turn !== this.#turn) return; // a later call is under way
      this.items = items;
      this.read = true;
      this.problem = null;
    } catch (e) {
      if (turn !== this.#turn) return;
      this.problem = e;
    }
    this.dispatchEvent(new Event('change'));
    const busy = this.items.some((i) => i.execStatus === 'UNPROCESSED' || i.execStatus === 'PROCESSING');
    this.#timer = setTimeout(() => document.hidden || this.refresh(), busy ? 1000 : 15_000);
  }
}
