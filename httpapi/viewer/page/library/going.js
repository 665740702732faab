// @ts-check
// What is being deleted: it is gone from the page at once, and from the service some seconds later, so that it can be taken
// back. What is promised is kept in the browser, so that it comes true when the page is left before.
const kept = 'motion-going'; // the addresses, each with the time when it is deleted
const grace = 3000; // ms, after which another page of this browser keeps the promise

const read = () => /** @type {{[path: string]: number}} */ (JSON.parse(localStorage.getItem(kept) ?? '{}'));
function write(change) {
  const all = read();
  change(all);
  localStorage.setItem(kept, JSON.stringify(all));
}

export class Going {
  #api;
  #mine = new Set();

  constructor(api) {
    this.#api = api;
    addEventListener('pagehide', () => {
      for (const path of this.#mine) this.#api.delete(path).catch(() => {});
    });
  }

  has(path) {
    return this.#mine.has(path) || path in this.#left;
  }

  #left = read(); // of pages that were left

  // seen keeps the promises of pages that were left, for what the service still has.
  seen(paths) {
    for (const path of paths) {
      if (!(path in this.#left)) continue;
      const now = read();
      if (!(path in now))
        delete this.#left[path]; // was taken back in another window
      else if (now[path] + grace < Date.now()) this.finish([path]).catch(() => {});
    }
  }

  // begin promises to delete so many ms from now.
  begin(paths, ms) {
    for (const path of paths) this.#mine.add(path);
    write((all) => {
      for (const path of paths) all[path] = Date.now() + ms;
    });
  }

  // stop takes that back.
  stop(paths) {
    for (const path of paths) this.#mine.delete(path);
    write((all) => {
      for (const path of paths) delete all[path];
    });
  }

  // finish deletes now. It throws what went wrong with the last one that stays.
  async finish(paths) {
    let problem = null;
    for (const path of paths) {
      try {
        await this.#api.delete(path);
      } catch (e) {
        if (e?.status !== 404) problem = e;
      }
    }
    this.stop(paths);
    if (problem) throw problem;
  }
}
