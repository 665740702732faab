// @ts-check
// Uploading files: checked first, and cut where they are long, then sent, then their keypoints are asked for.
import { Problem } from '../base/api.js';
import { release } from '../base/dom.js';
import { plain } from '../base/i18n.js';
import { hold, kindOf } from './files.js';
import { md5 } from './md5.js';

/** @typedef {{imagePixels: number, framePixels: number, frames: number, uploadBytes: number}} Limits of the service */

// asked is what is asked for of a movie or an image: everybody who is there in the first three seconds, too.
export const asked = { feet: true, candidates: 4, candidatesEvery: 1 };

// of names the movie or the image of a recording to measure; a movie of too many pixels is measured with fewer.
export const of = ({ movie = 0, image = 0 }) => (movie ? { movieId: movie, shrink: true } : { imageId: image });

const slowest = 10; // frames a second: what is longer than the most frames of them is too long in any case
const long = 60; // seconds: of a longer movie, a part is offered to be measured, but of whole ones

// measure returns the width, the height and the seconds of a file, as far as the browser can tell.
async function measure(file, kind) {
  const url = URL.createObjectURL(file),
    video = kind === 'images' ? null : document.createElement('video');
  const found = await /** @type {Promise<any>} */ (
    new Promise((done) => {
      if (!video) {
        const img = new Image();
        img.onload = () => done({ width: img.naturalWidth, height: img.naturalHeight });
        img.onerror = () => done({});
        img.src = url;
        return;
      }
      video.preload = 'metadata';
      video.onloadedmetadata = () => {
        const seconds = Number.isFinite(video.duration) ? video.duration : 0; // those of a browser's recorder do not tell
        done({ width: video.videoWidth, height: video.videoHeight, seconds });
      };
      video.onerror = () => done({});
      setTimeout(() => done({}), 3000);
      video.src = url;
    })
  );
  release(video);
  URL.revokeObjectURL(url);
  return found;
}

// check throws what is wrong with a file, before any of it is sent. It returns the movie of which a part is to be
// chosen, or null.
/** @param {any} upload @param {Limits} most @returns {Promise<import('./mp4.js').Movie | null>} */
async function check(upload, most) {
  const { file, kind, settled, whole } = upload,
    heavy = file.size > most.uploadBytes;
  if (!kind) throw new Problem('upload.neither');
  if (file.size === 0) throw new Problem('upload.empty');
  if (kind === 'movies' && !settled) {
    const movie = await (await import('./mp4.js')).Movie.read(file),
      { width, height, seconds } = await measure(file, kind);
    upload.shrunk = width * height >= most.framePixels ? { width, height } : null;
    if (movie && (heavy || movie.times.length >= most.frames || (movie.seconds > long && !whole))) return movie;
    if (seconds > most.frames / slowest) throw new Problem('upload.long', { args: { seconds: Math.round(seconds), frames: most.frames } });
  } else if (kind === 'images') {
    const { width, height } = await measure(file, kind);
    if (width * height >= most.imagePixels)
      throw new Problem('upload.large', { args: { width, height, most: (most.imagePixels / 1e6).toFixed(1) } });
  }
  if (heavy) throw new Problem('upload.heavy', { args: { size: Math.round(file.size / 1e6), most: most.uploadBytes / 1e6 } });
  return null;
}

export class Uploads extends EventTarget {
  #api;
  #ask;
  #queue = Promise.resolve();
  #next = 1;
  /** @type {Promise<Limits> | null} */
  #limits = null;
  list = []; // {n, file, name, kind, state, part, problem, id, movie}

  // ask asks for the size or the frameRate of keypoints, and resolves to null where the user does not know.
  constructor(api, ask) {
    super();
    this.#api = api;
    this.#ask = ask;
  }

  get(n) {
    return this.list.find((u) => u.n === Number(n));
  }

  // limits asks for what the service accepts; 0 is no limit.
  async limits() {
    this.#limits ??= this.#api
      .get('limits/')
      .then((most) => Object.fromEntries(Object.entries(most).map(([name, v]) => [name, v || Infinity])));
    try {
      return await /** @type {Promise<Limits>} */ (this.#limits);
    } catch (e) {
      this.#limits = null;
      throw e;
    }
  }

  // add takes files, of a person, and returns their uploads, which are sent one after the other. Of long movies, a part
  // has to be chosen before, but for whole ones: those are refused only where the service does not take them.
  add(files, subjectId = 0, whole = false) {
    const added = Array.from(files, (file) => ({
      n: this.#next++,
      file,
      name: plain(file.name),
      kind: kindOf(file),
      state: 'upload.waits',
      part: 0,
      whole,
      of: subjectId ? { subjectId } : {},
      stop: new AbortController(),
    }));
    this.list.unshift(...added);
    this.#changed();
    for (const upload of added) this.#later(upload);
    return added;
  }

  #later(upload) {
    this.#queue = this.#queue.then(() => this.#run(upload));
  }

  // settle sends a part of a movie, a file, or the whole one.
  settle(upload, file = upload.file) {
    Object.assign(upload, file === upload.file ? {} : { file, name: plain(file.name) }, { settled: true, movie: null });
    this.#tell(upload, 'upload.waits', 0);
    this.#later(upload);
    this.dispatchEvent(new CustomEvent('part', { detail: upload }));
  }

  // drop cancels an upload, or forgets a failed one.
  drop(upload) {
    upload.stop.abort();
    this.list = this.list.filter((u) => u !== upload);
    this.dispatchEvent(new CustomEvent('dropped', { detail: upload }));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }

  #tell(upload, state, part) {
    Object.assign(upload, { state, part });
    this.#changed();
  }

  async #run(upload) {
    const { signal } = upload.stop;
    try {
      signal.throwIfAborted();
      upload.movie = await this.#patiently(upload, signal, async () => check(upload, await this.limits()));
      if (upload.movie && upload.whole) throw new Problem('upload.pair');
      if (upload.movie) {
        this.#tell(upload, 'upload.part', 0);
        this.dispatchEvent(new CustomEvent('part', { detail: upload }));
        return;
      }
      await this.#patiently(upload, signal, () => this.#send(upload, signal));
      this.list = this.list.filter((u) => u !== upload);
      this.dispatchEvent(new CustomEvent('done', { detail: upload }));
    } catch (e) {
      if (signal.aborted) return;
      upload.problem = e instanceof Problem ? e : new Problem('error.page', { args: { words: String(e?.message ?? e) } });
    }
    this.#changed();
  }

  // patiently does a part of an upload, again where the network is cut: after 2, 4, 8 … 60 s, when it is back, or when the user asks.
  async #patiently(upload, signal, work) {
    for (let ms = 2000; ; ms = Math.min(2 * ms, 60_000)) {
      try {
        return await work();
      } catch (e) {
        if (signal.aborted || e.key !== 'error.network') throw e;
      }
      const over = new AbortController();
      await new Promise((go) => {
        const timer = setTimeout(go, ms);
        upload.again = go;
        this.#tell(upload, 'upload.cut', upload.part);
        addEventListener('online', go, { signal: over.signal });
        signal.addEventListener('abort', go, { signal: over.signal });
        over.signal.addEventListener('abort', () => clearTimeout(timer));
      });
      over.abort();
      upload.again = null;
      signal.throwIfAborted();
    }
  }

  // send registers and uploads a file and asks for its keypoints. What a call before has done is not done again.
  async #send(upload, signal) {
    const { file, kind } = upload;
    signal.throwIfAborted();
    if (kind === 'keypoints') {
      await this.#give(upload, signal);
      return;
    }
    if (!upload.sum) {
      this.#tell(upload, 'upload.sums', 0);
      try {
        upload.sum = await md5(file, { signal, progress: (p) => this.#tell(upload, 'upload.sums', p) });
      } catch {
        signal.throwIfAborted();
        throw new Problem('upload.unreadable');
      }
    }
    if (!upload.sent)
      await this.#put(upload, signal).catch(async (e) => {
        if (e.status !== 403 || !upload.media) throw e;
        // The link has expired, perhaps while the network was cut: register the file again.
        await this.#api.delete(`${kind}/${upload.media.id}/`, signal).catch((e) => {
          if (e.status !== 404) throw e;
        });
        upload.media = null;
        await this.#put(upload, signal);
      });
    const { media } = upload;
    upload.sent = true;
    hold(upload.sum, file);
    const { cameraPitch } = upload;
    upload.id = (
      await this.#api.post(
        'keypoints/',
        { ...of(kind === 'images' ? { image: media.id } : { movie: media.id }), ...asked, cameraPitch },
        signal,
      )
    ).id;
    if (upload.cameraPitch !== cameraPitch)
      // it was told meanwhile
      upload.id = (await this.#api.post('keypoints/', { keypointId: upload.id, cameraPitch: upload.cameraPitch }, signal)).id;
  }

  // put registers a file, unless it is, and sends it to the link that comes of that.
  async #put(upload, signal) {
    const { file, kind } = upload,
      name = plain(file.name).replace(/\.\w{2,4}$/, '');
    this.#tell(upload, 'upload.sends', 0);
    upload.media ??= await this.#api.post(`${kind}/`, { name, contentMd5: upload.sum, ...upload.of }, signal);
    await this.#api.upload(upload.media.uploadUrl, file, { signal, progress: (p) => this.#tell(upload, 'upload.sends', p) });
  }

  // give sends keypoints of another program. What the service finds missing is asked for.
  async #give(upload, signal) {
    const body = { data: await upload.file.text(), feet: true, ...upload.of };
    for (;;) {
      this.#tell(upload, 'upload.sends', 0);
      try {
        upload.id = (await this.#api.post('keypoints/', body, signal)).id;
        return;
      } catch (e) {
        const missing = e.status === 400 && ['size', 'frameRate'].find((name) => !(name in body) && e.key.includes(`/${name} `));
        const answer = missing && (await this.#ask(missing));
        if (!answer) throw e;
        body[missing] = answer;
      }
    }
  }
}
