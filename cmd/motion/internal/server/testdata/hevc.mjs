// A movie that the browser cannot play, or of which it plays the sound alone, is converted by the service: the stage shows it.
//
// usage: node hevc.mjs MODULES BROWSER FOLDER URL MOVIE SILENT
import assert from 'node:assert/strict';
import { args, click, expect, finish, frame, launch, measured, opened, page, plays, shot, soon, sound, step, visit } from './page.mjs';

const [url, movie, silent] = args;
await launch();
await visit(url);
const seen = () =>
  page.evaluate(() => {
    const video = document.querySelector('.stage video');
    return video?.readyState >= 2 && video.videoWidth > 0 && document.querySelector('.stage__n')?.hidden;
  });
const drawings = () =>
  page.evaluate(async () => {
    const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
    const answer = await fetch('anymotion/v1/drawings/', { headers: { Authorization: `Bearer ${accessToken}` } });
    return (await answer.json()).data.length;
  });

for (const [n, file] of [movie, silent].entries()) {
  step(file);
  await page.locator('#files').setInputFiles(file);
  await measured();
  await page.locator('.stage__n', { hasText: 'It is converted' }).waitFor();
  await shot(`hevc-converts-${n}`);
  await soon(seen, true, 'it is shown');
  await page.locator('.scrub').focus();
  await page.keyboard.press('Home');
  await plays();
  assert.equal(await drawings(), n + 1);
  await sound('a converted movie');
  await shot(`hevc-${n}`);
}

step('once more');
await page.reload();
await measured();
await soon(seen, true, 'it is shown again');
assert.equal(await drawings(), 2, 'and is not converted again');

step('beside each other');
const [one, other] = await page.evaluate(async () => {
  const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
  const answer = await fetch('anymotion/v1/keypoints/', { headers: { Authorization: `Bearer ${accessToken}` } });
  return (await answer.json()).data.map((record) => record.id);
});
await page.goto(`${url.split('?')[0]}#/compare/${one}/${other}`);
await soon(
  () => page.locator('.stage video').evaluateAll((all) => all.map((v) => v.readyState >= 2 && v.videoWidth > 0)),
  [true, true],
  'both are shown',
);
assert.equal(await drawings(), 2);
await finish();
