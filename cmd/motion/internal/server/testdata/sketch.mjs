// What is drawn by hand onto a frame: it stays, is undone, and is in the movie and the report.
//
// usage: node sketch.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  args,
  box,
  click,
  finish,
  folder,
  frame,
  hash,
  launch,
  opened,
  page,
  ready,
  reported,
  sample,
  shot,
  soon,
  sound,
  step,
  translated,
  visit,
} from './page.mjs';

const [url] = args;
await launch();
step('the sample');
const id = await sample(url);
await page.locator('.rep').first().click();
const first = await frame();
const at = async (x, y) => {
  const stage = await box(page.locator('.stage'));
  return [stage.x + x * stage.width, stage.y + y * stage.height];
};
const point = async (x, y) => page.mouse.click(...(await at(x, y)));
const texts = () => page.locator('.sketch text').evaluateAll((all) => all.map((e) => e.textContent));
// kept are the drawings of the record, as the API has them.
const kept = () =>
  page.evaluate(async (record) => {
    const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
    const answer = await fetch(`anymotion/v1/keypoints/${record}/`, { headers: { Authorization: `Bearer ${accessToken}` } });
    return (await answer.json()).sketches ?? [];
  }, id);

step('an angle, a line and a word');
await page.keyboard.press('d');
await page.getByText('Click three points; the second is the vertex').waitFor();
await sound('draw');
await point(0.25, 0.25);
await point(0.25, 0.6);
await point(0.4, 0.6);
await soon(texts, ['90°']);
await page.getByLabel('Text', { exact: true }).fill('corner');
await page.keyboard.press('l');
assert.deepEqual(await texts(), ['90°'], 'a letter of the text takes up no tool');
await page.getByLabel('Text', { exact: true }).fill('corner');
await page.keyboard.press('Enter');
await soon(texts, ['corner 90°']);
await click('Line');
await point(0.7, 0.3);
await point(0.7, 0.7);
await soon(() => page.locator('.measured').textContent(), /^\d+ px$/);
await click('Word');
await point(0.55, 0.15);
await page.keyboard.type('hips back');
await page.keyboard.press('Enter');
await soon(texts, ['corner 90°', '', 'hips back']);
await soon(
  async () => (await kept()).map((s) => [s.frame + 1, s.last - s.frame, s.points.length, s.text]),
  [
    [first, 30, 3, 'corner'],
    [first, 30, 2, undefined],
    [first, 30, 1, 'hips back'],
  ],
);
await sound('drawn');
await shot('sketch-light');

step('undone and done again');
await page.keyboard.press('Escape');
await page.keyboard.press('Control+z');
await soon(texts, ['corner 90°', '']);
await click('Undo');
await soon(texts, ['corner 90°']);
await page.keyboard.press('Control+Shift+z');
await click('Redo');
await soon(texts, ['corner 90°', '', 'hips back']);
await soon(async () => (await kept()).length, 3);

step('a point that is dragged');
await page.mouse.move(...(await at(0.4, 0.6)));
await page.mouse.down();
await page.mouse.move(...(await at(0.4, 0.5)));
await page.mouse.move(...(await at(0.4, 0.45)), { steps: 3 });
await page.mouse.up();
await soon(async () => (await texts())[0], /^corner [4-8]\d°$/);
const angle = (await texts())[0];

step('by keyboard');
await page.keyboard.press('l');
await page.getByRole('button', { name: 'Add one in the middle' }).press('Enter');
await soon(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^Line ?, point 1$/);
await soon(async () => (await kept()).length, 4);
const before = (await kept()).at(-1);
await page.keyboard.press('Shift+ArrowDown');
await page.keyboard.press('ArrowLeft');
await soon(async () => {
  const [x, y] = (await kept()).at(-1).points[0].map((v, i) => Math.round(v - before.points[0][i]));
  return [x, y];
}, [-1, 10]);
await page.keyboard.press('Delete');
await soon(async () => (await kept()).length, 3);
await page.keyboard.press('Escape');
await page.locator('.measured').waitFor({ state: 'detached' });

step('another frame, and opened again');
await page.keyboard.press('ArrowRight');
await soon(texts, [angle, '', 'hips back'], 'a second long');
await page.keyboard.press('ArrowLeft');
await page.keyboard.press('ArrowLeft');
await soon(texts, [], 'not before');
await page.keyboard.press('ArrowRight');
await soon(texts, [angle, '', 'hips back']);
await soon(hash, new RegExp(`[?&]t=${((first - 1) / 30).toFixed(2)}`));
await page.reload();
await opened('Sample: three squats');
await soon(frame, first);
await soon(texts, [angle, '', 'hips back']);
await ready();
await shot('sketch-again');

step('the movie has it');
await click('Movie');
await click('Make the movie');
await page.locator('.drawn video').waitFor();
const yellow = (time) =>
  page.evaluate(async (seconds) => {
    const video = document.querySelector('.drawn video');
    video.pause();
    await new Promise((done) => {
      video.addEventListener('seeked', done, { once: true });
      video.currentTime = seconds;
    });
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    const to = canvas.getContext('2d');
    to.drawImage(video, 0, 0);
    const { data } = to.getImageData(0, 0, canvas.width, canvas.height);
    let n = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > 200 && data[i + 1] > 200 && data[i + 2] < 80) n++;
    return n;
  }, time);
const now = (first - 0.5) / 30;
await soon(
  () => yellow(now),
  (n) => n > 500,
  'the lines are in the movie',
);
await shot('sketch-movie');
assert.ok((await yellow(now - 0.2)) < 100, 'and not before their frame');
await page.keyboard.press('Escape');

step('the report has it');
const html = (await reported('Report')).bytes.toString();
for (const words of ['drawn by hand', angle, 'hips back', 'stroke="#ffff00"']) assert.ok(html.includes(words), `the report has ${words}`);
const file = path.join(folder, 'sketch-report.html');
fs.writeFileSync(file, html);
await visit(`file://${file}`);
await page.getByText('drawn by hand').scrollIntoViewIfNeeded();
await shot('sketch-report');

for (const [name, options] of [
  ['dark', { colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ['japanese', { locale: 'ja-JP', viewport: { width: 1280, height: 720 } }],
]) {
  step(name);
  await visit(`${url}#/recordings/${id}?t=${((first - 1) / 30).toFixed(2)}`, options);
  await page.locator('.rep').nth(2).waitFor();
  await page.keyboard.press('a');
  await soon(async () => (await texts()).length, 3);
  await page.locator('.spot--on').nth(2).focus();
  await sound(`drawn, ${name}`);
  if (name === 'japanese') await translated(page.locator('.measured'), /corner|hips back|Sample: three squats/);
  await shot(`sketch-${name}`);
}
await finish();
