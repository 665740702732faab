// @ts-check
// Finds the keypoints of movies, away from the page: Go, ONNX Runtime and the decoder work in this one Worker.
import '../wasm_exec.js';
import * as ort from './ort.wasm.min.mjs';
import { Movie } from './movie.js';
import { runtimeOf } from './runtime.js';

const pictureEvery = 150; // milliseconds

// bytes fetches a file beside this one, and unpacks it.
/** @param {string} name @returns {Promise<Uint8Array>} */
async function bytes(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  const body = name.endsWith('.gz') ? answer.body.pipeThrough(new DecompressionStream('gzip')) : answer.body;
  return new Uint8Array(await new Response(body).arrayBuffer());
}

// start starts ONNX Runtime and Go, once. More than one thread needs a page that is isolated from others (COOP and COEP).
let starting;
const start = () => (starting ??= started());
async function started() {
  const [runtime, module] = await Promise.all([bytes('ort-wasm-simd-threaded.wasm.gz'), bytes('extract.wasm.gz')]);
  const { wasm } = ort.env;
  wasm.wasmPaths = new URL('.', import.meta.url).href;
  wasm.wasmBinary = runtime.buffer;
  wasm.numThreads = globalThis.crossOriginIsolated ? Math.min(4, Math.max(1, navigator.hardwareConcurrency >> 1)) : 1;
  ort.env.logLevel = 'error';
  const stored = (name) => bytes(`${new TextDecoder().decode(name)}.onnx`);
  globalThis.motionRuntime = runtimeOf(ort, stored);
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(module, go.importObject);
  return new Promise((done, fail) => {
    globalThis.motionExtractReady = (open, extract) => done({ open, extract });
    go.run(instance).then(() => fail(new Error('the WebAssembly module has ended')), fail);
  });
}

let opened; // the setting whose networks are open

/** @param {{file: Blob, setting: string, rate: number, pictures: boolean}} asked */
async function extract({ file, setting, rate, pictures }) {
  const movie = await Movie.open(file);
  try {
    const { open, extract: find } = await start();
    if (opened !== setting) {
      opened = undefined;
      await open(setting);
      opened = setting;
    }
    let last = -Infinity,
      n = 0;
    const waiting = new Map(); // pictures by their frames
    if (pictures)
      movie.pictured = async (frame) => {
        if (performance.now() - last > pictureEvery) {
          last = performance.now();
          waiting.set(n, await createImageBitmap(frame, { resizeWidth: 640 }));
        }
        n++;
      };
    const { width, height, frames: of } = movie;
    const keypoints = await find(movie, rate, (frame, text) => {
      const picture = waiting.get(frame);
      waiting.delete(frame);
      postMessage({ found: { frame, of, width, height, turn: movie.turn, keypoint: JSON.parse(text), picture } }, picture ? [picture] : []);
    });
    postMessage({ keypoints });
  } finally {
    await movie.close();
  }
}

onmessage = ({ data }) => {
  extract(data).catch((e) => postMessage({ error: e.message }));
};
