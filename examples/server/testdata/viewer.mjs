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
const findings = []; // what is wrong with what they show
let expected = null; // what they may write now
let page;
process.on('exit', (code) => { if (code) console.log(problems, findings); });
process.on('uncaughtException', async (e) => { console.log(e); await page.screenshot({ path: path.join(folder, 'failed.png') }).catch(() => {}); process.exit(1); });
async function visit(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce', ...options });
  page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.WAIT ?? 60_000));
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type()) && !expected?.test(m.text())) problems.push(m.text()); });
  page.on('pageerror', (e) => problems.push(String(e)));
  page.on('filechooser', () => {}); // from the first listener on the browser tells of it
  const answer = await page.goto(address);
  assert.match(answer.headers()['content-security-policy'], /script-src 'self'/);
}
const step = (name) => console.log(`${(performance.now() / 1000).toFixed(1)} s: ${name}`);
const shot = (name, fullPage = false) => page.screenshot({ path: path.join(folder, `${name}.png`), fullPage });
const click = (name, options = {}) => page.getByRole('button', { name, exact: true, ...options }).first().click();
const hash = () => page.evaluate(() => location.hash);

// sound notes for what a screen reader or the keyboard cannot use, for words that are missing, and for a page
// that is wider than its window.
async function sound(state) {
  await page.evaluate(axe);
  const { violations, wide, words } = await page.evaluate(async () => ({
    violations: (await globalThis.axe.run({ resultTypes: ['violations'] })).violations,
    wide: document.documentElement.scrollWidth - innerWidth,
    words: document.body.innerText.match(/\{\w+\}|undefined|\bNaN\b|\[object|\b(?:[a-z]+\.)+(?:left|right|title|[a-z]+[A-Z]\w*)\b/g),
  }));
  findings.push(...violations.map((v) => `${state}: ${v.impact} ${v.id}: ${v.nodes.map((n) => n.html.slice(0, 300)).join(' | ')}`));
  if (words) findings.push(`${state}: the words ${words}`);
  if (wide > 0) findings.push(`${state}: ${wide} px too wide`);
}
async function downloaded(name) {
  const [file] = await Promise.all([page.waitForEvent('download'), click(name)]);
  return { name: file.suggestedFilename(), bytes: fs.readFileSync(await file.path()) };
}
// choose opens the file chooser with a button, as a person does.
async function choose(name, files) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click(name)]);
  await chooser.setFiles(files);
}
const measured = () => page.waitForFunction(() => [...document.querySelectorAll('.tbl--v td.b')].some((e) => /\d/.test(e.textContent)) && document.querySelector('.chart, .stage__p img'));
const opened = async (name) => { await page.locator('h1', { hasText: name }).waitFor(); await measured(); };
const frame = async () => Number((await page.locator('.clock--f').textContent()).match(/\d+/)[0]);
const degrees = (row, cell) => page.locator('.tbl--v tr', { hasText: row }).locator('td').nth(cell).textContent();
const row = (name) => page.locator('.list li', { hasText: name });
const ready = () => page.waitForFunction(() => document.querySelector('.stage video')?.readyState >= 2 && !document.querySelector('.stage video').seeking);
// held lets a request wait until it is released.
async function held(pattern, method) {
  let resolve;
  const promise = new Promise((done) => { resolve = done; });
  await page.route(pattern, async (r) => { if (r.request().method() === method) await promise; await r.continue().catch(() => {}); });
  return async () => { resolve(); await page.unroute(pattern, undefined); };
}
// changed answers with a document that is changed on its way.
const changed = (pattern, change) => page.route(pattern, async (r) => {
  if (r.request().method() !== 'GET') return r.continue();
  const answer = await r.fetch(), body = await answer.json();
  change(body);
  return r.fulfill({ response: answer, json: body });
});
const fails = (pattern, method, status, detail) => page.route(pattern, (r) => (r.request().method() === method
  ? r.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ detail }) }) : r.continue()));

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
  const { md5, MD5 } = await import('/viewer/md5.js');
  const bytes = (n) => Uint8Array.from({ length: n }, (_, i) => (i * 31 + 7) & 255);
  const pieces = new MD5();
  for (let at = 0; at < 1000; at += 37) pieces.update(bytes(1000).subarray(at, at + 37));
  return [...await Promise.all(all.map((n) => md5(new Blob([bytes(n)])))), pieces.hex()];
}, lengths);
[...lengths, 1000].forEach((n, i) => {
  assert.equal(sums[i], createHash('md5').update(Buffer.from(Uint8Array.from({ length: n }, (_, k) => (k * 31 + 7) & 255))).digest('hex'), `MD5 of ${n} bytes`);
});

step('every word is there in both languages');
const untold = await page.evaluate(async () => {
  const [en, ja] = (await Promise.all(['en', 'ja'].map((l) => import(`/viewer/${l}.js`)))).map((m) => m.default);
  const args = (words) => (words.match(/\{\w+\}/g) ?? []).sort().join();
  return [...new Set([...Object.keys(en), ...Object.keys(ja)])].filter((k) => !(k in en && k in ja) || args(en[k]) !== args(ja[k]));
});
assert.deepEqual(untold, []);

step('the sample: opening the page was the first action, this is the second');
let release = await held(/\/files\//, 'PUT');
await click('Try the sample');
await page.locator('.wait', { hasText: 'Uploading' }).waitFor();
await page.waitForFunction(() => { const v = document.querySelector('.stage video'); return v && !v.paused && v.currentTime > 0; });
await sound('uploading');
await changed(/keypoints\/\d+\/\?include/, (record) => Object.assign(record, { execStatus: 'PROCESSING', progress: 0.42, keypoint: null }));
await release();
await page.locator('.wait', { hasText: 'Finding the body · 42 %' }).waitFor();
assert.equal(await page.locator('.wait progress').evaluate((p) => p.value), 0.42);
await sound('finding the body');
await shot('upload');
await page.unroute(/keypoints\/\d+\/\?include/);
await opened('Sample: three squats');
assert.match(await hash(), /^#\/recordings\/\d+\?show=knee,hip/);
assert.match(await page.locator('.tbl--v').innerText(), /Left knee\s+\d+°\s+\d+°\s+\d+°\s+\d+°\s+\d+°\s+Right knee\s/);
const deepest = parseInt(await degrees('Left knee', 2), 10);
assert.ok(deepest > 60 && deepest < 150, `the knee bends by ${deepest}°`);
await row('Sample: three squats').locator('img').evaluate((i) => i.decode());
await page.locator('.list .sign').waitFor();

step('the player');
await page.keyboard.press('Home');
assert.equal(await frame(), 1);
for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
assert.equal(await frame(), 6);
await page.waitForFunction(() => { const v = document.querySelector('.stage video'); return !v.seeking && Math.floor(v.currentTime * 30) === 5; });
const bones = () => page.$eval('.skel .bone.left', (p) => p.getAttribute('d'));
const before = await bones();
await page.keyboard.press('Shift+ArrowRight');
assert.equal(await frame(), 16);
assert.notEqual(await bones(), before);
await page.keyboard.press('End');
assert.equal(await frame(), 120);
await page.keyboard.press('Home');
await ready();
const pairs = await page.evaluate(async () => {
  const video = document.querySelector('.stage video'), seen = [];
  await new Promise((done) => {
    const watch = (_, { mediaTime }) => {
      // The page's own callback was registered before this one and has run.
      seen.push([Math.round(mediaTime * 30) + 1, Number(document.querySelector('.clock--f').textContent.match(/\d+/)[0])]);
      if (seen.length < 12 && !video.ended) video.requestVideoFrameCallback(watch); else done();
    };
    video.requestVideoFrameCallback(watch);
    document.querySelector('.btn--play').click();
  });
  document.querySelector('.btn--play').click();
  return seen;
});
assert.ok(pairs.length > 6, `only ${pairs.length} frames were shown`);
for (const [media, shown] of pairs.slice(1)) assert.equal(shown, media, `frame ${media} is shown with the skeleton of ${shown}`);
await page.getByLabel('Speed').selectOption('0.5×');
assert.equal(await page.$eval('.stage video', (v) => v.playbackRate), 0.5);
await page.getByLabel('Speed').selectOption('1×');
await page.getByRole('slider', { name: 'Time' }).focus();
await page.keyboard.press('PageUp');
const track = await page.locator('.scrub').boundingBox();
await page.mouse.click(track.x + track.width / 2, track.y + track.height / 2);
assert.ok(Math.abs(await frame() - 60) <= 2, `the middle is frame ${await frame()}`);
const badge = page.locator('.badge');
const zoomed = await badge.textContent();
await page.keyboard.press('z');
await page.waitForFunction((old) => document.querySelector('.badge').textContent !== old, zoomed);
assert.match(await badge.textContent(), /^Enlarged · \d+ %$/);
const stage = await page.locator('.stage').boundingBox();
const at = (x, y) => [stage.x + x * stage.width, stage.y + y * stage.height];
const corner = () => page.$eval('.stage__p', (p) => p.style.transform);
const stood = await corner();
await page.mouse.move(...at(0.5, 0.5));
await page.mouse.down();
await page.mouse.move(...at(0.6, 0.6), { steps: 3 });
await page.mouse.up();
assert.notEqual(await corner(), stood, 'the picture moves');
await page.mouse.wheel(0, 2000);
await page.waitForFunction(() => document.querySelector('.badge').textContent === 'Whole picture');
assert.ok(await page.locator('.tag').count() >= 2, 'degrees at the joints');
await click('Angles');
assert.equal(await page.locator('.tag').count(), 0);
await click('Angles');

step('measuring by hand');
await page.keyboard.press('a');
for (const [x, y] of [[0.3, 0.2], [0.3, 0.6], [0.5, 0.6]]) await page.mouse.click(...at(x, y));
assert.equal(await page.locator('.measured').textContent(), '90°');
await page.keyboard.press('l');
for (const y of [0.2, 0.6]) await page.mouse.click(...at(0.3, y));
assert.match(await page.locator('.measured').textContent(), /^\d+ px$/);
await sound('measuring a line');
await page.keyboard.press('Escape');
await page.keyboard.press('Escape');
await page.locator('.measured').waitFor({ state: 'detached' });

step('values');
const chip = (name) => page.locator('.chip', { hasText: name });
await chip('Elbow').click();
await page.locator('.chart', { hasText: 'Elbow' }).waitFor();
assert.equal(await page.locator('.chart').count(), 3);
await chip('Hip').click();
assert.equal(await page.locator('.chart').count(), 2);
assert.match(await hash(), /show=knee,elbow/);
await click('Left');
assert.equal(await page.locator('.tbl--v tbody tr').count(), 2);
assert.match(await hash(), /side=left/);
await click('Both');
const chart = await page.locator('.chart__p').first().boundingBox();
const cursor = () => page.$eval('.cursor', (c) => c.style.left);
const was = await cursor();
await page.mouse.move(chart.x + chart.width / 4, chart.y + chart.height / 2);
await page.locator('.cursor--hover output', { hasText: 'Left' }).waitFor();
await page.mouse.down();
await page.mouse.up();
assert.ok(Math.abs(await frame() - 31) <= 2, `a quarter is frame ${await frame()}`);
assert.notEqual(await cursor(), was);
assert.match(await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext'), /^1\.\d\d seconds.*Left \d+°, Right \d+°/);
const ends = () => page.$$eval('.axis span', (all) => all.map((e) => e.textContent).join());
const axis = await ends();
await page.mouse.wheel(0, -300);
await page.waitForFunction((old) => [...document.querySelectorAll('.axis span')].map((e) => e.textContent).join() !== old, axis);
await page.mouse.dblclick(chart.x + chart.width / 4, chart.y + chart.height / 2);
assert.equal(await ends(), axis);
const csv = await downloaded('CSV');
assert.equal(csv.name, 'Sample_ three squats.csv');
const lines = csv.bytes.toString().trim().split(/\r?\n/);
assert.equal(lines.length, 121, csv.bytes.toString().slice(0, 400));
assert.match(lines[0], /^frame,time \[s\],.*knee/);

step('repetitions');
assert.equal(await page.locator('.rep').count(), 3);
assert.equal(await page.locator('.tbl--r tbody tr:not(.sub)').count(), 3);
await page.locator('.rep').nth(1).click();
const lowest = await frame();
const turn = parseInt(await degrees('Left knee', 0), 10);
assert.ok(deepest - turn < 15, `the lowest point has ${turn}°, the deepest ${deepest}°`);
await page.locator('.rep').nth(1).click();
assert.match(await page.locator('.transport').innerText(), /Loop 2/);
await sound('repetitions');
await shot('repetitions');
await page.keyboard.press('r');
await page.locator('.tbl--r .jump').nth(2).click();
assert.ok(await frame() > lowest);
await page.locator('.rep').nth(1).click();

step('reload, back, and another browser');
await chip('Hip').click();
await chip('Elbow').click();
await page.waitForFunction(() => /t=\d/.test(location.hash));
const address = page.url(), first = Number(address.match(/recordings\/(\d+)/)[1]);
await page.reload();
await opened('Sample: three squats');
assert.equal(await frame(), lowest);
await ready();
await shot('player');
await page.locator('.bar').getByRole('link', { name: 'Compare' }).click();
await page.getByRole('heading', { name: 'Compare two recordings' }).waitFor();
await sound('nothing to compare with yet');
await page.goBack();
await opened('Sample: three squats');
assert.equal(await frame(), lowest);
const here = page;
await visit(address);
await opened('Sample: three squats');
assert.equal(await frame(), lowest);
await ready();
assert.match(await page.$eval('.stage video', (v) => v.src), /^http/);
await page.context().close();
page = here;

step('a scale');
await page.keyboard.press('s');
await click('Body height');
await page.getByLabel('Body height in metres').fill('1.66');
await sound('scale');
await click('Apply');
await page.waitForFunction((id) => !location.hash.startsWith(`#/recordings/${id}?`) && /recordings\/\d+\?show/.test(location.hash), first);
await opened('Sample: three squats');
const second = Number((await hash()).match(/recordings\/(\d+)/)[1]);
await page.keyboard.press('l');
for (const y of [0.2, 0.6]) await page.mouse.click(...at(0.3, y));
assert.match(await page.locator('.measured').textContent(), /^\d\.\d\d m$/);
await page.keyboard.press('v');

step('a correction');
await page.locator('.rep').nth(1).click();
const bent = await degrees('Left knee', 0);
await page.keyboard.press('p');
await page.locator('.fix .grip').first().waitFor();
const knee = await page.$$eval('.skel circle.joint', (all) => { const b = all[8].getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; });
await page.mouse.move(...knee);
await page.mouse.down();
await page.mouse.move(knee[0] - 30, knee[1] + 60, { steps: 4 });
await page.locator('.loupe').waitFor();
await page.mouse.up();
assert.equal(await page.getByLabel('Point', { exact: true }).evaluate((s) => s.selectedOptions[0].textContent), 'Left knee');
await page.getByText(/^Moved by \d+ px/).waitFor();
await sound('correction');
await shot('correct');
await click('Keep');
await page.getByText('1 in this recording').waitFor();
await page.locator('.mark--corrected').first().waitFor({ state: 'attached' });
await click('Done');
await page.waitForFunction((old) => { const now = [...document.querySelectorAll('.tbl--v tr')].find((r) => r.textContent.startsWith('Left knee'))?.querySelector('td')?.textContent; return now && /\d/.test(now) && now !== old; }, bent);
const other = await degrees('Left knee', 0);
await page.keyboard.press('p');
await click('Undo');
await page.getByText('0 in this recording').waitFor();
await page.getByLabel('Point', { exact: true }).selectOption('Left knee');
await page.getByRole('button', { name: 'Not visible' }).focus();
for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowLeft');
await page.keyboard.press('Enter');
await page.getByText('1 in this recording').waitFor();
await page.keyboard.press('Control+z');
await page.getByText('0 in this recording').waitFor();
await page.keyboard.press('Escape');
await page.waitForFunction((old) => [...document.querySelectorAll('.tbl--v tr')].find((r) => r.textContent.startsWith('Left knee'))?.querySelector('td')?.textContent === old, bent);
assert.notEqual(other, bent);
await page.keyboard.press('p'); // and one that stays, for the comparison
await page.mouse.move(...knee);
await page.mouse.down();
await page.mouse.move(knee[0] - 30, knee[1] + 60, { steps: 4 });
await page.mouse.up();
await click('Keep');
await page.getByText('1 in this recording').waitFor();
await click('Done');

step('a report and a drawing');
const report = await downloaded('Report');
assert.equal(report.name, 'Sample_ three squats.html');
assert.match(report.bytes.toString(), /<html lang="en"[\s\S]*Left knee/);
await click('More');
await page.getByRole('heading', { name: 'Drawing' }).waitFor();
await sound('more');
await page.getByLabel('Blur faces').check();
await page.keyboard.press('Home');
await click('Start here (I)');
await page.keyboard.press('Shift+ArrowRight');
await click('End here (O)');
await click('Draw');
await page.waitForFunction(() => document.querySelector('.drawn video')?.readyState >= 1);
const [drawing] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save the drawing' }).click()]);
assert.equal(fs.readFileSync(await drawing.path()).subarray(4, 8).toString(), 'ftyp');

step('rules of one\'s own, and wrong ones');
const values = page.locator('.card', { has: page.getByRole('heading', { name: 'Other values' }) });
await values.getByLabel('Type of value').selectOption('Position');
await values.getByLabel('Statistic').selectOption('Range');
await click('Compute');
await values.getByRole('cell', { name: /^Range \d/ }).waitFor();
assert.match((await downloaded('JSON')).bytes.toString(), /"analysisType": "coordinate"/);
await values.getByLabel('Edit the rules as JSON').check();
const json = values.getByRole('textbox', { name: 'Rules as JSON' });
await json.fill('[{');
await click('Compute');
await values.getByText('The rules are not valid JSON.').waitFor();
expected = /status of 400/;
await json.fill('[{"analysisType":"vectorAngle","points":["leftHip","leftToe"]}]');
await click('Compute');
await values.getByText('/rule/0/points').first().waitFor();
assert.equal(await page.getByText('The rules are not valid JSON.').count(), 0);
assert.equal(await page.getByRole('alert').filter({ hasText: /\S/ }).count(), 1, 'one message for one error');
await sound('wrong rules');
expected = null;
const table = (await downloaded('TRC')).bytes.toString();
assert.match(table, /^PathFileType\t4/);
await click('Done');

step('a name');
await click('Rename');
await page.getByRole('textbox', { name: 'Name' }).fill('Not this');
await page.keyboard.press('Escape');
await page.getByRole('heading', { name: 'Sample: three squats' }).waitFor();
await click('Rename');
await page.getByRole('textbox', { name: 'Name' }).fill('Squats, week 6');
await page.keyboard.press('Enter');
await row('Squats, week 6').waitFor();
assert.match(await page.title(), /^Squats, week 6 · /);

step('several files at once, by the file chooser');
await choose('Add a recording', [movie, image, missing]);
await opened('moving');
await row('sample').locator('.sign').waitFor();
await row('missing').locator('.sign').waitFor();
await page.getByRole('searchbox').fill('squat');
assert.equal(await page.locator('.list li').count(), 1);
await page.getByRole('searchbox').fill('nobody');
await page.getByText('Nothing is called so.').waitFor();
await page.getByRole('searchbox').fill('');

step('a movie with warnings');
await row('missing').getByRole('link').click();
await opened('missing');
const verdict = page.locator('.verdict');
await verdict.getByText('The person was lost.').waitFor();
assert.match(await verdict.innerText(), /The person was lost\. 1\.00–1\.29 s/);
await verdict.getByRole('button', { name: '1.00–1.29 s' }).first().click();
assert.equal(await frame(), 25);
assert.equal(await page.locator('.tbl--v td.b').first().textContent(), '–');
assert.ok(await page.locator('.mark--warn').count() > 0 && await page.locator('.mark--filled').count() > 0);
await sound('warnings');
await shot('warning');

step('a picture, and everybody in it');
await row('sample').getByRole('link').click();
await opened('sample');
assert.ok(await page.locator('.transport').isHidden(), 'a picture has nothing to play');
await page.keyboard.press('w');
await page.locator('.box').first().waitFor();
assert.match(await page.locator('.pick').innerText(), /Person 1/);
await page.locator('.box').first().click();
await sound('choosing a person');
await shot('person');
await page.getByLabel('Follow everybody').check();
const alone = await hash();
await click('Measure again');
await page.waitForFunction((old) => location.hash !== old, alone);
await opened('sample');
await page.keyboard.press('w');
await page.getByText(/seen 100 % of the time/).first().waitFor();
await click('Show this person');
await page.waitForFunction(() => /person=\d/.test(location.hash));
await opened('sample');

step('a comparison');
await page.goto(`${url}#/compare/${first}/${second}`);
await page.getByText('Biggest difference').waitFor();
await page.locator('.chart').waitFor();
assert.match(await page.locator('.big').innerText(), /\d+°[\s\S]*Left [\s\S]*2\.00 s/);
assert.match(await page.locator('.seg button[aria-pressed=true]').allTextContents().then((all) => all.join()), /By movement/);
await page.locator('.diff button').first().click();
assert.equal(await frame(), lowest);
const where = () => page.$$eval('.stage video', (all) => all.map((v) => v.currentTime.toFixed(2)));
await page.waitForFunction(() => { const all = [...document.querySelectorAll('.stage video')]; return all.length === 2 && all.every((v) => v.readyState >= 2 && !v.seeking); });
assert.equal(new Set(await where()).size, 1, 'the same repetition stands in the same place');
await sound('comparison');
await shot('compare');
await click('By hand');
await page.getByRole('slider', { name: 'Move B' }).press('ArrowRight');
await page.waitForFunction(() => { const [a, b] = [...document.querySelectorAll('.stage video')]; return b.currentTime > a.currentTime + 0.02; });
await click('Over each other');
await sound('over each other');
await shot('compare-over');
const [side] = await Promise.all([page.waitForEvent('download'), click('Movie')]);
assert.equal(fs.readFileSync(await side.path()).subarray(4, 8).toString(), 'ftyp');
assert.match((await downloaded('Report')).bytes.toString(), /<html lang="en"/);
await page.locator('.bar').getByRole('link', { name: 'Compare' }).click();
await page.getByLabel('A', { exact: true }).selectOption({ index: 0 });
await click('Compare');
await page.waitForFunction(() => /compare\/\d+\/\d+/.test(location.hash));
await page.getByText(/Biggest difference|no angle in common/).waitFor();
await page.getByRole('listitem').getByRole('link').first().waitFor(); // among past comparisons

step('what goes wrong with files');
const send = (name, mimeType, text) => page.locator('#files').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
const shown = (text) => page.getByText(text).filter({ visible: true });
const one = async (text) => {
  await shown(text).first().waitFor();
  assert.equal(await shown(text).count(), 1, `${text} is told once`);
};
await send('words.txt', 'text/plain', 'not a picture');
await one('This kind of file is not supported.');
await sound('a failed upload');
await click('Dismiss words.txt');
assert.equal(await shown('This kind of file is not supported.').count(), 0);
await send('empty.mp4', 'video/mp4', '');
await one('The file is empty.');
await click('Dismiss empty.mp4');
await send('broken.jpg', 'image/jpeg', 'this is no JPEG');
await one('The image format is not supported.');
release = await held(/\/files\//, 'PUT');
await send('long.jpg', 'image/jpeg', 'an upload that hangs');
await page.locator('.wait', { hasText: 'Uploading' }).waitFor();
await click('Cancel long.jpg');
await row('long.jpg').waitFor({ state: 'detached' });
await release();
expected = /ERR_FAILED|status of 413/;
await page.route(/\/files\//, (r) => r.abort());
await send('lost.jpg', 'image/jpeg', 'an upload that breaks off');
await one('The server cannot be reached or has closed the connection.');
await page.unroute(/\/files\//);
await fails(/\/files\//, 'PUT', 413, 'The request is larger than allowed.');
await send('huge.jpg', 'image/jpeg', 'an upload that is too large');
await one('The request is larger than allowed.');
await page.unroute(/\/files\//);
await click('Dismiss lost.jpg');
await click('Dismiss huge.jpg');

step('a token that is no longer good');
expected = /status of 401/;
await page.route(/keypoints\/\d+\/\?include/, (r) => r.fulfill({ status: 401, body: '' }), { times: 1 });
await row('moving').getByRole('link').click();
await opened('moving');

step('a server that does not answer');
expected = /ERR_FAILED/;
await page.route(/analyses\//, (r) => r.abort());
await chip('Elbow').click();
await one('The server cannot be reached or has closed the connection.');
await page.unroute(/analyses\//);
expected = null;
await chip('Elbow').click();
await chip('Elbow').click();
await shown('The server cannot be reached').waitFor({ state: 'hidden' }); // what is mended is no longer told

step('a recording that is gone');
expected = /status of 404/;
await page.goto(`${url}#/recordings/999999`);
await page.getByRole('heading', { name: 'This recording is not here.' }).waitFor();
expected = null;
await sound('gone');

step('a recording is deleted');
const menu = async (name, item) => {
  await row(name).hover();
  await row(name).getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
await row('moving').getByRole('link').click();
await opened('moving');
await row('moving').getByRole('button', { name: 'Actions for moving' }).focus();
await page.keyboard.press('Enter');
await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
await sound('the menu');
await page.keyboard.press('Escape');
await menu('moving', 'Delete');
const dialog = page.getByRole('dialog');
await dialog.getByText('Delete moving?').waitFor();
assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Keep it');
await sound('the question');
await shot('delete');
await page.keyboard.press('Escape');
await dialog.waitFor({ state: 'detached' });
assert.equal(await row('moving').count(), 1);
await menu('moving', 'Delete');
expected = /status of 503/;
await fails(/movies\/\d+\/$/, 'DELETE', 503, 'The service is overloaded or unavailable; try again later.');
await dialog.getByRole('button', { name: 'Delete' }).click();
await one('The service is overloaded or unavailable; try again later.');
await page.unroute(/movies\/\d+\/$/);
expected = null;
await menu('moving', 'Delete');
await dialog.getByRole('button', { name: 'Delete' }).click();
await page.getByText('moving is deleted.').waitFor();
await row('moving').waitFor({ state: 'detached' });
assert.equal(await hash(), '#/');
assert.equal(await shown('overloaded').count(), 0);
await menu('sample', 'Rename');
await page.getByRole('textbox', { name: 'Name' }).fill('Standing');
await page.keyboard.press('Enter');
await row('Standing').waitFor();
await sound('the list');

step('Japanese');
await page.goto(`${url}#/recordings/${second}`);
await opened('Squats, week 6');
await click('日本語');
await page.getByRole('heading', { name: '角度' }).or(page.getByRole('button', { name: 'レポート' })).first().waitFor();
await measured();
assert.equal(await page.getAttribute('html', 'lang'), 'ja');
// foreign returns the words in Latin letters that are no names, units or formats.
const foreign = () => page.evaluate(() => {
  const names = /Squats, week 6|Standing|moving|missing|broken|Motion|CSV|JSON Lines|JSON|TRC|COCO|HTML|MP4|MOV|WebM|JPEG|PNG|BMP|TIFF|GIF|AVI|MKV|M4V|Space|Shift|Home|End|Esc|EN\b/g;
  return [...document.querySelectorAll('body *')].filter((e) => e.checkVisibility() && !e.closest('select, [lang=en], svg'))
    .flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent).concat(e.getAttribute('aria-label') ?? '', e.title ?? '', e.placeholder ?? ''))
    .map((words) => words.replace(names, '')).filter((words) => /[A-Za-z]{3}/.test(words));
});
assert.deepEqual(await foreign(), []);
await sound('Japanese');
await shot('player-ja');
for (const key of ['p', 'w', 's']) {
  await page.keyboard.press(key);
  assert.deepEqual(await foreign(), [], `tool ${key}`);
}
await page.keyboard.press('Escape');
await page.locator('.chip--more').click();
assert.deepEqual(await foreign(), [], 'more');
await page.keyboard.press('?');
await page.locator('dialog').waitFor();
assert.deepEqual(await foreign(), [], 'keys');
await sound('keys, Japanese');
await page.keyboard.press('Escape');
await page.context().close();

step('the keyboard alone');
await visit(url);
await row('missing').waitFor();
const tabTo = async (what) => {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((s) => document.activeElement.matches(s), what)) return;
  }
  assert.fail(`${what} is not reached`);
};
await page.keyboard.press('Tab');
assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
await tabTo('[data-key] a');
await page.keyboard.press('Enter');
await page.locator('.rec[aria-current]').waitFor();
await page.goto(`${url}#/recordings/${second}`);
await opened('Squats, week 6');
await tabTo('.tool');
await page.keyboard.press('ArrowDown');
assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Measure an angle');
await tabTo('.btn--play');
await page.keyboard.press('Space');
await page.waitForFunction(() => Number(document.querySelector('.clock--f').textContent.match(/\d+/)[0]) > 4);
await page.keyboard.press('Space');
await tabTo('[role=slider]');
await page.keyboard.press('End');
assert.equal(await frame(), 120);
await tabTo('.rep');
await page.keyboard.press('Enter');
assert.ok(await frame() < 60);
await tabTo('[data-angle=elbow]');
await page.keyboard.press('Space');
await page.locator('.chart', { hasText: 'Elbow' }).waitFor();
assert.equal(await page.evaluate(() => document.activeElement.dataset.angle), 'elbow');
await page.context().close();

step('a host that does not give media out');
await visit(url);
expected = /status of 400/;
await fails(/include=media/, 'GET', 400, 'no media');
await page.goto(address);
await page.getByText('The service does not give the movie out, so only the skeleton is shown.').waitFor();
await measured();
await click('Play');
await page.waitForFunction((old) => Number(document.querySelector('.clock--f').textContent.match(/\d+/)[0]) > old, lowest);
expected = null;
await page.context().close();

for (const [colorScheme, locale] of [['light', 'en-GB'], ['dark', 'ja-JP']]) {
  step(`a phone, ${colorScheme}`);
  await visit(url, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, locale, colorScheme });
  await page.locator('#menu').tap();
  await row('Squats, week 6').waitFor();
  await sound(`list, phone, ${colorScheme}`);
  await shot(`phone-list-${colorScheme}`);
  await row('Squats, week 6').getByRole('link').tap();
  await opened('Squats, week 6');
  await ready();
  await page.locator('.rep').nth(1).tap();
  assert.equal(await frame(), lowest);
  const small = await page.$$eval('button, select, a.btn, .chip', (all) => all.filter((e) => e.checkVisibility()).map((e) => [e, e.getBoundingClientRect()])
    .filter(([e, b]) => b.width > 0 && (b.height < 24 || b.width < 24) && !e.closest('table, .verdict')).map(([e, b]) => `${b.width} × ${b.height}: ${e.outerHTML.slice(0, 90)}`));
  assert.deepEqual(small, [], 'too small to touch');
  await sound(`player, phone, ${colorScheme}`);
  await shot(`phone-${colorScheme}`);
  await shot(`phone-whole-${colorScheme}`, true);
  await page.goto(`${url}#/compare/${first}/${second}`);
  await page.locator('.big__n').waitFor();
  await page.locator('.chart').waitFor();
  await sound(`comparison, phone, ${colorScheme}`);
  await shot(`phone-compare-${colorScheme}`);
  await page.context().close();
}

step('dark');
await visit(address, { colorScheme: 'dark' });
await opened('Squats, week 6');
await ready();
await sound('player, dark');
await shot('player-dark');
await page.keyboard.press('p');
await sound('correction, dark');
await page.goto(`${url}#/compare/${first}/${second}`);
await page.locator('.big__n').waitFor();
await page.locator('.chart').waitFor();
await sound('comparison, dark');
await page.emulateMedia({ media: 'print' });
await page.pdf({ path: path.join(folder, 'print.pdf'), format: 'A4' });
await page.context().close();

step('signing in');
await visit(loginURL, { colorScheme: 'dark' });
await page.getByLabel('Client id').fill('someone');
await page.getByLabel('Client secret').fill('wrong');
expected = /status of 401/;
await page.keyboard.press('Enter');
await page.getByText('The client id or secret is wrong.').waitFor();
expected = null;
await sound('sign in');
await shot('login');
await page.getByLabel('Client secret').fill('very-secret');
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'Film a movement. See every angle.' }).waitFor();
await page.reload();
await page.getByRole('button', { name: 'Sign out' }).waitFor();
await choose('Choose movies', image);
await opened('sample');
await page.getByRole('button', { name: 'Sign out' }).click();
await page.getByLabel('Client id').waitFor();

await browser.close();
assert.deepEqual({ problems, findings }, { problems: [], findings: [] });
console.log('viewer: ok');
