// Cuts the network while a movie is sent, which is opened although a wrong file comes first: the file stays, and the upload goes
// on when the network is back.
//
// usage: node network.mjs MODULES BROWSER FOLDER URL MOVIE
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { args, click, expect, finish, launch, page, shot, soon, sound, step, visit } from './page.mjs';

const [url, movie] = args;
await launch();
await visit(url);
let cut = true,
  sent = 0;
await page.route(/files\/movies\//, (route) => {
  sent += route.request().method() === 'PUT' ? 1 : 0;
  return cut ? route.abort('internetdisconnected') : route.continue();
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

step('and when the user asks');
cut = false;
await click('Try again');
await page.locator('.verdict h2').waitFor();
assert.equal(sent, 3);
assert.equal(await page.locator('.list [data-key^="u"]').count(), 1, 'the wrong file says so in the list');
assert.equal(await page.locator('.list li').count(), 2, 'the movie is there once');
await finish();
