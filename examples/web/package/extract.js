// @ts-check
/** @import * as api from './extract.d.ts' */

/** @type {Worker | undefined} */
let worker; // with the networks that are open, for the next movie
let before = Promise.resolve(); // the end of the movie before

/** @type {typeof api.extract} */
export function extract(file, options = {}) {
  const keypoints = before.then(() => find(file, options));
  before = keypoints.then(
    () => {},
    () => {},
  );
  return keypoints;
}

/** @param {Blob} file @param {api.ExtractOptions} options @returns {Promise<string>} */
function find(file, { setting = 'fast', rate = 0, found, signal, source }) {
  signal?.throwIfAborted();
  worker ??= source
    ? new Worker(source, { type: 'module' })
    : new Worker(new URL('./extract/worker.js', import.meta.url), { type: 'module' });
  const mine = worker;
  return new Promise((done, fail) => {
    const stop = () => {
      mine.terminate();
      worker = undefined;
      fail(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    mine.onerror = (e) => {
      worker = undefined;
      fail(new Error(e.message || 'the worker cannot be loaded'));
    };
    mine.onmessage = ({ data }) => {
      if (data.found) return found?.(data.found);
      signal?.removeEventListener('abort', stop);
      return data.keypoints === undefined ? fail(new Error(data.error)) : done(data.keypoints);
    };
    mine.postMessage({ file, setting, rate, pictures: Boolean(found) });
  });
}
