// Exercises: repetitions judged by targets that change, exercises of one's own, and the phases of a repetition.
//
// usage: node exercises.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  args,
  choose,
  click,
  downloaded,
  expect,
  fails,
  finish,
  folder,
  hash,
  launch,
  page,
  rename,
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
step('the repetitions of the sample, judged as squats');
const id = await sample(url);
await rename('Squats, week 6');
await page.getByRole('link', { name: 'Targets' }).click();
const words = page.locator('.tc .vd');
const judged = async (limit, see) => {
  const box = page.getByRole('textbox', { name: 'Knee flexion ≥' });
  await box.fill(String(limit));
  await box.press('Enter');
  await soon(() => page.locator('.ex__t thead th').nth(1).innerText(), new RegExp(`at least ${limit}°`));
  await see();
};
await page.getByRole('heading', { name: 'Squat', exact: true }).waitFor();
await words.first().waitFor();
assert.equal(await page.locator('.ex__f').count(), 3);
await soon(() => page.locator('.ex__p canvas.on').count(), 3, 'pictures of the movie');
const column = (n) => page.locator('.ex__t tbody tr:not(.ex__say)').locator('td').nth(n).innerText();
await sound('exercise');
await shot('exercise');

step('other targets');
await judged(150, () => soon(() => column(0), /^\d+°[\s\S]*\d+° ± \d+ short$/));
assert.doesNotMatch(await page.locator('.ex__say').first().innerText(), /short/, 'a sentence is read when it is asked for');
await page.locator('.ex__say summary').first().click();
await soon(() => page.locator('.ex__say').first().innerText(), /short of 150°/);
const counting = page.getByRole('combobox', { name: 'Counts' });
await counting.selectOption('met');
await page
  .locator('.ex__c')
  .getByText(/^No repetition counts/)
  .waitFor();
await sound('counted by grade');
await shot('exercise-counts');
await counting.selectOption('all');
await page
  .locator('.ex__c')
  .getByText(/^No repetition/)
  .waitFor({ state: 'detached' });
await judged(30, () => soon(() => column(0), /met$/));
assert.ok(
  await page
    .locator('.ex__say details')
    .first()
    .evaluate((d) => d.open),
  'it stays open while targets change',
);
await page.getByRole('button', { name: 'More: Knee flexion ≥' }).click();
await soon(() => page.locator('.ex__t thead th').nth(1).innerText(), /at least 35°/);
await soon(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'More: Knee flexion ≥', 'the focus stays');
const made = () =>
  page.evaluate(async (keypoint) => {
    const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
    const { data } = await (
      await fetch(`anymotion/v1/analyses/?keypointId=${keypoint}`, { headers: { Authorization: `Bearer ${accessToken}` } })
    ).json();
    return data.length;
  }, id);
await soon(made, 2, 'the study of the player, and the judgement that is shown');
await click('Add');
await page.getByRole('combobox', { name: 'Measure' }).selectOption('hipFlexion');
await page.getByRole('combobox', { name: 'Limit' }).selectOption('max');
await page.getByRole('textbox', { name: 'Value' }).fill('175');
await page.locator('dialog').getByRole('button', { name: 'Add' }).click();
await page.getByRole('textbox', { name: 'Hip flexion ≤' }).waitFor();
await soon(() => page.locator('.ex__t thead').innerText(), /hip[\s\S]*at most 175°/i);
await page.getByRole('button', { name: 'Remove Hip flexion ≤' }).click();
await soon(
  () => page.locator('.ex__t thead').innerText(),
  (now) => !/175/.test(now),
);

step("an exercise of one's own");
await click('Save as mine');
await page.getByRole('textbox', { name: 'Name' }).fill('Squat to the box');
await shot('exercise-save');
await click('Keep');
const mine = page.getByRole('link', { name: /Squat to the box/ });
await page.getByRole('heading', { name: 'Squat to the box' }).waitFor();
await page.reload();
await mine.waitFor();
await soon(() => page.getByRole('textbox', { name: 'Knee flexion ≥' }).inputValue(), '35');
await words.first().waitFor();
const kept = await downloaded('Save to a file');
assert.equal(JSON.parse(kept.bytes).targets[0].min, 35);
const table = await downloaded('CSV');
assert.match(table.name, /^.+, Squat to the box \d{4}-\d\d-\d\d values\.csv$/);
assert.match(
  table.bytes.toString(),
  /^exercise,repetition,measure[\s\S]*Squat to the box,1,kneeFlexion,left,turn,35,,°,[\d.]+,[\d.]+,met,/,
);
const report = await reported('Report');
assert.match(report.bytes.toString(), /at least 35°/);
await click('Delete');
await soon(() => mine.count(), 0);
const file = path.join(folder, 'box.json');
fs.writeFileSync(file, kept.bytes);
await choose('Open an exercise from a file', [file]);
await mine.waitFor();
await words.first().waitFor();
fs.writeFileSync(file, '[1]');
await choose('Open an exercise from a file', [file]);
await page.getByText('box.json is not an exercise.').waitFor();
await page.evaluate((one) => {
  localStorage.setItem('exercises', JSON.stringify([{ ...one, name: 'Of this browser', title: undefined }, { name: 'broken' }]));
}, JSON.parse(kept.bytes));
expect(/status of 400/); // the broken one
await page.reload();
await page.getByRole('link', { name: /Of this browser/ }).waitFor();
assert.equal(await page.evaluate(() => localStorage.getItem('exercises')), null, 'the service keeps what this browser kept');
expect(null);
await page.getByRole('link', { name: /Of this browser/ }).click();
await page.getByRole('heading', { name: 'Of this browser' }).waitFor();
await words.first().waitFor();
await page.getByRole('searchbox').fill('chair');
await soon(() => page.locator('.ex__l li').count(), 1);
await page.getByRole('searchbox').fill('');

step('the service cannot judge');
expect(/503/);
await fails(/\/analyses\/$/, 'POST', 503, 'The queue is full.');
await click('More: Trunk lean ≤');
await page.getByText('The queue is full.').waitFor();
await page.unroute(/\/analyses\/$/);
await click('Less: Trunk lean ≤');
await soon(() => page.locator('#alarm').isHidden(), true);
expect(null);

step('the phases of a repetition');
const asked = [];
page.on('request', (r) => {
  if (/format=phases/.test(r.url())) asked.push(r.url());
});
await page.getByRole('link', { name: 'Phases' }).click();
const picture = page.locator('.ph__i');
await picture.waitFor();
assert.match(await picture.getAttribute('alt'), /^Repetition 1 of 3 in 7 pictures: Down \d\.\d+ s ± 0\.\d+, Hold \d/);
await sound('phases');
await shot('phases');
const high = await picture.evaluate((img) => img.naturalHeight);
await page.getByRole('switch', { name: 'Curve' }).uncheck();
await soon(
  () => picture.evaluate((img) => img.naturalHeight),
  (now) => now < high,
);
await page.getByRole('group', { name: 'Which repetition' }).getByRole('button', { name: '2' }).click();
await page.getByRole('group', { name: 'Pictures' }).getByRole('button', { name: '5' }).click();
await soon(() => picture.getAttribute('alt'), /^Repetition 2 of 3 in 5 pictures/);
await soon(hash, /repetition=2&pictures=5/);
assert.ok(
  asked.every((address) => !/name=/.test(address)),
  'without the name',
);
const saved = await downloaded('Save picture');
assert.equal(saved.name, 'phases-2.png');
assert.deepEqual([saved.bytes.readUInt32BE(1), saved.bytes.readUInt32BE(16)], [0x504e470d, 2600]);
await page.getByRole('switch', { name: 'Name' }).check();
await soon(() => asked.at(-1), /name=true/);
await page.context().close();

for (const [colorScheme, locale] of [
  ['light', 'en-GB'],
  ['dark', 'ja-JP'],
]) {
  step(`a phone, ${colorScheme}`);
  await visit(`${url}#/exercises/squat?recording=${id}`, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    colorScheme,
    locale,
  });
  await page.locator('.tc .vd').first().waitFor();
  await sound(`exercise, phone, ${colorScheme}`);
  if (locale === 'ja-JP') await translated(page.locator('.tc .vd'), /Squats, week 6/);
  await shot(`exercise-phone-${colorScheme}`, true);
  await page.goto(`${url}#/phases/${id}?exercise=squat`);
  await page.locator('.ph__i').waitFor();
  await sound(`phases, phone, ${colorScheme}`);
  await shot(`phases-phone-${colorScheme}`);
  await page.context().close();
}
await finish();
