// Finds the keypoints of movies in the page, without a server once it is there.
// usage: node movie.mjs MODULES BROWSER FOLDER ADDRESS SETTING MOVIE...
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as tab from '../../../cmd/motion/internal/server/testdata/page.mjs';

const [address, setting, movie, ...clips] = tab.args;
const { click, launch, measured, shot, soon, sound, step, visit } = tab;

step('opening the page');
await launch();
await visit(`${address}/motion.html`, { policy: /^$/ });
const { page } = tab;
const asked = [];
page.on('request', (r) => asked.push(r.url()));
const data = (name) => page.evaluate((key) => document.body.dataset[key], name);
await soon(() => data('kept'), 'true');
await fetch(`${address}/kept`); // ends the server
await page.reload();
await soon(() => data('kept'), 'true');
await sound('the first visit');
await shot('movie-first');

// offered is the text that a button offers as a file. Playwright does not tell of downloads in Firefox.
const offered = (name) =>
  page.evaluate(
    (words) =>
      new Promise((done) => {
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => {
          URL.createObjectURL = make;
          blob.text().then(done);
          return make.call(URL, blob);
        };
        [...document.querySelectorAll('#acts button')].find((b) => b.textContent === words).click();
      }),
    name,
  );

// choose gives the page a file. Of choosers Firefox does not always tell, either.
const choose = (file) => page.locator('#file').setInputFiles(file);

// find finds the keypoints of a movie, and saves them.
async function find(file) {
  const began = performance.now();
  await choose(file);
  await page.waitForFunction(() => ['shown', 'failed'].includes(document.body.dataset.state), null, { timeout: 600_000 });
  if ((await data('state')) === 'failed') assert.fail(await page.locator('.error').first().textContent());
  fs.writeFileSync(path.join(tab.folder, `${path.basename(file)}.json`), await offered('Keypoints'));
  console.log(`${path.basename(file)}, ${setting}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

step('a movie', 600);
if (setting !== 'fast') await page.getByLabel('Networks').selectOption(setting);
const finding = find(movie);
await soon(
  () => page.locator('.tab--movie .stage .joint').count(),
  (n) => n > 10,
);
await page.waitForFunction(() => Number(document.querySelector('progress')?.value) > 20);
await shot('movie-finding');
await finding;
await measured();
assert.ok(await page.locator('.stage video').evaluate((v) => v.videoWidth > 0));
await tab.ready();
await sound('a movie');
await page.keyboard.press('End');
await shot('movie-shown');
assert.match(await offered('Report'), /squats/);

step('stopping', 120);
await click('Another file');
await choose(movie);
await click('Stop');
await page.getByRole('button', { name: 'Choose a file' }).waitFor();

for (const clip of clips) {
  step(path.basename(clip), 300);
  await find(clip);
  await click('Another file');
}

step('what is no movie');
await choose({ name: 'no.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no movie') });
await soon(() => page.getByRole('alert').first().textContent(), /no movie that can be read/);

const { origin } = new URL(address);
assert.deepEqual(
  asked.filter((url) => !/^(blob|data):/.test(url) && new URL(url).origin !== origin),
  [],
  'it asks nobody else',
);
await tab.finish();
