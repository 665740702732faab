// Uses the viewer page in Firefox: what differs between browsers, from the first visit to a comparison.
//
// usage: node firefox.mjs MODULES FIREFOX FOLDER URL
import assert from 'node:assert/strict';
import { args, changed, chip, click, finish, frame, hash, launch, now, opened, page, plays, row, soon, step, visit } from './page.mjs';

const [url] = args;
await launch();
await visit(url);
step('the sample, which begins again while the body is being found');
await changed(/keypoints\/\d+\/\?include/, (record) => Object.assign(record, { execStatus: 'PROCESSING', progress: 0.42, keypoint: null }));
await click('Try the sample');
await page.locator('.wait', { hasText: 'Finding the body · 42 %' }).waitFor();
await page.waitForFunction(() => {
  const v = document.querySelector('.stage video'),
    before = globalThis.last ?? 0;
  globalThis.last = v?.currentTime ?? 0;
  return globalThis.last < before;
});
await page.unroute(/keypoints\/\d+\/\?include/);
await opened('Sample: three squats');
await page.locator('.rep').nth(2).waitFor();

step('the player');
await page.keyboard.press('Home');
await page.keyboard.press('ArrowRight');
await soon(frame, 2);
await page.waitForFunction(() => {
  const v = document.querySelector('.stage video');
  return v.paused && !v.seeking && Math.floor(v.currentTime * 30) === 1;
});
await plays();
await page.keyboard.press('End');
await soon(frame, 120);
await chip('Elbow').click();
await page.locator('.chart', { hasText: 'Elbow' }).waitFor();

step('a correction');
await page.locator('.rep').nth(1).click();
const bent = await now('Knee', 'left');
await page.keyboard.press('p');
await page.locator('.fix .grip').first().waitFor();
const knee = await page.$$eval('.skel circle.joint', (all) => {
  const b = all[8].getBoundingClientRect();
  return [b.x + b.width / 2, b.y + b.height / 2];
});
await page.mouse.move(...knee);
await page.mouse.down();
await page.mouse.move(knee[0] - 30, knee[1] + 60, { steps: 4 });
await page.locator('.loupe').waitFor();
await page.mouse.up();
await click('Keep');
await page.getByText('1 in this recording').waitFor();
await click('Done');
await soon(
  () => now('Knee', 'left'),
  (moved) => moved !== bent,
);

const id = (await hash()).match(/recordings\/(\d+)/)[1];
step('a link to the report');
await click('Link');
const panel = page.getByRole('dialog', { name: 'Link', exact: true });
await panel.frameLocator('iframe').locator('h1', { hasText: 'Sample: three squats' }).waitFor();
await click('Copy a new link');
await soon(() => panel.locator('.links li').count(), 1);
await click('Withdraw');
await soon(() => panel.locator('.links li').count(), 0);
await page.keyboard.press('Escape');

step("an exercise of one's own");
await page.goto(`${url}#/exercises/squat?recording=${id}`);
await page.locator('.ex__t tbody tr').nth(2).waitFor();
await page.getByRole('button', { name: 'More: Knee flexion ≥' }).click();
await click('Save as mine');
await page.getByRole('textbox', { name: 'Name' }).fill('Squat to the box');
await click('Keep');
await page.getByRole('heading', { name: 'Squat to the box' }).waitFor();

step('several recordings get a person and a day');
const made = await page.evaluate(async (key) => {
  const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json(),
    headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    post = async (path, body) => (await fetch(`anymotion/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  const data = await (await fetch(`anymotion/v1/keypoints/${key}/?format=jsonl`, { headers })).text();
  return [await post('keypoints/', { format: 'jsonl', data }), await post('subjects/', { name: 'Mika Tanaka' })];
}, id);
assert.deepEqual(made, [201, 201]);
await page.goto(`${url}#/`);
await page.reload();
await soon(() => page.locator('.list .rec').count(), 2);
for (const one of [0, 1])
  await page
    .locator('.list .rec')
    .nth(one)
    .click({ modifiers: ['Control'] });
await page.locator('.rail__x').getByText('2 recordings').waitFor();
await click('Person and day');
await page.getByRole('dialog').getByRole('combobox', { name: 'Person' }).selectOption('Mika Tanaka');
await page.getByLabel('Day of filming').fill('2024-03-04');
await click('Keep');
await page.locator('#toast').getByText('2 recordings changed.').waitFor();
await soon(() => page.locator('.list .rec__m', { hasText: 'Mika Tanaka' }).count(), 2);

step('filming an exercise');
await page.goto(`${url}#/film/lunge`);
await page.getByRole('heading', { name: 'Film: Lunge' }).waitFor();
await page.locator('.live__ask').getByRole('button', { name: 'It stands there' }).click();
await page.locator('.hint', { hasText: 'Step into the picture' }).waitFor();

await page.goto(`${url}#/`);

step('a comparison');
await row('Sample').waitFor();
await page.goto(`${url}#/compare/${id}/${id}`);
await page.locator('.big').waitFor();
await page.locator('.chart').waitFor();
await page.waitForFunction(() => {
  const all = [...document.querySelectorAll('.stage video')];
  return all.length === 2 && all.every((v) => v.readyState >= 2);
});

step('live pictures');
await page.getByRole('link', { name: 'Live' }).click();
await click('Start the camera');
await page.getByText('Nobody is in the picture.').waitFor();
await click('Stop');
await page.context().close();
await finish();
