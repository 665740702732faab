// Uses the viewer page in Chromium: two people, a walk and a jump, whose truth is known.
//
// usage: node movements.mjs MODULES CHROMIUM FOLDER URL TWO WALK JUMP TRUTH
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  args,
  box,
  chip,
  choose,
  click,
  finish,
  folder,
  hash,
  launch,
  most,
  opened,
  page,
  reported,
  ready,
  row,
  shot,
  soon,
  sound,
  step,
  translated,
  use,
  visit,
} from './page.mjs';

const [url, two, walk, jump] = args;
const truth = JSON.parse(args[4]);
await launch();
await visit(url);
const near = (got, want, share, what) => assert.ok(Math.abs(got - want) <= share * Math.abs(want), `${what} is ${got}, not ${want}`);
const at = async (x, y) => {
  const b = await box(page.locator('.stage'));
  return [b.x + x * b.width, b.y + y * b.height];
};
const point = async (x, y) => page.mouse.click(...(await at(x, y)));
// stands waits for the skeleton, in this half of the picture or in either, and returns which one it is.
const stands = (half) =>
  page
    .waitForFunction((wanted) => {
      const [bone, picture] = ['.skel', '.stage__p'].map((s) => document.querySelector(s)?.getBoundingClientRect());
      if (!bone?.width) return '';
      const is = bone.x + bone.width / 2 < picture.x + picture.width / 2 ? 'left' : 'right';
      return (wanted ?? is) === is && is;
    }, half)
    .then((h) => h.jsonValue());
const other = { left: 'right', right: 'left' };
// moved waits for another record, or another person of it.
const moved = async (name, old) => {
  await page.waitForFunction((was) => location.hash.split('?')[0] !== was.split('?')[0] && /recordings\/\d+/.test(location.hash), old);
  await opened(name);
};
const card = (title) => page.locator('.card', { has: page.getByRole('heading', { name: title }) });
const cell = (title, name) => card(title).locator('tr', { hasText: name }).first().innerText();
const number = (words) => Number(words.replace('−', '-').match(/-?\d+(\.\d+)?/)[0]);

step('three movies at once');
await choose('Choose movies', [two, walk, jump]);
await opened('two');

step('somebody else in the picture');
await ready();
const first = await stands();
await page.keyboard.press('w');
await page.locator('.box').nth(1).waitFor();
await soon(() => page.locator('.pick').innerText(), /Person 1[\s\S]*Person 2/);
await sound('two people');
await shot('person-two');
await page.locator('.box[aria-pressed=false]').click();
await soon(() => page.locator('.box--off').count(), 1);
let before = await hash();
await page.getByRole('button', { name: /Measure person \d/ }).click();
await moved('two', before);
await stands(other[first]);

step('everybody');
await page.keyboard.press('w');
await page.locator('.box').nth(1).waitFor();
await page.getByLabel('Follow everybody').check();
before = await hash();
await click('Measure again');
await moved('two', before);
const shown = await stands();
await page.keyboard.press('w');
await page
  .getByText(/seen \d+ % of the time/)
  .nth(1)
  .waitFor();
await soon(() => page.getByText('measured now').count(), 1);
await sound('everybody');
await shot('everybody');
await page.locator('.box[aria-pressed=false]').click();
await click('Show this person');
await page.waitForFunction(() => /person=\d/.test(location.hash));
await stands(other[shown]);
await opened('two');
await shot('switched');

step('a warning, and what to do');
await click('日本語');
await chip('肘').click();
const verdict = page.locator('.verdict');
await page.locator('.held', { hasText: '正面からは見えません' }).first().waitFor();
await page.locator('.held .tip', { hasText: '横から撮ってください' }).first().waitFor({ state: 'attached' });
await translated(page.locator('.held .tip', { hasText: '横から撮ってください' }).locator('xpath=..'), /two|walk|jump/);
await click('EN');
await page.locator('.held', { hasText: 'not visible from the front' }).first().waitFor();
await verdict.getByText('More about this recording').click();
await verdict.getByText('The person faces the camera.').waitFor();
await verdict.getByText('Film from the side.').waitFor();
await page.locator('.held .tip', { hasText: 'Film it from the side' }).first().waitFor({ state: 'attached' });
await verdict.getByRole('img', { name: /^Seen from above: the camera stands \d+ degrees from the front/ }).waitFor();
await sound('an oblique view');
await shot('oblique');

step('a walk');
await row('walk').getByRole('link').first().click();
await opened('walk');
await card('Walking').waitFor();
near(number(await cell('Walking', 'Cadence')), truth.cadence, 0.03, 'the cadence');
const stride = await cell('Walking', 'Stride time'),
  both = stride.match(/\d\.\d\d(?= ±)/g).map(Number);
assert.deepEqual([both.length, stride.match(/± 0\.\d+/g).length], [2, 2]);
for (const s of both) near(s, 120 / truth.cadence, 0.05, 'the stride time');
await sound('a walk');
await shot('walk');

step('the phases of a stride');
await card('Walking').getByRole('link', { name: 'Phases' }).click();
await page.locator('.ph__i').waitFor();
assert.match(await page.locator('.ph__i').getAttribute('alt'), /^Stride 1 of \d+: its touch-downs/);
await sound('phases of a stride');
await shot('phases-stride');
await page.goBack();
await opened('walk');

step('a scale by a line, and the floor by two points');
await chip('Trunk').click();
await page.waitForFunction(() => [...document.querySelectorAll('.tbl--v tr')].some((r) => /^Trunk lean\s*[-−]?\d/.test(r.textContent)));
const lean = number(await most('Trunk'));
await page.keyboard.press('l');
await page.locator('.measured').waitFor();
await point(0.3, 0.85);
await point(0.8, 0.85);
const pixels = number(await page.locator('.measured').textContent());
await card('Walking').getByRole('button', { name: 'Set the scale' }).click();
await page.getByRole('group', { name: 'Scale' }).getByRole('button', { name: 'A line' }).click();
await point(0.3, 0.85);
await point(0.8, 0.85);
await page.getByLabel('Length of the line in metres').fill(`${(100 * pixels * truth.scale).toFixed(1).replace('.', ',')} cm`);
await page.getByRole('group', { name: 'Level' }).getByRole('button', { name: 'A line' }).click();
const a = await at(0.3, 0.7),
  b = await at(0.8, 0.78),
  slope = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
await point(0.3, 0.7);
await point(0.8, 0.78);
await sound('scale and floor');
await shot('scale-floor');
before = await hash();
await click('Apply');
await moved('walk', before);
await card('Walking').getByText('Step length').waitFor();
near(number(await cell('Walking', 'Step length')), truth.step, 0.05, 'the step length');
const lengths = (await cell('Walking', 'Stride length')).match(/\d\.\d\d(?= ±)/g);
for (const m of lengths) near(Number(m), 2 * truth.step, 0.05, 'the stride length');
near(number(await cell('Walking', 'Speed')), truth.speed, 0.1, 'the speed');
const level = number(await most('Trunk'));
assert.ok(
  Math.abs(Math.abs(level - lean) - slope) <= 1,
  `the trunk leans by ${level}°, ${lean}° before, where the floor falls by ${slope}°`,
);
await page.keyboard.press('l');
await page.locator('.measured').waitFor();
await point(0.3, 0.85);
await point(0.8, 0.85);
near(number(await page.locator('.measured').textContent()), pixels * truth.scale, 0.01, 'the line in metres');
await page.keyboard.press('Escape');
await page.keyboard.press('Escape');
await click('日本語');
await card('歩行').getByText('歩幅').waitFor();
await translated(card('歩行').getByText('歩幅'), /two|walk|jump/);
await sound('a walk, Japanese');
await shot('walk-ja');
await click('EN');

step('a jump in slow motion, and a scale by the height');
await row('jump').getByRole('link').first().click();
await opened('jump');
await page.keyboard.press('s');
await page.getByRole('group', { name: 'Scale' }).getByRole('button', { name: 'Body height' }).click();
await page.getByLabel('Body height in metres').fill(String(truth.height));
await page.getByLabel('Pictures a second of the camera').fill('60');
await sound('slow motion');
before = await hash();
await click('Apply');
await moved('jump', before);
await card('Jumps').waitFor();
near(number((await cell('Jumps', / cm/)).replace(/^1\s/, '')), 100 * truth.jump, 0.15, 'the height of the jump');
await soon(() => page.locator('.head__m').innerText(), /1\.7 s · 60 pictures\/s/);
await sound('a jump');
await shot('jump');
await card('Jumps').getByRole('link', { name: 'Phases' }).click();
await page.locator('.ph__i').waitFor();
assert.match(await page.locator('.ph__i').getAttribute('alt'), /^Jump 1 of \d+: lowest, take-off/);
await shot('phases-jump');
await page.goBack();
await opened('jump');
await click('日本語');
await card('ジャンプ').waitFor();
await translated(card('ジャンプ'), /two|walk|jump/);
await sound('a jump, Japanese');
await click('EN');

step('the report, as a page');
const kept = path.join(folder, 'report.html');
for (const [language, button, title] of [
  ['en', 'Report', 'Jumps'],
  ['ja', 'レポート', 'ジャンプ'],
]) {
  if (language === 'ja') await click('日本語');
  fs.writeFileSync(
    kept,
    (await reported(button, language === 'ja' ? 'ファイルに保存' : undefined, language === 'ja' ? '閉じる' : undefined)).bytes,
  );
  const viewer = page;
  await visit(pathToFileURL(kept).href);
  await soon(() => page.getAttribute('html', 'lang'), language);
  await page.getByRole('heading', { name: title }).first().waitFor();
  await soon(
    () => page.getByRole('table').count(),
    (now) => now > 0,
  );
  await sound(`report, ${language}`);
  await shot(`report-${language}`, true);
  await page.context().close();
  use(viewer);
}
await click('EN');

step('the two people compared, with a movie to keep');
await row('two').getByRole('link').first().click();
await opened('two');
await page.keyboard.press('w');
await page.locator('.box[aria-pressed=false]').click();
await click('Show this person');
await page.waitForFunction(() => /person=\d/.test(location.hash));
await stands(other[shown]);
await click('Compare with …');
await page
  .getByLabel('B', { exact: true })
  .selectOption({ label: await page.getByLabel('A', { exact: true }).locator('option:checked').innerText() });
await click('Compare');
await page.locator('.side .big, .side .verdict').first().waitFor();
await page.locator('.side').getByText('Not the same movement', { exact: true }).waitFor();
await page.waitForFunction(() => {
  const all = [...document.querySelectorAll('.stage video')];
  return all.length === 2 && all.every((v) => v.readyState >= 2);
});
await sound('two people compared');
await shot('compare-people');
const [movie] = await Promise.all([page.waitForEvent('download'), click('Movie')]);
const drawn = fs.readFileSync(await movie.path());
assert.equal(drawn.subarray(4, 8).toString(), 'ftyp');
await page.goBack();
await page.goBack();
await opened('two');
const address = page.url();

step('another browser');
await page.context().close();
await visit(address);
await opened('two');
await stands(other[shown]);
await ready();
await soon(() => page.$eval('.stage video', (v) => v.src), /^http/);
// From the front it is estimated.
await soon(() => page.locator('.tbl--v tbody tr').first().innerText(), /^Left knee flexion\s+(above|~ \d+°\s*± 1\d)/);
await soon(() => page.getByText('~ is estimated with depth.').filter({ visible: true }).count(), 1, 'which is said once');
await card('Past comparisons')
  .getByRole('link', { name: /two with two/ })
  .click();
await page.waitForFunction(() => /compare\/\d+\/\d+\?person=\d/.test(location.hash));
await page.locator('.big, .verdict').first().waitFor();
await page.context().close();
await finish();
