// Cuts the network while a movie is sent, which is opened although a wrong file comes first: the file stays, and the upload goes
// on when the network is back, with a new link where the first has expired.
//
// usage: node network.mjs MODULES BROWSER FOLDER URL MOVIE
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { args, click, expect, finish, launch, page, shot, soon, sound, step, visit } from './page.mjs';

const [url, movie] = args;
await launch();
await visit(url);
let cut = true,
  expired = '', // the link that has
  sent = 0;
await page.route(/files\/movies\//, (route) => {
  const link = route.request().url();
  if (route.request().method() !== 'PUT') return route.continue();
  sent++;
  if (cut) {
    expired = link;
    return route.abort('internetdisconnected');
  }
  return route.continue(link === expired ? { url: link.replace(/expires=\d+/, 'expires=1') } : {});
});

step('the network is cut while a movie is sent');
expect(/ERR_INTERNET_DISCONNECTED/);
await page
  .locator('input[type=file]')
  .first()
  .setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no movie') },
    { name: 'moving.mp4', mimeType: 'video/mp4', buffer: fs.readFileSync(movie) },
  ]);
await page.locator('.wait', { hasText: 'The network is cut' }).waitFor();
await page.locator('.wait', { hasText: 'It goes on by itself' }).waitFor();
await page.locator('.list .rec__m', { hasText: 'The network is cut' }).waitFor();
await sound('a cut network');
await shot('network');

step('it is tried again by itself');
await soon(() => sent, 2);

step('and when the user asks; the link has expired meanwhile');
expect(/ERR_INTERNET_DISCONNECTED|status of 403/);
cut = false;
await click('Try again');
await page.locator('.verdict h2').waitFor();
assert.equal(sent, 4, 'it is sent to a new link');
assert.equal(await page.locator('.list [data-key^="u"]').count(), 1, 'the wrong file says so in the list');
assert.equal(await page.locator('.list li').count(), 2, 'the movie is there once');
await finish();
