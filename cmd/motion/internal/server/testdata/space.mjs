// One movement that two cameras saw: how to film it, both movies dropped at once, and the person in space between them.
//
// usage: node space.mjs MODULES CHROMIUM FOLDER URL MOVIE MOVIE OFFSET DEGREES
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { args, changed, click, downloaded, finish, hash, launch, page, shot, soon, sound, step, translated, visit } from './page.mjs';

const [url, a, b] = args,
  [offset, degrees] = args.slice(3).map(Number);
await launch();
await visit(url);
step('how to film with two');
await page.getByRole('link', { name: 'Two phones' }).click();
await page.getByRole('heading', { name: 'Two phones, any view.' }).waitFor();
await sound('how to film');
assert.equal(await page.getByRole('button', { name: 'Measure in space' }).isDisabled(), true);
await page.goBack();

step('two movies dropped at once', 300);
const dropped = await page.evaluateHandle(
  (files) => {
    const carried = new DataTransfer();
    for (const [name, text] of files)
      carried.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name, { type: 'video/mp4' }));
    return carried;
  },
  [a, b].map((file, i) => [`squat ${'AB'[i]}.mp4`, fs.readFileSync(file).toString('base64')]),
);
await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
await soon(() => page.locator('.slot--on').count(), 2);
await soon(hash, '#/two');
await sound('both are chosen');
await click('日本語');
await translated(page.locator('.slot--on'), /squat A\.mp4|squat B\.mp4/);
await click('EN');
await soon(() => page.locator('.slot--on').count(), 2, 'what is chosen stays');
await page.getByLabel('Body height, m').fill('1.8');
await click('Measure in space');
await page.getByRole('heading', { name: 'squat A' }).waitFor();
await page.locator('.verdict', { hasText: 'Angles from any view' }).waitFor();
await soon(() => page.locator('.head__m').innerText(), /B was started \d\.\d\d s after A/);
const found = Number((await page.locator('.head__m').innerText()).match(/started (\d\.\d\d) s/)[1]);
assert.ok(Math.abs(found - offset) < 0.1, `B was started ${found} s after A, not ${offset}`);
await page.waitForFunction(
  () => document.querySelectorAll('.sp__v .joint').length > 10 && document.querySelectorAll('.tag.plain').length === 2,
);
await sound('in space');

step('the values at the lowest point');
await page.locator('.rep').first().click();
const knee = (side) =>
  page
    .locator('.sp__t tr', { hasText: 'Knee' })
    .locator('td')
    .nth(side === 'Left' ? 0 : 1)
    .innerText();
for (const side of ['Left', 'Right']) {
  await soon(() => knee(side), /^\d+°\s*± \d+$/);
  const is = parseInt(await knee(side), 10);
  assert.ok(Math.abs(is - degrees) < 12, `the ${side} knee is bent by ${is}° there, not by ${degrees}°`);
}
await page.waitForFunction(() => [...document.querySelectorAll('.sp__m video')].every((v) => v.readyState >= 2 && !v.seeking));
const times = () => page.$$eval('.sp__m video', (all) => all.map((v) => v.currentTime));
await soon(
  async () => {
    const [first, second] = await times();
    return Math.abs(first - second - found) < 0.06;
  },
  true,
  'both movies show the same moment',
);
assert.match(await page.locator('.sp__two').innerText(), /\d\.\d\d m away, \d\.\d\d m high/);
await shot('space', true);

step('all of it at 1440 × 900, by its address');
await page.setViewportSize({ width: 1440, height: 900 });
await page.reload();
await soon(() => knee('Left'), /^\d+°\s*± \d+$/);
const places = await page.evaluate(() =>
  ['.rail', '.sp__m .stage', '.sp__m .stage:nth-child(2)', '.sp__stage', '.side'].map((s) =>
    document.querySelector(s).getBoundingClientRect().toJSON(),
  ),
);
for (const [i, { left }] of places.entries())
  if (i) assert.ok(left >= places[i - 1].right, `${i} does not stand right of what is before it`);
assert.ok(places[4].right < 1430 && places[1].left > places[0].right + 15, 'there is a margin');
const folded = await page.evaluate(() =>
  ['.verdict', '.sp__t', '.charts', '.tbl--r'].filter((s) => document.querySelector(s).getBoundingClientRect().bottom > innerHeight),
);
assert.deepEqual(folded, [], 'below the fold');
await page.locator('.rec[aria-current]', { hasText: 'in space' }).waitFor();
await soon(() => page.locator('.list li').count(), 3, 'both recordings stay beside the joined one');
await sound('at 1440 × 900');
await shot('space-1440');
await page.setViewportSize({ width: 1400, height: 900 });

step('turning');
const view = page.getByRole('slider', { name: 'The person in space; arrow keys turn the view' });
await soon(() => view.getAttribute('aria-valuenow'), '-90');
await click('Front');
await soon(() => view.getAttribute('aria-valuenow'), '0');
await view.press('ArrowRight');
await soon(() => view.getAttribute('aria-valuenow'), '5');
await click('Above');
await soon(() => view.getAttribute('aria-valuetext'), /88 degrees above/);
await view.dblclick();
await soon(() => view.getAttribute('aria-valuenow'), '-90');
await page.getByRole('button', { name: 'Enlarge B' }).click();
await page.locator('.sp__big video').waitFor();
await page.getByRole('button', { name: 'Enlarge B' }).click();
await soon(() => page.locator('.sp__big').count(), 0);
await page.keyboard.press('Home');
await page.locator('.sp__gone').getByText('Not filmed at this time').waitFor();
assert.ok((await downloaded('C3D')).bytes.length > 10_000);

step('in Japanese, dark, on a phone');
await click('日本語');
await page.locator('.verdict', { hasText: 'どの向きの角度も測れます' }).waitFor();
await page.locator('.sp__t td.b').first().waitFor();
await translated(page.locator('.sp__t td.b'), /squat [AB]|C3D|px\b/);
await click('EN');
await page.locator('.verdict', { hasText: 'Angles from any view' }).waitFor();
await click('Dark or light');
await sound('in space, dark');
await page.setViewportSize({ width: 390, height: 844 });
await page.locator('.verdict').waitFor();
await sound('in space, on a phone');
await shot('space-phone', true);
await page.setViewportSize({ width: 1400, height: 900 });

step('refused');
await changed(/keypoints\/\d+\/\?include=timestamps,space/, (record) =>
  Object.assign(record, {
    execStatus: 'FAILURE',
    failureDetail: 'The person moves too little to tell where the phones stand. Let them walk a circle first.',
    cameras: undefined,
    space: undefined,
    positions: undefined,
  }),
);
await page.reload();
await page.locator('.verdict', { hasText: 'The cameras could not be found' }).getByText('walk a circle first').waitFor();
await sound('refused');
await soon(() => page.locator('.list li', { hasText: 'squat A' }).count(), 2, 'a refused one does not take the place of A');
await click('日本語');
await page.locator('.verdict', { hasText: '最初に一周歩いてもらってください' }).waitFor();
await translated(page.locator('.verdict'), /squat [AB]|C3D|px\b/);
await click('EN');
await page.locator('.verdict').getByText('walk a circle first').waitFor();
await page.getByRole('link', { name: 'How to film with two' }).click();
await soon(() => page.locator('.slot--on').count(), 2);

step('one camera with depth');
await page.unroute(/keypoints\/\d+\/\?include=timestamps,space/);
await changed(/analyses\/\d+\/$/, ({ overview }) => {
  if (!overview) return;
  overview.estimates = overview.measures
    .filter((m) => /^(knee|hip)Flexion$/.test(m.analysisType) && m.peak)
    .map((m) => ({ ...m, estimated: true, trust: 'care' }));
  for (const m of overview.measures) if (m.unit === '°') Object.assign(m, { trust: 'withheld', why: ['outOfPlane'], peak: null });
  Object.assign(overview, {
    verdict: 'usable',
    lead: { analysisType: 'hipHeight' },
    summary: { title: { en: 'One camera with depth: estimated' } },
  });
});
await page.goBack();
await page.getByRole('link', { name: 'Open B alone' }).click();
await page.locator('.verdict', { hasText: 'One camera with depth: estimated' }).waitFor();
await soon(() => page.locator('.tbl--v').innerText(), /~ \d+°/);
await page.locator('.ln.est').first().waitFor({ state: 'attached' });
await sound('estimated');
await page.getByRole('link', { name: 'Add a second camera' }).click();
await soon(() => page.locator('.slot--on').count(), 1);

await finish();
