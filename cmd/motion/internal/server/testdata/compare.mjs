// Two recordings compared.
//
// usage: node compare.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { args, click, corrected, finish, frame, launch, page, reported, sample, shot, soon, sound, step } from './page.mjs';

const [url] = args;
await launch();
step('the sample, and once more with a correction');
const first = await sample(url);
await page.locator('.rep').nth(1).click();
const lowest = await frame();
await page.getByLabel(/Outline of repetition/).check();
const outline = () => page.locator('.skel--ghost .rim').getAttribute('d');
const outlined = [];
for (const n of [0, 1, 2]) {
  await page.locator('.rep').nth(n).click();
  await soon(
    () =>
      page
        .locator('.rep')
        .nth(n)
        .evaluate((el) => el.getBoundingClientRect().left < document.querySelector('.cursor').getBoundingClientRect().left),
    true,
  );
  outlined.push(Boolean(await outline()));
}
assert.deepEqual([...outlined].sort(), [false, true, true], 'the other repetitions have the outline of the best');
await page.locator('.rep').nth(1).click();
const second = await corrected(first, lowest - 1);

step('a comparison');
await page.goto(`${url}#/compare/${first}/${second}`);
await page.locator('.big').waitFor();
await page.locator('.chart').waitFor();
await soon(() => page.locator('.big').innerText(), /(less|more|as much)[\s\S]*± \d+°/); // a single frame is no difference
await soon(
  () =>
    page
      .locator('.seg button[aria-pressed=true]')
      .allTextContents()
      .then((all) => all.join()),
  /By movement/,
);
assert.match((await page.locator('.who small').allInnerTexts()).join(), /^(\d+ \w+),\1$/, 'both have the dates of their names');
assert.match((await page.locator('.mx tbody tr').allInnerTexts()).slice(0, 2).join(), /Left knee/); // what is read first is in sight
await page.locator('.mx tbody tr').first().locator('button').nth(1).click(); // of the second repetition
await soon(frame, (now) => Math.abs(now - lowest) < 3);
const where = () => page.$$eval('.stage video', (all) => all.map((v) => v.currentTime.toFixed(2)));
await page.waitForFunction(() => {
  const all = [...document.querySelectorAll('.stage video')];
  return all.length === 2 && all.every((v) => v.readyState >= 2 && !v.seeking);
});
await soon(async () => new Set(await where()).size, 1, 'the same repetition stands in the same place');
await sound('comparison');
await shot('compare');

step('what is seen in a low window, and the keys');
await page.setViewportSize({ width: 1280, height: 720 });
await soon(
  () => page.$eval('.cmp .axis', (el) => el.getBoundingClientRect().bottom),
  (at) => at <= 720,
  'the chart is seen',
);
const pressed = () => page.$$eval('.mx [aria-pressed=true]', (all) => all.map((el) => el.closest('td').cellIndex).join());
await page.locator('.mx tbody tr').first().locator('button').nth(1).focus();
await page.keyboard.press('ArrowRight');
await soon(pressed, '3');
await page.locator('h1').click();
await page.keyboard.press('[');
await soon(pressed, '2');

step('both are enlarged together');
const scales = () => page.$$eval('.stage__p', (all) => all.map((el) => el.getBoundingClientRect().width));
const before = await scales();
await page
  .locator('.stage')
  .first()
  .hover({ position: { x: 200, y: 150 } });
await page.mouse.wheel(0, -300);
await soon(scales, (now) => now.every((w, i) => w > 1.3 * before[i]));
await page
  .locator('.stage')
  .nth(1)
  .dblclick({ position: { x: 200, y: 150 } });
await soon(scales, (now) => now.every((w, i) => Math.abs(w - before[i]) < 2));

step('B as in a mirror, and as it was filmed');
const score = () => page.locator('.big__t').innerText();
await click('As filmed');
await page.getByRole('button', { name: 'Mirrored' }).waitFor();
await soon(score, /left\/right|right\/left|No difference|trunk/);
await click('Mirrored');
await page.getByRole('button', { name: 'As filmed' }).waitFor();

step('by hand');
await click('By hand');
await page.getByRole('slider', { name: 'Move B' }).press('ArrowRight');
await page.waitForFunction(() => {
  const [a, b] = [...document.querySelectorAll('.stage video')];
  return b.currentTime > a.currentTime + 0.02;
});
await click('Keep in step');
const apart = (await where()).map(Number);
await page.getByRole('slider', { name: 'Time' }).press('Shift+ArrowRight');
await page.waitForFunction(([a, b]) => {
  const [x, y] = [...document.querySelectorAll('.stage video')].map((v) => v.currentTime);
  return x > a + 0.2 && Math.abs(y - x - (b - a)) < 0.05;
}, apart);
await click('Over each other');
await sound('over each other');
await shot('compare-over');
const [side] = await Promise.all([page.waitForEvent('download'), click('Movie')]);
assert.match(side.suggestedFilename(), /^.+ - .+ movie\.mp4$/, 'the movie has both names');
assert.equal(
  fs
    .readFileSync(await side.path())
    .subarray(4, 8)
    .toString(),
  'ftyp',
);
assert.match((await reported('Report')).bytes.toString(), /<html lang="en"/);
await page.locator('.bar').getByRole('link', { name: 'Compare' }).click();
await page.getByLabel('A', { exact: true }).selectOption({ index: 0 });
await click('Compare');
await page.waitForFunction(() => /compare\/\d+\/\d+/.test(location.hash));
await page.getByText(/B against A|no angle in common|Not the same movement/).waitFor();
await page.getByRole('listitem').getByRole('link').first().waitFor(); // among past comparisons

await finish();
