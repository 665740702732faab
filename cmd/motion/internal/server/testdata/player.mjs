// The sample in Chromium, from the first visit to a second browser: the player, charts, values and repetitions.
//
// usage: node player.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  args,
  box,
  changed,
  chip,
  click,
  tabled,
  finish,
  frame,
  hash,
  held,
  launch,
  now,
  opened,
  page,
  plays,
  ready,
  row,
  shot,
  soon,
  sound,
  step,
  use,
  visit,
} from './page.mjs';

const [url] = args;
await launch();
await visit(url);
step('the first visit');
await page.getByRole('heading', { name: 'Film a movement. See every angle.' }).waitFor();
await sound('first visit');
await shot('first');
await click('Dark or light');
await sound('first visit, dark');
await shot('first-dark');
await click('Dark or light');
await click('日本語');
await page.getByRole('heading', { name: '動きを撮る。' }).waitFor();
await sound('first visit, Japanese');
await shot('first-ja');
await click('EN');

step('MD5 in the page');
const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 4 << 20, (4 << 20) + 57];
const sums = await page.evaluate(async (all) => {
  const { md5, MD5 } = await import('/viewer/library/md5.js');
  const bytes = (n) => Uint8Array.from({ length: n }, (_, i) => (i * 31 + 7) & 255);
  const pieces = new MD5();
  for (let at = 0; at < 1000; at += 37) pieces.update(bytes(1000).subarray(at, at + 37));
  return [...(await Promise.all(all.map((n) => md5(new Blob([bytes(n)]))))), pieces.hex()];
}, lengths);
[...lengths, 1000].forEach((n, i) => {
  assert.equal(
    sums[i],
    createHash('md5')
      .update(Buffer.from(Uint8Array.from({ length: n }, (_, k) => (k * 31 + 7) & 255)))
      .digest('hex'),
    `MD5 of ${n} bytes`,
  );
});

step('every word is there in both languages');
const untold = await page.evaluate(async () => {
  const [en, ja] = (await Promise.all(['en', 'ja'].map((l) => import(`/viewer/base/${l}.js`)))).map((m) => m.default);
  const args = (words) => [...new Set(words.match(/\{\w+\}/g))].sort().join();
  return [...new Set([...Object.keys(en), ...Object.keys(ja)])].filter((k) => !(k in en && k in ja) || args(en[k]) !== args(ja[k]));
});
assert.deepEqual(untold, []);

step('the sample: opening the page was the first action, this is the second');
const release = await held(/\/files\//, 'PUT');
await click('Try the sample');
await page.locator('.wait', { hasText: 'Uploading' }).waitFor();
await page.waitForFunction(() => {
  const v = document.querySelector('.stage video');
  return v && !v.paused && v.currentTime > 0;
});
await sound('uploading');
await changed(/keypoints\/\d+\/\?include/, (record) =>
  Object.assign(record, {
    execStatus: 'PROCESSING',
    progress: 0.42,
    keypoint: null,
    found: record.keypoint && { from: 0, keypoint: record.keypoint.slice(0, 45), timestamps: record.timestamps.slice(0, 45) },
  }),
);
await release();
await page.locator('.wait', { hasText: 'Finding the body · 42 %' }).waitFor();
await soon(() => page.locator('.wait progress').evaluate((p) => p.value), 0.42);
await page.waitForFunction(() => {
  const at = document.querySelector('.stage video').currentTime;
  return at > 0.1 && at < 1.4 && document.querySelector('.skel .bone.left').getAttribute('d');
});
await page.keyboard.press(' ');
await page.waitForFunction(() => document.querySelector('.stage video').paused);
await click('Play');
await page.waitForFunction(() => !document.querySelector('.stage video').paused);
await page.getByRole('button', { name: 'Pause' }).waitFor();
await page.$eval('.stage video', (v) => {
  v.same = true;
});
await sound('finding the body');
await shot('upload');
await page.unroute(/keypoints\/\d+\/\?include/);
await opened('Sample: three squats');
await soon(() => page.$eval('.stage video', (v) => [v.same, v.loop]), [true, false], 'the movie plays on');
await soon(hash, /^#\/recordings\/\d+\?show=knee,hip/);
await soon(() => page.locator('.tbl--v').innerText(), /Left knee flexion\s+above\s+Right knee flexion\s/);
const deepest = Number((await page.locator('.verdict h2').innerText()).match(/left knee flexion (\d+)° ± \d+$/)[1]);
assert.ok(deepest > 60 && deepest < 150, `the knee bends by ${deepest}°`);
await row('Sample: three squats')
  .locator('img')
  .evaluate((i) => i.decode());
await page.locator('.list .sign').waitFor();

step('the player');
await page.keyboard.press('Home');
await soon(frame, 1);
for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
await soon(frame, 6);
await page.waitForFunction(() => {
  const v = document.querySelector('.stage video');
  return !v.seeking && Math.floor(v.currentTime * 30) === 5;
});
const bones = () => page.$eval('.skel .bone.left', (p) => p.getAttribute('d'));
const before = await bones();
await page.keyboard.press('Shift+ArrowRight');
await soon(frame, 16);
await soon(bones, (now) => now !== before);
await page.keyboard.press('End');
await soon(frame, 120);
await page.keyboard.press('Home');
await ready();
await plays();
await page.getByLabel('Speed').selectOption('0.5×');
await soon(() => page.$eval('.stage video', (v) => v.playbackRate), 0.5);
await page.getByLabel('Speed').selectOption('1×');
await page.getByRole('slider', { name: 'Time' }).focus();
await page.keyboard.press('PageUp');
const track = await box(page.locator('.scrub'));
await page.mouse.click(track.x + track.width / 2, track.y + track.height / 2);
await soon(frame, (now) => Math.abs(now - 60) <= 2);
const badge = page.locator('.badge');
const zoomed = await badge.textContent();
await page.keyboard.press('z');
await page.waitForFunction((old) => document.querySelector('.badge').textContent !== old, zoomed);
await soon(() => badge.textContent(), /^Enlarged · \d+ %$/);
const stage = await box(page.locator('.stage'));
const at = (x, y) => [stage.x + x * stage.width, stage.y + y * stage.height];
const corner = () => page.$eval('.stage__p', (p) => p.style.transform);
const stood = await corner();
await page.mouse.move(...at(0.5, 0.5));
await page.mouse.down();
await page.mouse.move(...at(0.6, 0.6), { steps: 3 });
await page.mouse.up();
await soon(corner, (now) => now !== stood, 'the picture moves');
await page.mouse.wheel(0, 2000);
await page.waitForFunction(() => document.querySelector('.badge').textContent === 'Whole picture');
await soon(
  () => page.locator('.tag').count(),
  (now) => now >= 2,
  'degrees at the joints',
);
await click('Angles');
await soon(() => page.locator('.tag').count(), 0);
await click('Angles');

step('measuring by hand');
await page.keyboard.press('a');
await page.locator('.measured').waitFor();
for (const [x, y] of [
  [0.3, 0.2],
  [0.3, 0.6],
  [0.5, 0.6],
])
  await page.mouse.click(...at(x, y));
await soon(() => page.locator('.measured').textContent(), '90°');
await page.keyboard.press('l');
for (const y of [0.2, 0.6]) await page.mouse.click(...at(0.6, y));
await soon(() => page.locator('.measured').textContent(), /^\d+ px$/);
await sound('measuring a line');
await page.keyboard.press('Escape');
await page.keyboard.press('Escape');
await page.locator('.measured').waitFor({ state: 'detached' });

step('values');
await chip('Elbow').click();
await page.locator('.chart', { hasText: 'Elbow' }).waitFor();
await soon(() => page.locator('.chart').count(), 3);
await chip('Hip').click();
await soon(() => page.locator('.chart').count(), 2);
await soon(hash, /show=knee,elbow/);
await click('Left');
await soon(() => page.locator('.tbl--v tbody tr').count(), 2);
await soon(hash, /side=left/);
await click('Both');
const chart = await box(page.locator('.chart__p').first());
const cursor = () => page.$eval('.cursor', (c) => c.style.translate);
const was = await cursor();
await page.mouse.move(chart.x + chart.width / 4, chart.y + chart.height / 2);
await page.locator('.cursor--hover output', { hasText: 'Left' }).waitFor();
await page.mouse.down();
await page.mouse.up();
await soon(frame, (now) => Math.abs(now - 31) <= 2);
await soon(cursor, (now) => now !== was);
await soon(() => page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext'), /^1\.\d\d seconds.*Left \d+°, Right \d+°/);
const ends = () => page.$$eval('.axis span', (all) => all.map((e) => e.textContent).join());
const axis = await ends();
await page.keyboard.down('Control');
await page.mouse.wheel(0, -300);
await page.keyboard.up('Control');
await page.waitForFunction((old) => [...document.querySelectorAll('.axis span')].map((e) => e.textContent).join() !== old, axis);
await page.mouse.dblclick(chart.x + chart.width / 4, chart.y + chart.height / 2);
await soon(ends, axis);
const csv = await tabled();
assert.match(csv.name, /^Sample_ three squats \d{4}-\d\d-\d\d values\.csv$/);
assert.match((await tabled('Semicolon')).bytes.toString(), /\n1;\d+,\d+/);
await click('CSV');
await sound('CSV');
await shot('csv');
await page.keyboard.press('Escape');
const lines = csv.bytes.toString().trim().split(/\r?\n/);
const head = lines.findIndex((line) => /^frame,time \[s\],.*knee/.test(line)); // below the tables
assert.equal(lines.length - head, 121, csv.bytes.toString().slice(0, 400));
assert.ok(
  lines.slice(0, head).some((line) => line.startsWith('Repetitions,')),
  csv.bytes.toString().slice(0, 400),
);

step('repetitions');
await soon(() => page.locator('.rep').count(), 3);
await soon(() => page.locator('.tbl--r tbody tr:not(.sub)').count(), 3);
await page.locator('.rep').nth(1).click();
const lowest = await frame();
const turn = parseInt(await now('Knee', 'left'), 10);
assert.ok(deepest - turn < 15, `the lowest point has ${turn}°, the deepest ${deepest}°`);
await page.locator('.rep').nth(1).click();
await soon(() => page.locator('.transport').innerText(), /Loop 2/);
await sound('repetitions');
await shot('repetitions');
await page.keyboard.press('r');
await page.locator('.tbl--r .jump').nth(2).click();
await soon(frame, (now) => now > lowest);
await page.locator('.rep').nth(1).click();

step('reload, back, and another browser');
await chip('Hip').click();
await chip('Elbow').click();
// The time is kept when the movie stands for a while.
await page.waitForFunction((t) => location.hash.includes(`&t=${t}`), ((lowest - 1) / 30).toFixed(2));
const address = page.url(),
  first = Number(address.match(/recordings\/(\d+)/)[1]);
await page.reload();
await opened('Sample: three squats');
await soon(frame, lowest);
await ready();
await shot('player');
await page.locator('.bar').getByRole('link', { name: 'Compare' }).click();
await page.getByRole('heading', { name: 'Compare two recordings' }).waitFor();
await sound('nothing to compare with yet');
await page.goBack();
await opened('Sample: three squats');
await soon(frame, lowest);
const here = page;
await visit(address);
await opened('Sample: three squats');
await soon(frame, lowest);
await ready();
await soon(() => page.$eval('.stage video', (v) => v.src), /^http/);
await page.context().close();
use(here);

await finish();
