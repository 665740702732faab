// The page in another language, by keyboard, on a phone, in the dark and on paper.
//
// usage: node looks.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import path from 'node:path';
import {
  args,
  click,
  corrected,
  expect,
  fails,
  finish,
  folder,
  frame,
  held,
  launch,
  measured,
  opened,
  page,
  ready,
  rename,
  row,
  sample,
  shot,
  soon,
  sound,
  step,
  stood,
  translated,
  visit,
} from './page.mjs';

const [url] = args;
await launch();
step('the sample, and once more with a correction');
const first = await sample(url);
await page.locator('.rep').nth(1).click();
const lowest = await stood();
const address = page.url();
const second = await corrected(first, lowest - 1);
await rename('Squats, week 6');

step('Japanese');
await page.goto(`${url}#/recordings/${second}`);
await opened('Squats, week 6');
await click('日本語');
await page
  .getByRole('heading', { name: '角度' })
  .or(page.getByRole('button', { name: 'レポート' }))
  .first()
  .waitFor();
await measured();
await soon(() => page.getAttribute('html', 'lang'), 'ja');
const names = /Squats, week 6/;
await translated(page.locator('.tbl--v td.b'), names);
await sound('Japanese');
await shot('player-ja');
const panel = (title) => page.locator('.side').getByRole('heading', { name: title });
for (const [key, title] of [
  ['p', '点を直す'],
  ['w', '誰を測りますか？'],
  ['s', '縮尺'],
]) {
  await page.keyboard.press(key);
  await translated(panel(title), names, `tool ${key}`);
}
await page.keyboard.press('Escape');
await page.locator('.chip--more').click();
await translated(panel('ほかの値'), names, 'more');
await page.keyboard.press('?');
await page.locator('dialog').waitFor();
await translated(page.locator('dialog'), names, 'keys');
await sound('keys, Japanese');
await page.keyboard.press('Escape');
await page.context().close();

step('the keyboard alone');
await visit(url);
await row('Squats, week 6').waitFor();
const tabTo = async (what) => {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((s) => document.activeElement.matches(s), what)) return;
  }
  assert.fail(`${what} is not reached`);
};
await page.keyboard.press('Tab');
await soon(() => page.evaluate(() => document.activeElement.textContent), 'Skip to the content');
await tabTo('[data-key] a');
await page.keyboard.press('Enter');
await page.locator('.rec[aria-current]').waitFor();
await page.goto(`${url}#/recordings/${first}`);
await opened('Squats, week 6');
const inRow = (what, is = true) =>
  soon(() => page.evaluate((s) => document.activeElement.matches(s), what), is, `the focus in a row: ${what}`);
await page.locator('[data-key] a').first().press('Tab');
await inRow('[data-key] *', false); // a row is one stop
await page.locator('[data-key] a').first().press('ArrowRight');
await inRow('[data-key] .rec__k');
await page.keyboard.press('Enter');
await page.getByRole('menuitem', { name: 'Compare' }).waitFor();
await page.keyboard.press('Escape');
await page.keyboard.press('ArrowLeft');
await inRow('[data-key] a');
const shown = page.url();
await page.locator('.skip').press('Enter');
await soon(() => page.evaluate(() => document.activeElement.id), 'main');
assert.equal(page.url(), shown, 'skipping to the content opens nothing');
const release = await held(/setup\.js/, 'GET');
await page.locator('.tool').first().waitFor(); // the keys of the tools come with them
const asked = page.waitForRequest(/setup\.js/);
await page.keyboard.press('s');
await asked;
await page.keyboard.press('Escape'); // before the tool has come
const [came] = await Promise.all([page.waitForResponse(/setup\.js/), release()]);
await came.finished();
await page.evaluate((address) => import(address), came.url());
await soon(() => page.locator('.chip--more').count(), 1, 'a tool that was put away does not appear');
await tabTo('.tool');
await page.keyboard.press('ArrowDown');
await soon(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Draw');
await tabTo('.btn--play');
await page.keyboard.press('Space');
await page.waitForFunction(() => Number(document.querySelector('.clock--f').textContent.match(/\d+/)[0]) > 4);
await page.keyboard.press('Space');
await tabTo('[role=slider]');
await page.keyboard.press('End');
await soon(frame, 120);
await tabTo('.rep');
await page.keyboard.press('Enter');
await soon(frame, (now) => now < 60);
await tabTo('[data-angle=elbow]');
await page.keyboard.press('Space');
await page.locator('.chart', { hasText: 'Elbow' }).waitFor();
await soon(() => page.evaluate(() => document.activeElement.dataset.angle), 'elbow');
await page.context().close();

step('a host that does not give media out');
await visit(url);
expect(/status of 400/);
await fails(/include=media/, 'GET', 400, 'no media');
await page.goto(address);
await page.getByText('The service does not give the movie out, so only the skeleton is shown.').waitFor();
await measured();
await click('Play');
await page.waitForFunction((old) => Number(document.querySelector('.clock--f').textContent.match(/\d+/)[0]) > old, lowest);
expect(null);
await page.context().close();

for (const [colorScheme, locale] of [
  ['light', 'en-GB'],
  ['dark', 'ja-JP'],
]) {
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
  await soon(frame, lowest);
  const small = await page.$$eval('button, select, a.btn, .chip', (all) =>
    all
      .filter((e) => e.checkVisibility())
      .map((e) => [e, e.getBoundingClientRect()])
      .filter(([e, b]) => b.width > 0 && (b.height < 24 || b.width < 24) && !e.closest('table, .verdict'))
      .map(([e, b]) => `${b.width} × ${b.height}: ${e.outerHTML.slice(0, 90)}`),
  );
  assert.deepEqual(small, [], 'too small to touch');
  const out = await page.evaluate(() => {
    const within = (e, b) => e.left >= b.left - 1 && e.right <= b.right + 1;
    const words = [...document.querySelectorAll('.bar__nav a')]
      .filter((a) => a.checkVisibility())
      .map((a) => {
        const range = document.createRange();
        range.selectNodeContents(a);
        return [a.textContent, range.getBoundingClientRect()];
      });
    const near = words.filter(([, b], i) => !within(b, { left: 0, right: innerWidth }) || (i && b.left < words[i - 1][1].right + 4));
    const cards = [...document.querySelectorAll('.card')].flatMap((card) =>
      [...card.querySelectorAll('table, label, button, p')].filter(
        (e) => e.checkVisibility() && !e.closest('.chips, .menu') && !within(e.getBoundingClientRect(), card.getBoundingClientRect()),
      ),
    );
    return [...near.map(([word]) => word), ...cards.map((e) => e.outerHTML.slice(0, 90))];
  });
  assert.deepEqual(out, [], 'on each other, or out of their cards');
  await sound(`player, phone, ${colorScheme}`);
  await shot(`phone-${colorScheme}`);
  await shot(`phone-whole-${colorScheme}`, true);
  const mean = { mean: 1.07, uncertainty: 0.1, count: 3, standardDeviation: 0.01 };
  const of = { both: { ...mean, count: 6 }, left: mean, right: mean };
  await page.route(/analyses\/\d+\/?$/, async (r) => {
    const response = await r.fetch(),
      json = await response.json();
    if (json.overview) json.overview.gait = { mode: 'walking', cadence: 112, strideTime: of, stepTime: of, stanceShare: of, cycles: [] };
    await r.fulfill({ response, json });
  });
  await page.reload();
  const gait = page.locator('.card', { has: page.locator('#gait-title') });
  await gait.waitFor();
  await soon(() => gait.locator('td').evaluateAll((all) => all.filter((e) => !e.checkVisibility()).length), 0, 'all of a gait is told');
  await page.unroute(/analyses\/\d+\/?$/);
  await page.goto(`${url}#/compare/${first}/${second}`);
  await page.locator('.big').waitFor();
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
await page.setViewportSize({ width: 1280, height: 720 });
await page.keyboard.press('End');
await click('Full screen');
const parts = () =>
  page.$$eval(':fullscreen > *', (all) => all.map((e) => e.getBoundingClientRect()).every((b) => b.left >= 0 && b.right <= innerWidth));
await page.waitForFunction(() => document.querySelector(':fullscreen'));
await soon(parts, true, 'nothing is cut off in full screen');
await page.evaluate(() => document.exitFullscreen());
await page.setViewportSize({ width: 1400, height: 900 });
await page.keyboard.press('p');
await sound('correction, dark');
await page.goto(`${url}#/compare/${first}/${second}`);
await page.locator('.big').waitFor();
await page.locator('.chart').waitFor();
await sound('comparison, dark');
await page.emulateMedia({ media: 'print' });
await page.pdf({ path: path.join(folder, 'print.pdf'), format: 'A4' });
await page.context().close();

await finish();
