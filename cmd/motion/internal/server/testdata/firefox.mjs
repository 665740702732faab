// Uses the viewer page in Firefox: what differs between browsers, from the first visit to a comparison.
//
// usage: node firefox.mjs MODULES FIREFOX FOLDER URL
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

step('a comparison');
const id = (await hash()).match(/recordings\/(\d+)/)[1];
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
