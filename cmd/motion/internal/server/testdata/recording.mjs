// What one does with a recording: a scale, corrections, a report, a drawing, a part, rules and a name.
//
// usage: node recording.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {
  args,
  box,
  click,
  downloaded,
  expect,
  finish,
  hash,
  held,
  launch,
  measured,
  most,
  now,
  opened,
  page,
  rename,
  sample,
  shot,
  soon,
  sound,
  step,
} from './page.mjs';

const [url] = args;
await launch();
step('the sample');
const first = await sample(url);

step('one number and one ± on all of the page, as the API has them');
const overview = await page.evaluate(async (keypointId) => {
  const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
  const ask = async (path, body) =>
    (
      await fetch(`anymotion/v1/analyses/${path}`, {
        method: body ? 'POST' : 'GET',
        body: body && JSON.stringify(body),
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      })
    ).json();
  let made = await ask('', { keypointId, overview: true });
  while (made.execStatus !== 'SUCCESS') {
    await new Promise((done) => setTimeout(done, 100));
    made = await ask(`${made.id}/`);
  }
  return made.overview;
}, first);
const numbers = (text) => text.match(/\d+/g)?.map(Number);
const { lead } = overview,
  of = (m) => m.analysisType === lead.analysisType && m.side === lead.side,
  shown = ({ value, uncertainty }) => [Math.round(value), Math.ceil(uncertainty)]; // as package say rounds
const peak = shown(overview.measures.find(of).peak);
assert.deepEqual([lead.analysisType, lead.side], ['kneeFlexion', 'left']);
await soon(async () => numbers(await page.locator('#h-verdict').textContent()), [overview.repetitions.list.length, ...peak], 'the title');
const right = overview.measures.find((m) => m.analysisType === lead.analysisType && m.side === 'right');
await soon(async () => numbers(await most('Right knee')), shown(right.peak), 'the table, which does not say again what the title says');
await soon(
  async () =>
    (await page.locator('.tbl--r tbody tr').evaluateAll((rows) => rows.map((r) => r.querySelectorAll('td')[2].textContent)))
      .map(numbers)
      .slice(0, 3),
  overview.repetitions.list.map((r) => shown(r.at.find(of))),
  'the repetitions',
);

step('a low window');
await page.setViewportSize({ width: 1280, height: 720 });
await soon(
  () => page.locator('.tbl--r tbody tr').evaluateAll((rows) => rows.map((r) => r.getBoundingClientRect().bottom < innerHeight)),
  [true, true, true, true],
  'the repetitions are seen',
);
const plot = await box(page.locator('.chart__p').first());
await page.mouse.move(plot.x + 0.8 * plot.width, plot.y + 30);
await page.locator('.cursor--hover output').waitFor();
const under = () =>
  page.evaluate(() => {
    const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
      boxOf = (e) => e.getBoundingClientRect();
    const all = (selector) => [...document.querySelectorAll(selector)];
    const below = all('.chart figcaption :is(b, .val)').filter((title) => {
      const t = boxOf(title),
        line = boxOf(document.querySelector('.cursor:not(.cursor--hover)'));
      const top = document.elementFromPoint((t.left + t.right) / 2, (t.top + t.bottom) / 2);
      return (
        covers(t, boxOf(document.querySelector('.cursor--hover output'))) ||
        (covers(t, line) && top && !title.closest('figcaption').contains(top))
      );
    });
    const tools = boxOf(document.querySelector('.tools'));
    return [below.map((e) => e.textContent), all('.skel circle.joint').filter((e) => covers(boxOf(e), tools)).length];
  });
await soon(under, [[], 0], 'no title is under the cursor, nobody under the tools');
await page.setViewportSize({ width: 1400, height: 900 });
const stage = await box(page.locator('.stage'));
const at = (x, y) => [stage.x + x * stage.width, stage.y + y * stage.height];

step('a scale');
await page.keyboard.press('s');
await click('Body height');
await page.getByLabel('Body height in metres').fill('tall');
assert.ok(await page.getByRole('button', { name: 'Apply' }).isDisabled());
await page.getByLabel('Body height in metres').fill('１６６ cm');
await click('Head');
await sound('scale');
const made = page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/keypoints/'));
await click('Apply');
const { cameraPitch, scale } = (await made).postDataJSON();
assert.deepEqual([cameraPitch, scale], [12, { bodyHeight: 1.66 }], 'the height of the camera and of the body are sent');
await page.waitForFunction((id) => !location.hash.startsWith(`#/recordings/${id}?`) && /recordings\/\d+\?show/.test(location.hash), first);
await opened('Sample: three squats');
const newer = (await hash()).match(/recordings\/\d+/)[0];
await page.evaluate((old) => {
  const { navigation } = /** @type {any} */ (globalThis); // it tells of a change at once, before the page hears of it
  const back = () => {
    if (location.hash.startsWith(`#/${old}`)) return;
    navigation.removeEventListener('currententrychange', back);
    location.hash = `#/${old}`;
  };
  location.hash = `#/${old}`;
  navigation.addEventListener('currententrychange', back);
}, `recordings/${first}`);
await page.waitForFunction(
  ([at, was]) => location.hash.startsWith(`#/${at}?`) && location.hash.includes(`was=${was}`),
  [newer, String(first)],
);
await opened('Sample: three squats'); // and not what stands there while it loads
await page.keyboard.press('l');
await page.locator('.measured').waitFor();
for (const y of [0.2, 0.6]) await page.mouse.click(...at(0.3, y));
await soon(() => page.locator('.measured').textContent(), /^\d\.\d\d m$/);
await page.keyboard.press('v');

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
await soon(() => page.getByLabel('Point', { exact: true }).evaluate((s) => s.selectedOptions[0].textContent), 'Left knee');
await page.getByText(/^Moved by \d+ px/).waitFor();
await sound('correction');
await shot('correct');
await click('Keep');
await page.getByText('1 in this recording').waitFor();
await page.locator('.mark--corrected').first().waitFor({ state: 'attached' });
await click('Done');
await soon(
  () => now('Knee', 'left'),
  (moved) => moved !== bent,
);
const other = await now('Knee', 'left');
await page.keyboard.press('p');
await click('Undo');
await page.getByText('0 in this recording').waitFor();
await page.getByLabel('What is exchanged').selectOption('the legs');
await click('Exchange left and right here');
await page.getByText('Left and right exchanged in this frame').waitFor();
await page.getByText('1 in this recording').waitFor(); // the page has the record as it is now
await page.keyboard.press('i');
await page.keyboard.press('Shift+ArrowRight');
await page.keyboard.press('o');
await page.getByRole('button', { name: /^Exchange in frames/ }).click();
await page.getByText('Left and right exchanged in 11 frames').waitFor();
await page.getByText('2 in this recording').waitFor();
await sound('exchanged');
await shot('exchanged');
await page.keyboard.press('Control+z');
await page.getByText('1 in this recording').waitFor();
await page.keyboard.press('Control+z');
await page.getByText('0 in this recording').waitFor();
await page.keyboard.press('o');
await page.keyboard.press('Shift+ArrowLeft');
await page.keyboard.press('i');
await page.getByLabel('Point', { exact: true }).selectOption('Left knee');
await page.getByRole('button', { name: 'Not visible' }).focus();
for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowLeft');
await page.keyboard.press('Enter');
await page.getByText('1 in this recording').waitFor();
await page.keyboard.press('Control+z');
await page.getByText('0 in this recording').waitFor();
await page.keyboard.press('Escape');
await soon(() => now('Knee', 'left'), bent);
assert.notEqual(other, bent);
await page.keyboard.press('p'); // and one that stays, for the comparison
await page.mouse.move(...knee);
await page.mouse.down();
await page.mouse.move(knee[0] - 6, knee[1] + 8, { steps: 4 });
await page.mouse.up();
await click('Keep');
await page.getByText('1 in this recording').waitFor();
await click('Done');

step('a report');
await click('Report');
const sheet = page.frameLocator('.sheet__f');
await sheet
  .getByRole('heading', { name: /left knee/i })
  .first()
  .waitFor();
await page.getByLabel('Examiner').fill('R. Lindqvist');
await page.keyboard.press('Tab');
await sheet.getByText('R. Lindqvist').waitFor();
await click('Edit the notes');
await sheet.getByRole('textbox', { name: 'Note' }).fill('Sits back well. Next: 5 kg.');
await click('Keep the notes');
await sheet.locator('[data-note="0"]').getByText('Sits back well. Next: 5 kg.').waitFor();
assert.deepEqual(
  await page.evaluate(() => {
    const w = document.querySelector('.sheet__f').contentWindow;
    return [
      w.getComputedStyle(w.document.querySelector('h1')).fontSize,
      w.document.querySelector('image').getAttribute('href').slice(0, 5),
    ];
  }),
  ['25px', 'blob:'],
);
await sound('report');
await shot('report');
const report = await downloaded('Save as a file');
await page.locator('.sheet').getByRole('button', { name: 'Close' }).click();
assert.match(report.name, /^Sample_ three squats \d{4}-\d\d-\d\d report\.html$/);
assert.match(report.bytes.toString(), /<html lang="en"[\s\S]*Left knee[\s\S]*Sits back well/);

step('a report that is not there yet');
const come = await held(/format=report/, 'GET');
await click('Report');
for (const name of ['Save as a file', 'Print'])
  await soon(() => page.getByRole('button', { name }).isDisabled(), true, `${name} waits for the report`);
await come();
await soon(() => page.getByRole('button', { name: 'Print' }).isDisabled(), false);
await page.goBack();
await page.locator('.sheet').waitFor({ state: 'detached' });
await page.goForward();
await opened('Sample: three squats');

step('a drawing');
await click('More');
await page.getByRole('heading', { name: 'Other values' }).waitFor();
await sound('more');
await page.keyboard.press('Home');
await click('Movie');
await click('Start here (I)');
await page.keyboard.press('Escape');
await page.keyboard.press('Shift+ArrowRight');
await click('Movie');
await page.getByLabel('Blur faces').check();
await click('End here (O)');
await sound('movie');
await shot('movie');
await click('Make the movie');
await page.waitForFunction(() => document.querySelector('.drawn video')?.readyState >= 1);
const [drawing] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save the drawing' }).click()]);
assert.match(drawing.suggestedFilename(), /^Sample_ three squats \d{4}-\d\d-\d\d movie\.mp4$/);
assert.equal(
  fs
    .readFileSync(await drawing.path())
    .subarray(4, 8)
    .toString(),
  'ftyp',
);

await page.keyboard.press('Escape');

step('a part of the movie');
const only = page.locator('.part');
await click('Done');
await only.getByText('Only 0.0–0.3 s is measured').waitFor();
await click('Measure all');
await page.waitForFunction(() => document.querySelectorAll('.rep').length === 3);
await soon(() => only.isHidden(), true);
const handle = await box(page.getByRole('slider', { name: 'Start of the part' })),
  scrub = await box(page.locator('.scrub'));
await page.mouse.move(handle.x + 4, handle.y + 10);
await page.mouse.down();
await page.mouse.move(scrub.x + scrub.width / 2 - 11, handle.y + 10, { steps: 3 });
await page.mouse.up();
await only.getByText(/^Only (1\.9|2\.0)–4\.0 s is measured$/).waitFor();
await page.waitForFunction(() => {
  const n = document.querySelectorAll('.rep').length;
  return n > 0 && n < 3;
});
await page.getByRole('slider', { name: 'Time', exact: true }).press('Home');
await soon(() => now('Knee', 'left'), '–');
await sound('a part');
await page.keyboard.press('End');
await page.waitForFunction(() => /t=3/.test(location.hash));
await page.reload();
await opened('Sample: three squats');
await only.getByText(/^Only .*–4\.0 s is measured$/).waitFor();
await click('Measure all');
await page.waitForFunction(() => document.querySelectorAll('.rep').length === 3 && !location.hash.includes('from='));
await page.locator('.chip--more').click();

step("rules of one's own, and wrong ones");
const values = page.locator('.card', { has: page.getByRole('heading', { name: 'Other values' }) });
await values.getByLabel('Type of value').selectOption('Coordinate');
await values.getByLabel('Statistic').selectOption('Range');
await click('Compute');
await values.getByRole('cell', { name: /^Range \d/ }).waitFor();
assert.match((await downloaded('JSON')).bytes.toString(), /"analysisType": "coordinate"/);
await values.getByLabel('Edit the rules as JSON').check();
const json = values.getByRole('textbox', { name: 'Rules as JSON' });
await json.fill('[{');
await click('Compute');
await values.getByText('The rules are not valid JSON.').waitFor();
expect(/status of 400/);
await json.fill('[{"analysisType":"vectorAngle","points":["leftHip","leftToe"]}]');
await click('Compute');
await values.getByText('/rule/0/points').first().waitFor();
await soon(() => page.getByText('The rules are not valid JSON.').count(), 0);
await soon(() => page.getByRole('alert').filter({ hasText: /\S/ }).count(), 1, 'one message for one error');
await sound('wrong rules');
expect(null);
const table = (await downloaded('TRC')).bytes.toString();
assert.match(table, /^PathFileType\t4/);
await click('Done');

step('a name');
await click('Rename');
await page.getByRole('textbox', { name: 'Name' }).fill('Not this');
await page.keyboard.press('Escape');
await page.getByRole('heading', { name: 'Sample: three squats' }).waitFor();
await rename('Squats, week 6');
await soon(() => page.title(), /^Squats, week 6 · /);

step('a movie that lies on its side');
await page.evaluate(async () => {
  const { turned } = await import(new URL('viewer/library/mp4.js', location.href).href),
    sample = await (await fetch('viewer/sample.mp4')).blob();
  const files = new DataTransfer();
  files.items.add(await turned(sample, true, 'Lying.mp4'));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
});
await opened('Lying');
await page.getByText('The movie lies on its side.').first().waitFor();
const lying = await hash();
await sound('on its side');
await shot('sideways');
await click('Turn upright');
await page.waitForFunction((old) => /^#\/recordings\//.test(location.hash) && location.hash.split('?')[0] !== old, lying.split('?')[0]);
await opened('Lying');
await page.locator('.rep').nth(2).waitFor();
assert.equal(await page.getByRole('button', { name: 'Turn upright' }).count(), 0, 'it stands');
await shot('upright');

step('how high the camera was, while a movie is on its way');
const release = await held('**/keypoints/', 'POST');
await page.evaluate(async () => {
  const files = new DataTransfer();
  files.items.add(new File([await (await fetch('viewer/sample.mp4')).blob()], 'From above.mp4', { type: 'video/mp4' }));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
});
await page.locator('.heights').waitFor();
await sound('asks');
await click('Above');
await release();
await opened('From above');
await page.keyboard.press('s');
await soon(() => page.locator('.heights [aria-pressed=true]').allTextContents(), ['Above']);

await finish();
