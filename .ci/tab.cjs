// Runs a test program of WebAssembly in Node.js, with onnxruntime-web in the folder MOTION_TAB.
// usage: GOOS=js GOARCH=wasm go test -exec "node .ci/tab.cjs" ...
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { execFileSync } = require('node:child_process');

const { GOOS, GOARCH, ...env } = process.env;
const goroot = execFileSync('go', ['env', 'GOROOT'], { env, encoding: 'utf8' }).trim();
const folder = process.env.MOTION_TAB;
Promise.all(['ort.wasm.min.mjs', 'runtime.js'].map((name) => import(path.join(folder, name)))).then(([ort, { runtimeOf }]) => {
  ort.env.wasm.wasmBinary = zlib.gunzipSync(fs.readFileSync(path.join(folder, 'ort-wasm-simd-threaded.wasm.gz'))).buffer;
  ort.env.wasm.numThreads = 1;
  globalThis.motionRuntime = runtimeOf(ort);
  require(path.join(goroot, 'lib/wasm/wasm_exec_node.js'));
});
