// @ts-check
// The recordings of the user: for each movie or image its newest keypoint record, with its media and
// thumbnail. The newest are read at first, older ones when they are wanted. The list is read again while one is at work.
import { h } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { fileOf } from './files.js';
import { Going } from './going.js';

const size = 50; // records in a page of the list

export class Library extends EventTarget {
  #api;
  #media = new Map(); // by path
  #pictures = new Map(); // promises of object URLs by path
  #records = []; // of the pages that have been read, the newest first
  #listed = new Map(); // what lists tell of media, by path
  #people = new Map(); // names by id
  #going;
  #others = new BroadcastChannel('motion-names'); // other windows of this browser
  #stale = false; // whether names may have changed elsewhere
  /** @type {Promise<any>[]} */
  #last = Array(3).fill(Promise.resolve()); // the last pictures that are asked for
  #timer = 0;
  #turn = 0;
  #pages = 1; // how many have been read
  items = [];
  read = false; // whether the list has been read
  more = false; // whether there are older ones that have not

  constructor(api) {
    super();
    this.#api = api;
    this.#going = new Going(api);
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#again();
    });
    this.#others.onmessage = () => this.#again();
  }

  // again reads the list with all names. It dispatches "names" then, for what else shows some.
  async #again() {
    this.#stale = true;
    await this.refresh();
    this.dispatchEvent(new Event('names'));
  }

  // tell lets other windows know that names have changed: of recordings or people.
  tell() {
    this.#others.postMessage('changed');
  }

  // path is the address of the media of a record, or its own: keypoints may be given without, or joined from several recordings,
  // which stay beside it.
  path = (record) => (record.keypointIds ? `keypoints/${record.id}/` : this.#film(record));

  #film = (record) =>
    record.movie > 0 ? `movies/${record.movie}/` : record.image ? `images/${record.image}/` : `keypoints/${this.#origin(record)}/`;

  // origin is the id of the record that the keypoints of a record were given in.
  #origin(record) {
    let { id } = record;
    for (let from = record.keypointId; from; from = this.#records.find((r) => r.id === id)?.keypointId) id = from;
    return id;
  }

  // given is what stands for the media of keypoints that were given without; null where there are media.
  given = (record) =>
    record.movie > 0 || record.image
      ? null
      : { name: t('list.given', { id: record.id }), width: record.size?.[0], height: record.size?.[1], createdAt: record.createdAt };

  // moving is a record that was read with its timestamps: the movie of keypoints in motion that were given without is -1.
  moving = (record) => (this.given(record) && record.timestamps ? { ...record, movie: -1 } : record);

  // media returns the movie or image of a record.
  async media(record) {
    const path = this.#film(record),
      given = this.given(record);
    if (given) return given;
    if (!this.#media.has(path)) this.#media.set(path, await this.#api.get(path));
    return this.#media.get(path);
  }

  // known is what is known of the movie or image of a record without asking: its name at least.
  known(record) {
    return this.given(record) ?? this.#media.get(this.#film(record)) ?? this.#listed.get(this.#film(record)) ?? {};
  }

  // find returns the record with an id, and reads older ones until it is found; null if there is none.
  async find(id) {
    for (;;) {
      const found = this.#records.find((r) => r.id === id);
      if (found) return found;
      if (!this.more) return null;
      await this.older();
    }
  }

  // picture returns an object URL of the thumbnail of a record's media, or null if there is none.
  picture(record) {
    return this.given(record) ? Promise.resolve(null) : this.#image(this.#film(record));
  }

  // portrait returns one of the person of a record. It is null where nobody waits for it any more when its turn comes.
  async portrait(record, awaited = () => true) {
    return (
      (record.execStatus === 'SUCCESS' && !this.given(record) ? await this.#image(`keypoints/${record.id}/`, awaited) : null) ??
      (awaited() ? this.picture(record) : null)
    );
  }

  #image(path, awaited = () => true) {
    if (!this.#pictures.has(path)) {
      // Some at a time, so that nothing else waits: a picture may have to be taken out of its movie.
      const lane = this.#pictures.size % this.#last.length;
      this.#last[lane] = this.#last[lane]
        .then(() => {
          if (awaited()) return this.#api.file(`${path}?format=thumbnail`);
          this.#pictures.delete(path);
          return null;
        })
        .then(
          (b) => b && URL.createObjectURL(b),
          () => null,
        );
      this.#pictures.set(path, this.#last[lane]);
    }
    return this.#pictures.get(path);
  }

  // source returns an address of the movie or image itself: the user's own file, if the page holds it, else a
  // link from the service, or null if the service gives none.
  async source(record, media) {
    if (this.given(record)) return null;
    const file = fileOf(media);
    if (file) return URL.createObjectURL(file);
    try {
      return (await this.#api.get(`${this.#film(record)}?include=media`)).mediaUrl ?? null;
    } catch {
      return null;
    }
  }

  // thumbnail is an image of a record's media, empty until it is known.
  thumbnail(record, width, height) {
    const img = h('img', { alt: '', width, height });
    this.picture(record).then((src) => {
      if (src) img.src = src;
    });
    return img;
  }

  // change changes what is known of a recording: its name, the person, when it was filmed, its tags. If the person's height changes
  // the scale, the recording is measured again, and change returns the new keypoint record; else null.
  async change(item, changes) {
    const given = this.given(item),
      path = this.#film(item),
      newest = this.items.find((i) => this.path(i) === this.path(item)) ?? item,
      now = await this.#api.patch(given ? `keypoints/${newest.id}/` : path, changes);
    this.#media.set(path, given ?? now);
    const made = changes.subjectId === undefined ? null : await (await import('./scale.js')).scaled(this.#api, newest, changes.subjectId);
    this.tell();
    await this.refresh();
    return made;
  }

  // person is the name of the person of a record, if it is known.
  person = (record) => this.#people.get(record.subjectId) ?? '';

  // everybody reads the people.
  async everybody() {
    const { data } = await this.#api.get('subjects/?size=1000').catch(() => ({ data: [] }));
    for (const { id, name } of data) this.#people.set(id, name);
    return data;
  }

  // tags are those of the recordings that have been read.
  tags = () => [...new Set(this.#records.flatMap((r) => r.tags ?? []))].sort((a, b) => a.localeCompare(b));

  // forget drops all that is known, after somebody was erased.
  forget() {
    for (const picture of this.#pictures.values())
      picture.then((url) => {
        if (url) URL.revokeObjectURL(url);
      });
    for (const known of [this.#media, this.#listed, this.#pictures, this.#people]) known.clear();
    this.#keep([]);
    this.#pages = 1;
    this.dispatchEvent(new Event('forget'));
    this.tell();
    this.refresh();
  }

  // remove takes recordings out of the list: their media, and everything that is made of them, are deleted so many ms later.
  // It returns what is done then, and what takes it back.
  remove(items, ms) {
    const paths = items.map(this.path),
      again = () => {
        this.#keep(this.#records);
        this.dispatchEvent(new Event('change'));
      };
    this.#going.begin(paths, ms);
    again();
    return {
      finish: async () => {
        await this.#going.finish(paths).finally(again);
        this.#records = this.#records.filter((r) => !paths.includes(this.path(r)));
        await this.refresh();
      },
      undo: () => {
        this.#going.stop(paths);
        again();
      },
    };
  }

  // page reads a page of the list, or of what a filter selects, and the names of its media.
  async #page(page, filter = '') {
    const list = await this.#api.get(`keypoints/?include=recordedAt&size=${size}&page=${page}${filter}`);
    this.#going.seen(list.data.map(this.path));
    const stale = this.#stale,
      missing = (kind) => list.data.some((r) => r[kind] && (stale || !this.known(r).name));
    this.#stale = false;
    await Promise.all(
      ['movie', 'image'].filter(missing).map(async (kind) => {
        for (const one of (await this.#api.get(`${kind}s/?size=${size}&page=${page}${filter}`)).data) {
          const path = `${kind}s/${one.id}/`,
            media = this.#media.get(path);
          this.#listed.set(path, { ...one, name: one.name ?? '' });
          if (media) media.name = one.name;
        }
      }),
    );
    if (stale || list.data.some((r) => r.subjectId && !this.#people.has(r.subjectId))) await this.everybody();
    await Promise.all(list.data.filter((r) => this.known(r).name === undefined).map((r) => this.media(r).catch(() => {})));
    return list;
  }

  // refresh reads the newest of the list now; older ones stay as they were read.
  async refresh() {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    try {
      const { data, maxPage } = await this.#page(1);
      if (turn !== this.#turn) return; // a later call is under way
      const oldest = data.at(-1)?.id ?? 0;
      this.#keep([...data, ...(maxPage > 1 ? this.#records.filter((r) => r.id < oldest) : [])]);
      this.more = maxPage > this.#pages;
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

  // search reads a page of the recordings that a filter selects, parameters of the list, and whether there are more.
  /** @param {{[name: string]: string}} filter @param {number} page */
  async search(filter, page) {
    const { data, maxPage } = await this.#page(page, `&${new URLSearchParams(filter)}`);
    return { items: this.#once(data), more: maxPage > page };
  }

  // older reads the next page of the list.
  async older() {
    const { data, maxPage } = await this.#page(this.#pages + 1);
    const known = new Set(this.#records.map((r) => r.id));
    this.#pages++;
    this.more = maxPage > this.#pages;
    this.#keep([...this.#records, ...data.filter((r) => !known.has(r.id))]);
    this.dispatchEvent(new Event('change'));
  }

  #keep(records) {
    this.#records = records;
    this.items = this.#once(records);
  }

  // at takes the part of the work on a record that is done, where somebody knows it before the list does.
  at(id, part) {
    const item = this.items.find((i) => i.id === id && i.execStatus === 'PROCESSING');
    if (!item || !(part > (item.progress ?? 0))) return;
    item.progress = part;
    this.dispatchEvent(new Event('progress'));
  }

  // once are the newest records of each movie and image, with what is known of them. One that has failed stands for those
  // before it only if they have failed, too. A recording that is measured again keeps its place, by when its movie was added.
  #once(records) {
    const best = new Map();
    for (const r of records) {
      const path = this.path(r),
        was = best.get(path);
      if (this.#going.has(path)) continue;
      if (!was || (was.execStatus === 'FAILURE' && r.execStatus !== 'FAILURE')) best.set(path, r);
    }
    const added = new Map(records.map((r) => [this.path(r), r.createdAt])); // the first of each, where the media are not known
    const items = [...best].map(([path, r]) =>
      Object.assign(r, {
        media: this.known(r),
        addedAt: this.given(r) || r.keypointIds ? added.get(path) : (this.known(r).createdAt ?? added.get(path)),
      }),
    );
    return items.sort((a, b) => Date.parse(b.addedAt) - Date.parse(a.addedAt) || b.id - a.id);
  }
}
