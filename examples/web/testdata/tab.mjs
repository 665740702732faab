// Uses the page as a person does: it is opened from disk, and there is no server.
// usage: node tab.mjs MODULES BROWSER FOLDER PAGE KEYPOINTS CSV SQUATS
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as tab from '../../../cmd/motion/internal/server/testdata/page.mjs';

const [address, keypoints, table, squats] = tab.args;
const { click, choose, downloaded, launch, measured, shot, soon, sound, step, visit } = tab;

step('opening the page');
await launch();
await visit(pathToFileURL(address).href);
const { page } = tab;
const asked = [];
page.on('request', (r) => {
  if (!/^(blob|data):/.test(r.url())) asked.push(r.url());
});
await sound('the first visit');
await shot('tab-first');

step('choosing a file that leaves the rate out');
const alert = page.getByRole('alert').first();
await choose('Choose a file', table);
await soon(() => alert.textContent(), /frames without times/);
await page.getByLabel('Frames per second').fill('30');
await click('Read again');
await measured();
await page.locator('.rep').nth(1).waitFor();
await click('Another file');

step('dropping a minute of squats');
await page.getByLabel('Frames per second').fill('');
const text = fs.readFileSync(keypoints, 'utf8');
// drop drops files with these texts.
const drop = async (...texts) => {
  const dataTransfer = await tab.page.evaluateHandle((all) => {
    const files = new DataTransfer();
    for (const one of all) files.items.add(new File([one], 'squats.json'));
    return files;
  }, texts);
  await tab.page.dispatchEvent('body', 'drop', { dataTransfer });
};
await drop(text);
await measured();
await soon(() => page.evaluate(() => document.body.dataset.state), 'shown');
const took = () => page.evaluate(() => document.body.dataset.milliseconds);
console.log(`shown after ${await took()} ms`);
assert.match(await page.locator('.verdict h2').textContent(), /right knee flexion 103° ± \d/);
assert.equal(await page.locator('.tbl--r tbody tr:not(.sub)').count(), Number(squats));
await click('Play');
await soon(
  () => page.locator('.clock b').textContent(),
  (s) => Number(s) > 0.2,
);
await click('Pause');
await sound('a recording');
await shot('tab-shown');

step('saving the keypoints and a report');
const saved = await downloaded('Keypoints');
assert.equal(JSON.parse(saved.bytes.toString()).keypoint.length, JSON.parse(text).keypoint.length);
const report = await downloaded('Report');
assert.equal(report.name, 'squats.html');
assert.match(report.bytes.toString(), new RegExp(`${squats} squats`));

step('a file that has no keypoints');
await click('Another file');
await choose('Choose a file', address);
await soon(() => alert.textContent(), /none of/);
await drop(text, text);
await soon(() => alert.textContent(), /one file at a time/);

step('keypoints of a picture whose size and corner nobody knows, which take the place of another recording');
const far = JSON.parse(text);
for (const frame of far.keypoint)
  for (const p of Object.values(frame)) {
    p[0] -= 5000;
    p[1] -= 9000;
  }
await drop(text);
await measured();
await click('Play');
await drop(JSON.stringify({ ...far, width: undefined, height: undefined }));
await soon(() => page.locator('.clock b').textContent(), '0.00');
await soon(
  () =>
    page.evaluate(() => {
      const { left, right, top, bottom } = document.querySelector('.stage').getBoundingClientRect();
      return [...document.querySelectorAll('.stage .joint')]
        .filter((e) => e.checkVisibility())
        .map((e) => e.getBoundingClientRect())
        .filter((r) => r.width > 0 && r.left > left && r.right < right && r.top > top && r.bottom < bottom).length;
    }),
  (n) => n >= 12,
  'the skeleton is on the stage',
);
await shot('tab-nowhere');
assert.deepEqual(asked, [], 'it asks no server');

step('a phone in Japanese, in the dark');
await visit(pathToFileURL(address).href, { locale: 'ja-JP', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
const latin = /Motion in this tab|squats|MediaPipe|COCO|OpenPose|ZIP/;
await tab.translated(tab.page.locator('h1'), latin);
await sound('the first visit on a phone');
await shot('tab-phone', true);
await drop(text);
await measured();
await tab.translated(tab.page.locator('.tbl--v td.b'), latin);
await sound('a recording on a phone');
await shot('tab-phone-shown', true);
await tab.finish();
