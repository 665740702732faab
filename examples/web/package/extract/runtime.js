// @ts-check
// ONNX Runtime as Go calls it (internal/ort).

/** @typedef {{shape: readonly number[], bytes: Uint8Array}} Output */

// runtimeOf gives Go onnxruntime-web. stored, if it is there, returns the bytes of a model that Go has the name of.
/** @param {any} ort @param {(model: Uint8Array) => Promise<Uint8Array> | Uint8Array} stored */
export function runtimeOf(ort, stored = (model) => model) {
  let before = Promise.resolve(); // the end of the run before: two at once would share the runtime's stack
  const open = async (model, input, outputs) => {
    const session = await ort.InferenceSession.create(await stored(model), { executionProviders: ['wasm'], logSeverityLevel: 3 });
    /** @param {Uint8Array} bytes @param {number[]} shape @param {boolean} float @returns {Promise<Output[]>} */
    const run = async (bytes, shape, float) => {
      const tensor = new ort.Tensor(float ? 'float32' : 'uint8', float ? new Float32Array(bytes.buffer) : bytes, shape);
      const answer = await session.run({ [input]: tensor }, outputs);
      return outputs.map((name) => {
        const { type, dims, data } = answer[name];
        if (type !== 'float32') throw new Error(`output "${name}" is ${type}, want float32`);
        return { shape: dims, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
      });
    };
    return {
      run: (...args) => {
        const outputs = before.then(() => run(.../** @type {[any, any, any]} */ (args)));
        before = outputs.then(
          () => {},
          () => {},
        );
        return outputs;
      },
      release: () => session.release(),
    };
  };
  return { version: ort.env.versions.web, open };
}
