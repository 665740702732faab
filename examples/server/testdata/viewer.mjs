// Drives the viewer page in Chromium as a user does.
//
// usage: node viewer.mjs MODULES CHROMIUM URL LOGIN-URL IMAGE MOVIE MISSING FOLDER
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { createHash } from 'node:crypto';

const [modules, chromium, url, loginURL, image, movie, missing, folder] = process.argv.slice(2);
const require = createRequire(path.join(modules, 'index.js'));
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const browser = await require('playwright-core').chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] });

const problems = []; // what the pages wrote to their consoles
let expected = null; // what they may write now
async function visit(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type()) && !expected?.test(m.text())) problems.push(m.text()); });
  page.on('pageerror', (e) => problems.push(String(e)));
  const answer = await page.goto(address);
  assert.match(answer.headers()['content-security-policy'], /script-src 'self'/);
  return page;
}
const step = (name) => console.log(`${((performance.now()) / 1000).toFixed(1)} s: ${name}`);
const shot = (page, name, fullPage = true) => page.screenshot({ path: path.join(folder, `${name}.png`), fullPage });

// painted counts the pixels of a canvas that are drawn on.
const painted = (page, selector) => page.$eval(selector, (c) => {
  const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(c, 0, 0);
  const { data } = copy.getImageData(0, 0, c.width, c.height);
  let n = 0;
  for (let i = 3; i < data.length; i += 4) if (data[i] > 0) n++;
  return n;
});
const opened = (page, name) => page.locator('.view h2', { hasText: name }).waitFor();
const panel = () => page.locator('[role=tabpanel]:visible'); // of the tab that is chosen
const clock = (page) => page.locator('.clock').textContent();
// accessible looks for what a screen reader or the keyboard cannot use, and for what leaves its frame.
async function accessible(page, state) {
  const over = await page.evaluate(() => [...document.querySelectorAll('.card *')].filter((e) => {
    const frame = e.parentElement.closest('.card, fieldset, .rules li');
    return e.checkVisibility() && !e.closest('.scroll, .tabs') && e.getBoundingClientRect().right > frame.getBoundingClientRect().right + 1;
  }).map((e) => e.outerHTML.slice(0, 120)));
  assert.deepEqual(over, [], `out of their frames: ${state}`);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  const bad = violations.filter((v) => ['serious', 'critical'].includes(v.impact));
  assert.deepEqual(bad.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' | ')}`), [], `axe: ${state}`);
  for (const v of violations) console.log(`axe, ${state}: ${v.impact} ${v.id} ${v.nodes[0].html.slice(0, 100)}`);
}
async function downloaded(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), text: fs.readFileSync(await file.path(), 'utf8') };
}

let page = await visit(url);
step('nothing yet');
await page.getByText('No recordings yet.').waitFor();
await accessible(page, 'empty');

step('MD5 in the page');
const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 4 << 20, (4 << 20) + 57];
const sums = await page.evaluate(async (all) => {
  const { md5, MD5 } = await import('/viewer/md5.js');
  const bytes = (n) => Uint8Array.from({ length: n }, (_, i) => (i * 31 + 7) & 255);
  const pieces = new MD5();
  for (let at = 0; at < 1000; at += 37) pieces.update(bytes(1000).subarray(at, at + 37));
  return [...await Promise.all(all.map((n) => md5(new Blob([bytes(n)])))), pieces.hex()];
}, lengths);
[...lengths, 1000].forEach((n, i) => {
  assert.equal(sums[i], createHash('md5').update(Buffer.from(Uint8Array.from({ length: n }, (_, k) => (k * 31 + 7) & 255))).digest('hex'), `MD5 of ${n} bytes`);
});

step('a picture is dropped');
const dropped = await page.evaluateHandle((base64) => {
  const t = new DataTransfer();
  t.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], 'body.jpg', { type: 'image/jpeg' }));
  return t;
}, fs.readFileSync(image).toString('base64'));
await page.dispatchEvent('body', 'dragenter', { dataTransfer: dropped });
assert.equal(await page.locator('.zone.over').count(), 1);
await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
await opened(page, 'body.jpg');
assert.ok(await page.locator('.player img').evaluate((i) => i.decode().then(() => i.naturalWidth > 0)));
assert.ok(await painted(page, '.player canvas') > 2000, 'the skeleton of the picture');
assert.ok(await page.locator('.transport').isHidden(), 'a picture has nothing to play');
await page.getByRole('button', { name: 'Compute values' }).click();
assert.match(await page.locator('.result .figure').textContent(), /^1[678]\d(\.\d+)? °$/);
await shot(page, 'desktop-picture');
await accessible(page, 'picture');

step('a movie is chosen');
await page.locator('#files').setInputFiles(movie);
await page.locator('.recordings .state', { hasText: /Waiting|Working/ }).first().waitFor();
await opened(page, path.basename(movie));
assert.match(await clock(page), /^1 \/ 48 · 0.00 s$/);
assert.ok(await painted(page, '.player canvas') > 2000, 'the skeleton of the movie');
assert.equal(await page.locator('.recordings .record').count(), 2);

step('frames are stepped');
await page.waitForFunction(() => document.querySelector('.player video')?.readyState >= 2);
await page.locator('.player').focus();
const before = await page.$eval('.player canvas', (c) => c.toDataURL());
for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
assert.match(await clock(page), /^6 \/ 48 · 0.21 s$/);
assert.notEqual(await page.$eval('.player canvas', (c) => c.toDataURL()), before);
await page.waitForFunction(() => { const v = document.querySelector('.player video'); return !v.seeking && Math.floor(v.currentTime * 24) === 5; });
await page.keyboard.press('End');
assert.match(await clock(page), /^48 \/ 48/);
await page.keyboard.press('Home');
await page.keyboard.press('Shift+ArrowRight');
assert.match(await clock(page), /^11 \/ 48/);

step('the movie plays in sync');
await page.keyboard.press('Home');
await page.waitForFunction(() => !document.querySelector('.player video').seeking);
const pairs = await page.evaluate(async () => {
  const video = document.querySelector('.player video'), seen = [];
  const watch = (_, { mediaTime }) => {
    // The page's own callback was registered before this one and has run.
    seen.push([Math.round(mediaTime * 24) + 1, parseInt(document.querySelector('.clock').textContent, 10)]);
    if (!video.ended) video.requestVideoFrameCallback(watch);
  };
  video.requestVideoFrameCallback(watch);
  document.querySelector('.transport .main').click();
  await new Promise((done) => video.addEventListener('ended', done));
  return seen;
});
assert.ok(pairs.length > 8, `only ${pairs.length} frames were shown`);
for (const [media, shown] of pairs.slice(1)) assert.equal(shown, media, `frame ${media} is shown with the skeleton of ${shown}`);
assert.match(await clock(page), /^48 \/ 48/);

step('values and their chart');
await panel().getByLabel('Type of value').first().selectOption('coordinate');
await panel().getByLabel('Type of point').selectOption('midpoint');
await panel().getByRole('button', { name: 'Add rule' }).click();
await panel().locator('.rules li').nth(1).getByLabel('Type of value').selectOption('horizontalDifference');
await panel().locator('.rules li').nth(1).getByLabel('Part 1 of point 1').selectOption('nose');
await panel().locator('.rules li').nth(1).getByLabel('Part 1 of point 2').selectOption('leftAnkle');
await panel().locator('.rules li').nth(1).getByLabel('Statistic').selectOption('mean');
await panel().locator('.rules li').nth(1).getByLabel('A repetition').selectOption('rises');
await panel().locator('.rules li').nth(1).getByLabel('Minimum change').fill('5');
assert.equal(await panel().locator('.rules li').nth(0).getByLabel('A repetition').isVisible(), false);
await panel().getByRole('button', { name: 'Compute values' }).click();
await page.locator('.chart path.series1').waitFor();
assert.equal(await page.locator('.chart').count(), 2);
for (const line of await page.locator('.chart path').all()) assert.ok((await line.getAttribute('d')).length > 200);
await page.locator('.chart').nth(1).focus();
await page.keyboard.press('Home');
const left = await page.locator('.chart .cursor').first().getAttribute('x1');
await page.keyboard.press('ArrowRight');
assert.match(await clock(page), /^2 \/ 48/);
assert.notEqual(await page.locator('.chart .cursor').first().getAttribute('x1'), left);
assert.match(await page.locator('.chart').nth(1).getAttribute('aria-valuetext'), /^Frame 2, 0.04 s: -?\d+(\.\d+)? px$/);
const box = await page.locator('.chart').first().boundingBox();
await page.mouse.click(box.x + box.width / 2, box.y + 100);
assert.match(await clock(page), /^2[2-6] \/ 48/);
await page.getByText('Repetitions: 1').waitFor();
assert.equal(await page.locator('.cycle').count(), 1);
const values = await downloaded(page, page.locator('.results').getByRole('button', { name: 'Save CSV' }));
const rows = values.text.trim().split('\r\n');
assert.equal(rows.length, 49);
assert.match(rows[0], /^frame,time \[s\],midpoint of [a-z ]+ coordinate x \[px\],midpoint of [a-z ]+ coordinate y \[px\],horizontal difference nose - left ankle \[px\]$/);
assert.match(rows[3], /^2,0\.083\d*,\d+\.?\d*,\d+\.?\d*,-?\d+\.?\d*$/);
assert.equal(JSON.parse((await downloaded(page, page.locator('.results').getByRole('button', { name: 'Save JSON' }))).text).result.length, 2);
await shot(page, 'desktop-movie');
await accessible(page, 'values');

step('wrong rules');
await panel().getByLabel('Edit the rules as JSON').check();
await panel().getByRole('textbox', { name: 'Rules as JSON' }).fill('[{');
await panel().getByRole('button', { name: 'Compute values' }).click();
await page.getByText('The rules are not valid JSON.').waitFor();
expected = /status of 400/;
await panel().getByRole('textbox', { name: 'Rules as JSON' }).fill('[{"analysisType":"vectorAngle","points":["leftHip","leftToe"]}]');
await panel().getByRole('button', { name: 'Compute values' }).click();
await panel().locator('.report li', { hasText: '/rule/0/points' }).first().waitFor();
expected = null;

step('a drawing');
await page.getByRole('tab', { name: 'Drawing' }).click();
await panel().getByRole('button', { name: 'Add rule' }).click();
await panel().getByLabel('Parts to draw').selectOption('points');
await panel().getByRole('button', { name: 'Add point' }).click();
await panel().getByLabel('Skeleton only').check();
await panel().getByRole('button', { name: 'Draw', exact: true }).click();
await page.locator('.drawn video').waitFor();
await page.waitForFunction(() => document.querySelector('.drawn video').readyState >= 1);
const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save drawing' }).click()]);
assert.match(file.suggestedFilename(), /^\d+\.mp4$/);
assert.equal(fs.readFileSync(await file.path()).subarray(4, 8).toString(), 'ftyp');
await shot(page, 'desktop-drawing');
await accessible(page, 'drawing');

step('a comparison');
await page.getByRole('tab', { name: 'Compare' }).click();
assert.match(await panel().getByLabel('Other recording', { exact: true }).locator('option:checked').textContent(), /body\.jpg/);
for (const how of ['linear', 'dtw']) {
  await panel().getByLabel('Time alignment', { exact: true }).selectOption(how);
  if (how === 'dtw') await panel().getByLabel('Other recording', { exact: true }).selectOption({ label: await page.locator('.view h2').textContent() });
  await panel().locator('.results').evaluate((e) => e.replaceChildren());
  await panel().getByRole('button', { name: 'Compare', exact: true }).click();
  await panel().locator('.side canvas').nth(1).waitFor();
  await page.getByText(/Similarity: \d+ of 100/).waitFor();
  assert.ok(await painted(page, '.side figure:nth-child(1) canvas') > 1000);
  assert.ok(await painted(page, '.side figure:nth-child(2) canvas') > 1000);
  assert.ok(await page.locator('details tbody tr:visible').count() > 8);
  if (how === 'linear') {
    assert.equal(await panel().locator('.side img').count(), 1);
    const table = await downloaded(page, panel().getByRole('button', { name: 'Save CSV' }));
    assert.equal(table.text.trim().split('\r\n').length, 49);
    await shot(page, 'desktop-compare');
    await accessible(page, 'comparison');
    await panel().getByRole('button', { name: 'Draw', exact: true }).last().click();
    await panel().locator('.drawn video').waitFor();
  }
}
await page.locator('.player').focus();
await page.keyboard.press('Home');
for (const at of [1, 20, 40]) {
  // A recording warped onto itself is shown with itself.
  while (parseInt(await clock(page), 10) < at) await page.keyboard.press('ArrowRight');
  const names = await page.$$eval('.side canvas', (all) => all.map((c) => c.getAttribute('aria-label')));
  assert.equal(names[0], names[1]);
}

step('data');
await page.getByRole('tab', { name: 'Data' }).click();
const keypoints = await downloaded(page, panel().getByRole('button', { name: 'Save CSV' }));
const lines = keypoints.text.trim().split('\r\n');
assert.equal(lines.length, 49);
assert.equal(lines[0].split(',').length, 2 + 3 * 17);
assert.match(lines[1], /^0,0,\d+\.?\d*,\d+\.?\d*,0\.\d+/);
assert.equal(JSON.parse((await downloaded(page, panel().getByRole('button', { name: 'Save JSON' }))).text).keypoint.length, 48);

step('feet');
const feet = await page.evaluate(async () => {
  const { listed, paint } = await import(new URL('viewer/skeleton.js', location.href).href);
  const ctx = document.createElement('canvas').getContext('2d');
  let lines = 0, dots = 0;
  ctx.lineTo = () => { lines++; };
  ctx.arc = () => { dots++; };
  const body = { leftKnee: [10, 10], leftAnkle: [10, 50] };
  const frame = { ...body, leftHeel: [5, 60], leftBigToe: [30, 60], leftSmallToe: [28, 62] };
  paint(ctx, frame, {}, 1);
  return { lines, dots, with: listed([{}, frame]).length, without: listed([{}, body]).length };
});
// Each line has a rim.
assert.deepEqual(feet, { lines: 2 * 4, dots: 5, with: 20, without: 17 });

step('what goes wrong with files');
const send = (name, mimeType, text) => page.locator('#files').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
await send('words.txt', 'text/plain', 'not a picture');
await page.locator('.uploads li', { hasText: 'words.txt' }).getByText('Unsupported file type').waitFor();
await send('empty.mp4', 'video/mp4', '');
await page.locator('.uploads li', { hasText: 'empty.mp4' }).getByText('The file is empty.').waitFor();
await accessible(page, 'failed uploads');
await page.getByRole('button', { name: 'Dismiss words.txt' }).click();
await send('broken.jpg', 'image/jpeg', 'this is no JPEG');
await page.locator('.record', { hasText: 'broken.jpg' }).getByText('The image format is not supported.').waitFor();
await page.route('**/files/**', () => {}); // never answered
await send('long.jpg', 'image/jpeg', 'an upload that hangs');
await page.locator('.uploads li', { hasText: 'long.jpg' }).getByText('Uploading').waitFor();
await page.getByRole('button', { name: 'Cancel long.jpg' }).click();
await page.locator('.uploads li', { hasText: 'long.jpg' }).getByText('Cancelled').waitFor();
await page.unroute('**/files/**');
expected = /ERR_FAILED|status of 413/;
await page.route('**/files/**', (r) => r.abort());
await send('lost.jpg', 'image/jpeg', 'an upload that breaks off');
await page.locator('.uploads li', { hasText: 'lost.jpg' }).getByText('cannot be reached').waitFor();
await page.unroute('**/files/**');
await page.route('**/files/**', (r) => r.fulfill({ status: 413, contentType: 'application/problem+json', body: '{"detail":"The request is larger than allowed."}' }));
await send('huge.jpg', 'image/jpeg', 'an upload that is too large');
await page.locator('.uploads li', { hasText: 'huge.jpg' }).getByText('larger than allowed').waitFor();
await page.unroute('**/files/**');
expected = null;

step('after a reload: without the file, and with it again');
await page.reload();
await page.locator('.record', { hasText: path.basename(movie) }).click();
await page.getByText('does not return media').waitFor();
assert.ok(await painted(page, '.player canvas') > 2000);
await page.locator('.chart').first().waitFor(); // the analysis that was made before
await page.getByRole('button', { name: 'Play' }).click();
await page.waitForFunction(() => document.querySelector('.clock').textContent.startsWith('48 /'));
await page.locator('#own-file').setInputFiles(image);
await page.getByText('This is a different file').waitFor();
await page.locator('#own-file').setInputFiles(movie);
await page.waitForFunction(() => document.querySelector('.player video')?.readyState >= 2);

step('a token that is no longer good');
expected = /status of 401/;
await page.route('**/keypoints/*/?include=*', (r) => r.fulfill({ status: 401, body: '' }), { times: 1 });
await page.locator('.record', { hasText: 'body.jpg' }).click();
await opened(page, 'body.jpg');
expected = null;

step('progress');
const worked = (change) => async (route) => {
  const answer = await route.fetch(), body = await answer.json();
  change(body);
  await route.fulfill({ response: answer, json: body });
};
await page.route('**/keypoints/?*', worked((list) => Object.assign(list.data[0], { execStatus: 'PROCESSING', progress: 0.42 })));
await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
const bar = page.locator('.record progress');
await bar.waitFor();
assert.equal(await bar.evaluate((b) => b.value), 0.42);
assert.match(await bar.getAttribute('aria-label'), /^Progress of .+ #\d+$/);
await accessible(page, 'progress');
await shot(page, 'desktop-progress', false);
await page.unroute('**/keypoints/?*');
await bar.waitFor({ state: 'detached' });
await page.getByRole('tab', { name: 'Drawing' }).click();
await page.route(/drawings\/\d+\/$/, worked((record) => Object.assign(record, { execStatus: 'PROCESSING', progress: 0.25, drawingUrl: null })));
await panel().getByRole('button', { name: 'Draw', exact: true }).click();
await panel().locator('.report progress').waitFor();
assert.equal(await panel().locator('.report progress').evaluate((b) => b.value), 0.25);
await page.unroute(/drawings\/\d+\/$/);
await page.locator('.drawn img').waitFor();
await panel().locator('.report progress').waitFor({ state: 'hidden' });

step('a recording is deleted');
const rowsBefore = await page.locator('.recordings .record').count();
const dialog = page.getByRole('dialog');
await page.locator('.recordings li', { hasText: 'body.jpg' }).getByRole('button', { name: 'Delete' }).focus();
await page.keyboard.press('Enter');
await dialog.getByText(/^Delete body\.jpg #\d+\?$/).waitFor();
assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Keep');
await accessible(page, 'the question');
await shot(page, 'desktop-delete', false);
await page.keyboard.press('Escape');
await dialog.waitFor({ state: 'hidden' });
assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^Delete body\.jpg/);
assert.equal(await page.locator('.recordings .record').count(), rowsBefore);
expected = /status of 503/;
await page.route(/images\/\d+\/$/, (r) => (r.request().method() === 'DELETE'
  ? r.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"detail":"The service is overloaded or unavailable; try again later."}' }) : r.continue()));
await page.keyboard.press('Enter');
await page.keyboard.press('Tab');
await page.keyboard.press('Enter');
await dialog.getByText('overloaded').waitFor();
await page.unroute(/images\/\d+\/$/);
expected = null;
assert.ok(await page.locator('.view').isVisible());
await dialog.getByRole('button', { name: 'Delete' }).click();
await dialog.waitFor({ state: 'hidden' });
await page.locator('.recordings .record', { hasText: 'body.jpg' }).waitFor({ state: 'detached' });
assert.equal(await page.locator('.recordings .record').count(), rowsBefore - 1);
assert.ok(await page.locator('.view').isHidden(), 'what is deleted is no longer shown');
await page.waitForFunction(() => document.activeElement.matches('h2'));

step('Japanese');
await page.getByLabel('Language').selectOption('ja');
assert.equal(await page.title(), 'モーションビューアー');
assert.equal(await page.getAttribute('html', 'lang'), 'ja');
await page.getByText('この画像形式には対応していません。').waitFor();
await page.context().close();

step('the keyboard alone');
page = await visit(url);
await page.locator('.record').first().waitFor();
const tabTo = async (what, key = 'Tab') => {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press(key);
    if (await page.evaluate((s) => document.activeElement.matches(s), what)) return;
  }
  assert.fail(`${what} is not reached with ${key}`);
};
page.on('filechooser', () => {}); // from the first listener on the browser tells of it, but not at once
await tabTo('#files');
const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
await chooser.setFiles(movie);
await page.locator('.record[aria-current]').waitFor();
await tabTo('.player');
await page.keyboard.press('ArrowRight');
assert.match(await clock(page), /^2 \/ 48/);
await page.keyboard.press('Space');
await page.waitForFunction(() => parseInt(document.querySelector('.clock').textContent, 10) > 4);
await page.keyboard.press('Space');
await tabTo('[role=tab]');
await page.keyboard.press('ArrowRight');
assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Drawing');
await page.keyboard.press('ArrowLeft');
await tabTo('[role=tabpanel] .rules select');
await page.keyboard.press('ArrowDown');
await tabTo('[role=tabpanel] > div > .main');
await page.keyboard.press('Enter');
await page.locator('.chart').waitFor();
await tabTo('.chart');
await page.keyboard.press('End');
assert.match(await clock(page), /^48 \/ 48/);
await page.context().close();

for (const colorScheme of ['dark', 'light']) {
  step(`a phone, ${colorScheme}`);
  page = await visit(url, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, locale: colorScheme === 'dark' ? 'ja-JP' : 'en-GB', colorScheme });
  const narrow = async (state) => {
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, ...[...document.querySelectorAll('body *')]
      .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.tabs, .scroll, .skip')).map((e) => e.outerHTML.slice(0, 90))]);
    assert.deepEqual(wide, [360], `too wide: ${state}`);
  };
  await page.locator('.record').first().waitFor();
  await narrow('list');
  await page.locator('#files').setInputFiles(movie);
  await page.locator('.record[aria-current]').waitFor();
  await page.waitForFunction(() => document.querySelector('.player video')?.readyState >= 2);
  assert.ok(await painted(page, '.player canvas') > 2000);
  await page.locator('.player button').nth(2).tap();
  assert.match(await clock(page), /^2 \/ 48/);
  await panel().locator('.main').tap();
  await page.locator('.chart path').first().waitFor();
  await narrow('values');
  await accessible(page, `phone, ${colorScheme}`);
  await shot(page, `phone-${colorScheme}`);
  await page.getByRole('tab').nth(1).tap();
  await panel().locator('.rule-editor > div > button').tap();
  await narrow('drawing');
  await page.getByRole('tab').nth(2).tap();
  await panel().locator('.main').first().tap();
  await page.locator('.side canvas').nth(1).waitFor();
  await page.locator('.side figure').nth(1).scrollIntoViewIfNeeded();
  await narrow('comparison');
  await shot(page, `phone-${colorScheme}-compare`);
  await page.context().close();
}

step('a recording with warnings');
page = await visit(url);
await page.locator('#files').setInputFiles(missing);
await opened(page, path.basename(missing));
const verdict = page.locator('.quality');
assert.match(await verdict.locator('.verdict').textContent(), /^The recording is usable/);
const lost = verdict.locator('li', { hasText: 'The person was lost.' });
assert.match(await lost.textContent(), /1\.00 – 1\.29 s/);
assert.match(await verdict.locator('.key.filled').textContent(), /^17 filled in$/);
const strip = page.locator('.strip');
assert.equal(await strip.getAttribute('aria-label'), 'Where the recording is doubtful and where points were changed');
const [marked, filledIn, wide] = await strip.evaluate((el) => {
  const at = (kind) => [...el.querySelectorAll(kind)].map((m) => [parseFloat(m.style.left), parseFloat(m.style.width)].map((x) => Math.round(x / 100 * 48)));
  return [at('.doubtful'), at('.filled'), Math.max(...[...el.children].map((m) => m.getBoundingClientRect().right)) - el.getBoundingClientRect().right];
});
assert.ok(marked.some(([from, n]) => from === 24 && n === 8), `doubtful: ${JSON.stringify(marked)}`);
assert.ok(filledIn.some(([from, n]) => from === 12 && n === 1), `filled in: ${JSON.stringify(filledIn)}`);
assert.ok(wide <= 0, 'the strip leaves its frame');
const { width, height } = await strip.boundingBox();
await strip.click({ position: { x: width * 28.5 / 48, y: height / 2 } });
assert.match(await clock(page), /^29 \/ 48/);
await lost.getByRole('button').click();
assert.match(await clock(page), /^25 \/ 48/);
await panel().getByRole('button', { name: 'Compute values' }).click();
await page.locator('.chart path').first().waitFor();
assert.equal(await page.locator('.chart').first().getAttribute('aria-valuetext'), 'Frame 25, 1.00 s: no value');
await page.locator('.result .verdict', { hasText: 'The camera sees this angle obliquely.' }).first().waitFor();
await accessible(page, 'warnings');
await shot(page, 'desktop-warnings');
await page.context().close();
for (const colorScheme of ['dark', 'light']) {
  page = await visit(url, { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, locale: 'ja-JP', colorScheme });
  await page.locator('.record', { hasText: path.basename(missing) }).tap();
  await page.locator('.quality li', { hasText: '人物を見失いました。' }).waitFor();
  assert.match(await page.locator('.quality .verdict').textContent(), /^この記録は使えます/);
  assert.equal(await page.locator('.strip').getAttribute('aria-label'), '記録の疑わしい箇所と、点が変更された箇所');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await accessible(page, `warnings on a phone, ${colorScheme}`);
  await shot(page, `phone-${colorScheme}-warnings`);
  await page.context().close();
}

step('signing in');
page = await visit(loginURL, { colorScheme: 'dark' });
await page.getByLabel('Client id').fill('someone');
await page.getByLabel('Client secret').fill('wrong');
expected = /status of 401/;
await page.keyboard.press('Enter');
await page.getByText('The client id or secret is wrong.').waitFor();
expected = null;
await accessible(page, 'sign in');
await shot(page, 'desktop-login');
await page.getByLabel('Client secret').fill('very-secret');
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByText('No recordings yet.').waitFor();
await page.reload();
await page.getByText('No recordings yet.').waitFor();
await page.locator('#files').setInputFiles(image);
await opened(page, path.basename(image));
await shot(page, 'desktop-dark', false);
await page.getByRole('button', { name: 'Sign out' }).click();
await page.getByLabel('Client id').waitFor();

await browser.close();
assert.deepEqual(problems, [], 'the console');
console.log('viewer: ok');
