// A link to a report: it is made, read by somebody without an account, and withdrawn.
//
// usage: node share.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import { args, click, expect, finish, launch, page, sample, shot, soon, sound, step, translated, use, visit } from './page.mjs';

const [url] = args;
await launch();
step('the sample');
await sample(url);
await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
const panel = page.getByRole('dialog', { name: 'Link', exact: true }),
  open = panel.locator('.links li'),
  copied = () => page.evaluate(() => navigator.clipboard.readText());

step('a link is made by the keyboard');
await page.getByRole('button', { name: 'Link', exact: true }).focus();
await page.keyboard.press('Enter');
await panel.getByText('No account is needed').waitFor();
await panel.getByText('opens on this computer only').waitFor();
assert.equal(await open.count(), 0);
await soon(() => page.evaluate(() => document.activeElement?.parentElement?.textContent), 'Name', 'the focus');
const shown = panel.frameLocator('iframe');
await shown.locator('h1', { hasText: 'Sample: three squats' }).waitFor();
await shown.locator('svg image').first().waitFor();
await panel.getByText('What opens, without the name').waitFor();
assert.equal(await shown.locator('video').count(), 0, 'no movie unless it is asked for');
await shot('links-before');
await panel.getByRole('button', { name: '7 days' }).press('Enter');
await soon(() => panel.getByRole('button', { name: '7 days' }).getAttribute('aria-pressed'), 'true');
await panel.getByRole('button', { name: 'Copy a new link' }).press('Enter');
await panel.getByText('The link is copied.').waitFor();
await soon(() => open.count(), 1, 'it is listed');
const plain = await copied();
assert.match(plain, /\/files\/reports\/\d+\.[A-Z2-7]{26}\?client=/);
await panel.getByRole('checkbox', { name: 'Name' }).check();
await panel.getByText('What opens, with the name').waitFor();
await click('90 days');
await click('Copy a new link');
await soon(() => open.count(), 2, 'both are listed');
assert.match((await open.first().textContent()) ?? '', /with the name/, 'the last one is above');
const named = await copied();
assert.notEqual(named, plain);
await open.last().getByRole('button', { name: 'Copy' }).click();
await soon(copied, plain, 'the first is copied again');
await sound('links');
await shot('links');
const owner = page;

step('somebody without an account reads the report');
await visit(plain, { policy: /default-src 'none'; img-src data:; media-src 'self'; style-src/ });
await page.locator('h1', { hasText: 'Sample: three squats' }).waitFor();
assert.equal(await page.locator('video, script, a[href]').count(), 0, 'there is nothing but the report');
const drawn = await page
  .locator('svg image')
  .evaluateAll((all) => Promise.all(all.map((e) => Object.assign(new Image(), { src: e.getAttribute('href') }).decode())));
assert.ok(drawn.length > 0, 'the pictures are shown');
assert.equal(await page.locator('main').evaluate((e) => getComputedStyle(e).display === 'inline'), false, 'its style is used');
await shot('links-report');
const reader = page;

step('the link is withdrawn');
use(owner);
await open.last().getByRole('button', { name: 'Withdraw' }).click();
await panel.getByText('The link is withdrawn').waitFor();
await soon(() => open.count(), 1);
use(reader);
expect(/status of 4(04|10)/);
for (const address of [plain, named.replace('signature=', 'signature=A')]) {
  await page.goto(address);
  await page.getByText('This report is not open any more.').waitFor();
  assert.doesNotMatch((await page.locator('html').textContent()) ?? '', /squat/i, 'it says nothing of the recording');
  await sound('a link that is not open');
}
await shot('links-closed');
await page.emulateMedia({ colorScheme: 'dark' });
await shot('links-closed-dark');
expect(null);
await page.goto(named);
await page.locator('h1', { hasText: 'Sample: three squats' }).waitFor();

step('with the movie');
use(owner);
await panel.getByRole('checkbox', { name: 'Movie' }).check();
await shown.locator('video').waitFor();
await click('Copy a new link');
await open.getByText('with the movie').waitFor({ timeout: 60_000 });
await shot('links-movie');
await visit(await copied(), { policy: /media-src 'self'/ });
await soon(
  () => page.locator('video').evaluate((/** @type {HTMLVideoElement} */ v) => v.readyState >= 1 && v.duration > 1),
  true,
  'the movie is shown',
);
await sound('a report with a movie');
await shot('links-report-movie');
await page.setViewportSize({ width: 390, height: 844 });
await shot('links-report-movie-phone');
const movie = page;
use(owner);
await open.filter({ hasText: 'with the movie' }).getByRole('button', { name: 'Withdraw' }).click();
await soon(() => open.count(), 1);
use(movie);
expect(/status of 4(04|10)/);
await page.reload();
await page.getByText('This report is not open any more.').waitFor();
expect(null);

step('on a phone, in Japanese, in the dark');
use(owner);
await page.keyboard.press('Escape');
await click('日本語');
await page.setViewportSize({ width: 390, height: 844 });
await page.emulateMedia({ colorScheme: 'dark' });
await click('リンク');
const there = page.getByRole('dialog', { name: 'リンク', exact: true });
await there.getByText('レポートへのリンク').waitFor();
await translated(there, /Sample.*/);
await there.getByRole('button', { name: '新しいリンクをコピー' }).click();
await soon(() => there.locator('.links li').count(), 2);
const box = await there.boundingBox();
assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844, 'it fits the window');
await sound('links on a phone');
await shot('links-phone-ja-dark');
await visit(await copied(), { policy: /default-src 'none'/ });
await soon(() => page.locator('html').getAttribute('lang'), 'ja', 'the report is in the language of the page');

await finish();
