// What comes while a movie is at work, in its order: how many are before it, the skeleton, preliminary numbers, and those
// of the whole in their place.
//
// usage: node early.mjs MODULES BROWSER FOLDER URL
import assert from 'node:assert/strict';
import { args, changed, click, finish, launch, opened, page, shot, soon, sound, step, visit } from './page.mjs';

const [url] = args;
await launch();
await visit(url);
await page.evaluate(() => {
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) window.moved += e.hadRecentInput ? 0 : e.value;
  }).observe({ type: 'layout-shift', buffered: true });
});

step('the queue');
const n = 60,
  early = 45; // frames that are found, and told of
let at = 'the queue',
  told = null;
await changed(/keypoints\/\d+\/\?include/, (record) => {
  const { keypoint, timestamps } = record;
  record.keypoint = null;
  if (at === 'the queue' || !keypoint)
    return Object.assign(record, {
      execStatus: 'UNPROCESSED',
      progress: 0,
      found: null,
      preliminary: null,
      ahead: at === 'the queue' ? 2 : 0,
    });
  return Object.assign(record, {
    execStatus: 'PROCESSING',
    progress: null,
    ahead: null,
    found: { from: 0, keypoint: keypoint.slice(0, n), timestamps: timestamps.slice(0, n) },
    preliminary: told && { frames: early, quality: { ...record.quality, view: record.quality.view.slice(0, early) }, overview: told },
  });
});
await click('Try the sample');
await page.locator('.wait', { hasText: '2 recordings before yours' }).waitFor();
await soon(
  () => page.locator('.tbl--v td').allTextContents(),
  (cells) => cells.length && cells.every((c) => c === '–'),
);
await sound('the queue');
await shot('queue');
const heights = () =>
  page.evaluate(() => ['.stage', '.film', '.time'].map((s) => Math.round(document.querySelector(s)?.getBoundingClientRect().height ?? 0)));
const [stage, film] = await heights();

step('the skeleton');
at = 'the body';
await page.waitForFunction(() => document.querySelector('.skel .bone.left')?.getAttribute('d'));
await soon(() => page.locator('.wait h2').textContent(), /Finding the body · 50 %/);
assert.equal(await page.locator('.early').count(), 0, 'there are no numbers before they are known');
const played = await page.locator('.stage video').evaluate(
  (video) =>
    new Promise((done) => {
      let [most, rounds] = [0, 0]; // the first one is not seen from its beginning
      video.addEventListener('timeupdate', () => (most = Math.max(most, video.currentTime)));
      video.addEventListener('seeked', () => (rounds++ ? done(most) : (most = 0)));
    }),
);
assert.ok(played > 0.5 && played < 3.5, `the movie of 4 s plays to ${played} s, and the body is found up to ${n / 30} s`);

step('preliminary numbers');
const id = Number((await page.evaluate(() => location.hash)).match(/recordings\/(\d+)/)[1]);
told = await page.evaluate(
  async ([keypointId, frames]) => {
    const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
    const ask = async (method, path, body) =>
      (
        await fetch(`anymotion/v1/analyses/${path}`, {
          method,
          body: body && JSON.stringify(body),
          headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        })
      ).json();
    const { id: made } = await ask('POST', '', { keypointId, overview: true, to: (frames - 1) / 30 });
    const { overview } = await ask('GET', `${made}/?wait=60`);
    for (const m of [...overview.measures, ...(overview.estimates ?? [])])
      for (const list of ['values', 'uncertainty']) m[list] = m[list]?.slice(0, frames);
    return overview;
  },
  [id, early],
);
await page.locator('.early .verdict').waitFor();
assert.match(
  (await page.locator('.early .verdict h2').textContent()) ?? '',
  told.repetitions?.list.some((one) => one.complete) ? /±|counted/ : /^Looking for the first repetition$/,
  'there is no title before the first whole repetition',
);
await soon(() => page.locator('.early .tbl--v td.b').first().textContent(), /\d+°/);
await soon(() => page.locator('.wait .foot').textContent(), /^Preliminary: what the first 1\.5 s show/);
await soon(() => page.locator('.chart').count(), 2);
const right = await page.$$eval('.chart .ln', (lines) =>
  lines.map((l) =>
    Math.max(
      ...l
        .getAttribute('d')
        .split(/[ML]/)
        .slice(1)
        .map((p) => parseFloat(p)),
    ),
  ),
);
assert.ok(
  right.every((x) => x > 300 && x < 500),
  `the curves end at ${right} thousandths of the axis`,
);
assert.deepEqual((await heights()).slice(0, 1), [stage], 'the picture stays as it was');
await soon(
  async () => (await heights())[1] - film,
  (more) => Math.abs(more) < 40,
  'the charts have the room that was kept for them',
);
await sound('preliminary numbers');
await shot('early');
await page.setViewportSize({ width: 390, height: 844 });
await sound('preliminary numbers, phone');
await shot('early-phone');
await page.setViewportSize({ width: 1400, height: 900 });

step('the numbers of the whole');
assert.equal(await page.evaluate(() => window.moved), 0, 'nothing is moved by what comes');
await page.unroute(/keypoints\/\d+\/\?include/);
await opened('Sample: three squats');
assert.equal(await page.locator('.early, .wait').count(), 0);
await page.locator('.rep').nth(2).waitFor();
await finish();
