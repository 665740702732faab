// Films an exercise with the viewer page in Chromium, whose camera is a movie: somebody stands too near, then in the picture, does
// lunges and goes.
//
// usage: node film.mjs MODULES CHROMIUM FOLDER URL CAMERA
import assert from 'node:assert/strict';
import { args, click, finish, hash, launch, opened, page, shot, soon, sound, step, translated, use, visit } from './page.mjs';

const [url, camera] = args;
await launch('--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${camera}`);
const hint = (words) => page.locator('.hint', { hasText: words }).waitFor();
const check = (words) => page.locator('.ck:not(.fi__m) li', { hasText: words });

step('nothing is filmed before the phone stands');
await visit(`${url}#/live`, { permissions: ['camera'] });
await page.evaluate(() => {
  globalThis.said = [];
  speechSynthesis.speak = ({ text }) => globalThis.said.push(text);
});
await page.getByRole('link', { name: 'Film an exercise' }).click();
await page.getByRole('heading', { name: 'Film: Squat' }).waitFor();
await soon(hash, '#/film/squat');
await soon(() => page.locator('.fi__s [aria-current]').innerText(), /Place the phone/);
assert.equal(await page.evaluate(() => document.querySelector('.stage video')?.srcObject ?? null), null);
await sound('before the start');
await shot('page-film-place');

step('every exercise has its place');
for (const [name, words] of [
  ['Shoulder raise', 'from the front'],
  ['Push-up', 'from the side'],
  ['Lunge', 'from the side'],
]) {
  await page.locator('.fi__e select').selectOption({ label: name });
  await soon(() => page.locator('.fi__e small').textContent(), words);
  await soon(() => page.locator('.fi__p figcaption span').first().textContent(), words);
  await shot(`page-film-${name.replace(' ', '-')}`);
}
await soon(hash, '#/film/lunge');

step('one hint at a time');
await page.locator('.live__ask').getByRole('button', { name: 'It stands there' }).click();
await hint('Step back');
await page.locator('.hint', { hasText: 'until the feet are in the frame' }).waitFor();
await page.locator('.frm path.out.dash').waitFor({ state: 'attached' });
await check('Feet are out').waitFor();
await sound('too near');
await shot('page-film-back');

step('standing still starts the countdown, and that the recording');
await page.locator('.fi__n', { hasText: 'Stay there' }).waitFor();
await page.locator('.frm--ok').waitFor({ state: 'attached' });
await soon(
  () => page.locator('.ck .yes').count(),
  (n) => n >= 3,
);
await shot('page-film-count');
await hint('Recording');
await soon(() => page.locator('.fi__s [aria-current]').innerText(), /Record/);
await page.locator('.hint', { hasText: '2 s' }).waitFor();
await sound('a recording');
await shot('page-film-records');

step('going out of the picture ends it, and what was filmed opens');
await opened('Lunge, Today');
const said = await page.evaluate(() => globalThis.said);
for (const words of ['Step back', '3', '2', '1', 'Recording']) assert.ok(said.includes(words), `${words} is not said: ${said}`);
assert.ok((await page.locator('.rep').count()) > 0);
await page.context().close();

step('phone');
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, permissions: ['camera'] };
await visit(`${url}#/film/lunge`, phone);
await page.locator('.fi__w').getByRole('heading', { name: 'Where the phone stands' }).waitFor();
await sound('the sheet of a phone');
await shot('page-film-phone-place');
await page.locator('.fi__w').getByRole('button', { name: 'It stands there' }).tap();
await hint('Step back');
await sound('phone');
await shot('page-film-phone-back');
await page.locator('.fi__e select').selectOption({ label: 'Shoulder raise' });
await hint('Face the camera');
await check('From the front').waitFor();
await shot('page-film-phone-front');
await page.locator('.fi__e select').selectOption({ label: 'Lunge' });
await page.locator('.fi__n', { hasText: 'Stay there' }).waitFor();
await shot('page-film-phone-count');
await click('Stop');
await page.locator('.fi__n').waitFor({ state: 'hidden' });
await click('Where the phone stands');
await page.locator('.fi__w').waitFor();
await page.context().close();

step('a second phone', 240);
await visit(`${url}#/film/lunge`, { permissions: ['camera'] });
await click('Film with two');
await soon(() => page.locator('.fi__p figcaption span').first().textContent(), 'from any side');
const code = (await page.locator('.code').textContent()).replace(' ', '');
assert.match(code, /^\d{6}$/);
await sound('a code');
await shot('page-film-two');
const link = await page.getByRole('link', { name: 'Link', exact: true }).getAttribute('href');
const one = page;
await visit(link, { ...phone, locale: 'ja-JP' });
await page.locator('.fi__w', { hasText: `${code.slice(0, 3)} ${code.slice(3)} の 2 台目です。` }).waitFor();
await sound('the second phone');
await shot('page-film-second-ja');
// briefly films on the page in use.
const film = async (stands, starts, ends) => {
  await page.getByRole('button', { name: stands }).filter({ visible: true }).click();
  await page.getByRole('button', { name: starts, exact: true }).click();
  await page.locator('.hint[data-hint=records]').waitFor();
  await page.waitForTimeout(1500);
  await page.getByRole('button', { name: ends, exact: true }).click();
};
await film('置きました', '記録', '終了');
await soon(hash, /#\/recordings\/\d+/); // it is sent
await page.locator('h1', { hasText: `B ${code}` }).waitFor();
await page.context().close();
use(one);
await film('It stands there', 'Record', 'Stop');
await soon(hash, /#\/two\?a=\d+&b=\d+/);
await soon(() => page.locator('.slot--on').count(), 2);
await page.context().close();

step('dark, in Japanese');
await visit(`${url}#/film/lunge`, { locale: 'ja-JP', colorScheme: 'dark', permissions: ['camera'] });
await page.locator('.live__ask').getByRole('button', { name: '置きました' }).click();
await hint('後ろへ下がって');
await sound('dark');
await translated(page.locator('.fi__c'));
await shot('page-film-dark-ja');
await click('EN');
await hint('Step back');
await page.context().close();

step('no camera');
await visit(`${url}#/film/squat`);
await page.locator('.live__ask').getByRole('button', { name: 'It stands there' }).waitFor();
await page.evaluate(() => {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
});
await page.locator('.live__ask').getByRole('button', { name: 'It stands there' }).click();
await page.getByRole('alert').filter({ hasText: 'There is no camera' }).waitFor();
await sound('no camera');
await page.context().close();
await finish();
