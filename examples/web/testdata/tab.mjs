// Uses the page as a person does: it is opened from disk, and there is no server.
// usage: node tab.mjs MODULES BROWSER FOLDER PAGE KEYPOINTS CSV
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as tab from '../../../cmd/motion/internal/server/testdata/page.mjs';

const [address, keypoints, table] = tab.args;
const { click, choose, downloaded, launch, measured, shot, soon, sound, step, visit } = tab;

step('opening the page');
await launch();
await visit(pathToFileURL(address).href);
const { page } = tab;
const asked = [];
page.on('request', (r) => { if (!/^(blob|data):/.test(r.url())) asked.push(r.url()); });
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
const data = await page.evaluateHandle((content) => {
  const all = new DataTransfer();
  all.items.add(new File([content], 'squats.json'));
  return all;
}, text);
await page.dispatchEvent('body', 'drop', { dataTransfer: data });
await measured();
await soon(() => page.evaluate(() => document.body.dataset.state), 'shown');
const took = () => page.evaluate(() => document.body.dataset.milliseconds);
console.log(`shown after ${await took()} ms`);
assert.match(await page.locator('.verdict h2').textContent(), /knee/i);
assert.equal(await page.locator('.tbl--r tbody tr:not(.sub)').count(), 30);
assert.match(await tab.degrees('Left knee', 1), /^103°\s*± \d/);
await click('Play');
await soon(() => page.locator('.clock b').textContent(), (s) => Number(s) > 0.2);
await click('Pause');
await sound('a recording');
await shot('tab-shown');

step('saving the keypoints and a report');
const saved = await downloaded('Keypoints');
assert.equal(JSON.parse(saved.bytes.toString()).keypoint.length, JSON.parse(text).keypoint.length);
const report = await downloaded('Report');
assert.equal(report.name, 'squats.html');
assert.match(report.bytes.toString(), /30 repetitions/);

step('a file that has no keypoints');
await click('Another file');
await choose('Choose a file', address);
await soon(() => alert.textContent(), /none of/);
assert.deepEqual(asked, [], 'it asks no server');
await tab.finish();
