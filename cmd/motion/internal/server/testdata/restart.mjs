// The server is killed and started again while a recording is open and while a movie is measured: the page goes on by itself.
//
// usage: node restart.mjs MODULES BROWSER FOLDER URL CONTROL MOVIE
import assert from 'node:assert/strict';
import { args, expect, finish, hash, launch, measured, opened, page, ready, row, shot, soon, sound, step, visit } from './page.mjs';

const [url, control, movie] = args;
const server = async (what) => assert.equal((await fetch(`${control}/${what}`)).status, 200);
await launch();
await visit(url);
// A page that is loaded again would have lost it.
await page.evaluate(() => {
  window.stays = true;
});

step('the server is killed while a movie is measured');
expect(/ERR_(CONNECTION_|EMPTY_RESPONSE|INCOMPLETE_)|status of 401/);
await page.locator('#files').setInputFiles(movie);
await page.locator('.wait h2', { hasText: /Finding the body · [1-9]/ }).waitFor();
await server('kill');
await page.locator('#alarm', { hasText: 'The server cannot be reached' }).waitFor();
await page.locator('.rail .error', { hasText: 'The server cannot be reached' }).waitFor();
await sound('a server that is gone');
await shot('restart-gone');
await server('start');
await page.locator('#alarm').waitFor({ state: 'hidden' });
await soon(() => page.locator('.rail .error').count(), 0);
await row('long').locator('progress').waitFor();
await opened('long');
await soon(() => row('long').locator('progress').count(), 0, 'the row in the list is done, too');
assert.equal(await page.evaluate(() => window.stays), true);

step('and while a recording is open, whose movie breaks off');
await page.reload();
await opened('long');
await ready();
await server('kill');
const link = await page.evaluate(() => {
  const video = document.querySelector('.stage video');
  Object.defineProperty(video, 'error', { value: { code: MediaError.MEDIA_ERR_NETWORK }, configurable: true });
  video.dispatchEvent(new Event('error'));
  delete video.error;
  return video.src;
});
await page.locator('#alarm', { hasText: 'The server cannot be reached' }).waitFor();
await page.locator('.scrub').focus();
await page.keyboard.press('End');
await server('start');
await page.locator('#alarm').waitFor({ state: 'hidden' });
await page.waitForFunction((link) => document.querySelector('.stage video').src !== link, link);
await ready();
await soon(
  () => page.evaluate(() => document.querySelector('.stage video').currentTime),
  (s) => s > 11,
  'the movie stands where it was sought',
);

step('another recording is opened while the server is gone');
await page.evaluate(() => {
  window.stays = true;
});
const here = await hash();
await page.evaluate(() => {
  location.hash = '#/';
});
await page.locator('.work h1, main h1').first().waitFor();
await server('kill');
await row('long').locator('a').click();
await page.locator('#alarm', { hasText: 'The server cannot be reached' }).waitFor();
await server('start');
await measured();
assert.equal((await hash()).split('?')[0], here.split('?')[0]);
await page.locator('#alarm').waitFor({ state: 'hidden' });
assert.equal(await page.evaluate(() => window.stays), true);
await finish();
