// @ts-check
import './wasm_exec.js';

/** @import * as api from './index.d.ts' */

export class MotionError extends Error {
  name = 'MotionError';

  /** @param {string} message @param {api.Place[]} places */
  constructor(message, places) {
    super(message);
    this.places = places;
  }
}

// call runs a method of the WebAssembly module.
/** @type {(method: string, of: number | Uint8Array, options?: unknown, other?: number) => any} */
let call;

/** @type {FinalizationRegistry<number>} */
const lost = new FinalizationRegistry((handle) => call('free', handle));

export class Recording {
  /** @param {number} handle */
  constructor(handle) {
    this.handle = handle;
    lost.register(this, handle, this);
  }

  free() {
    lost.unregister(this);
    call('free', this.handle);
  }

  toJSON() {
    return call('keypoints', this.handle);
  }
}

// module returns the bytes of the WebAssembly module.
/** @param {BufferSource | undefined} source */
async function module(source) {
  let bytes;
  if (source)
    bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
  else {
    const at = new URL('./motion.wasm.gz', import.meta.url),
      files = 'node:fs/promises'; // of Node.js, which bundlers for browsers do not know
    const answer =
      at.protocol === 'file:'
        ? new Response(await (await import(/* webpackIgnore: true */ /* @vite-ignore */ files)).readFile(at))
        : await fetch(at);
    if (!answer.ok) throw new Error(`${at.href}: ${answer.status} ${answer.statusText}`);
    bytes = new Uint8Array(await answer.arrayBuffer());
  }
  if (bytes[0] === 0) return bytes; // \0asm
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

// text returns options as JSON. NaN and Infinity become strings, which Go refuses; JSON.stringify would make them null.
/** @param {unknown} options */
const text = (options) =>
  options === undefined ? '' : JSON.stringify(options, (_, v) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v));

/** @type {Promise<typeof call> | undefined} */
let loading;

/** @type {typeof api.load} */
export async function load(source) {
  loading ??= start(source).catch((e) => {
    loading = undefined;
    throw e;
  });
  call = await loading;
  return {
    read: (data, options) =>
      new Recording(call('read', typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data), options)),
    clean: (recording, options = true) => new Recording(call('clean', recording.handle, options)),
    judge: (recording) => call('judge', recording.handle),
    analyse: (recording, request) => call('analyse', recording.handle, request),
    study: (recording, part) => call('analyse', recording.handle, { ...part, overview: true }).overview,
    compare: (source, target, options) => call('compare', source.handle, options, target.handle),
    report: (recording, options) => call('report', recording.handle, options),
  };
}

/** @param {BufferSource | undefined} source @returns {Promise<typeof call>} */
async function start(source) {
  const go = new globalThis.Go();
  const { instance } = /** @type {any} */ (await WebAssembly.instantiate(await module(source), go.importObject));
  return new Promise((done, fail) => {
    /** @param {(method: string, of: number | Uint8Array, options: string, other?: number) => any} run */
    globalThis.motionReady = (run) => {
      delete globalThis.motionReady;
      done((method, of, options, other) => {
        const { error, places, handle, text: page, value } = run(method, of, text(options), other) ?? {};
        if (error !== undefined) throw new MotionError(error, places);
        return handle ?? page ?? (value === undefined ? undefined : JSON.parse(value));
      });
    };
    go.run(instance).then(() => fail(new Error('the WebAssembly module has ended')), fail);
  });
}
