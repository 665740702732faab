// Of a long movie, a part is chosen, cut in the browser and measured.
//
// usage: node cut.mjs MODULES BROWSER FOLDER URL MOVIE
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { args, click, finish, folder, hash, launch, measured, page, ready, row, shot, soon, sound, step, visit } from './page.mjs';

const [url, movie] = args;
await launch();
// Shots of Firefox have styles that the page forbids.
const seen = (name, full) => (path.basename(process.argv[3]).startsWith('firefox') ? null : shot(name, full));
const span = () => page.locator('.cut__span').textContent();
const size = async () => (await page.locator('.cut__span + p').textContent()).replaceAll(',', '');
const pictures = async () => Number((await size()).match(/(\d+) pictures/)[1]);

step('a long movie');
await visit(url);
const before = [];
page.on('request', (r) => before.push(r.method()));
await page.locator('#files').setInputFiles(movie);
await page.getByRole('heading', { name: 'Which part is measured?' }).waitFor();
await ready();
await row('Choose a part').waitFor();
assert.ok((await pictures()) > 1700 && (await pictures()) < 1800, `${await pictures()} pictures are proposed`);
assert.ok(!before.includes('PUT'), 'something was sent before it was asked for');
await sound('a part');
await seen('cut');

step('the handles');
const handles = page.locator('.end');
await handles.nth(1).focus();
await page.keyboard.press('End');
await soon(span, /to 1:10\.0$/);
assert.ok((await pictures()) < 1800, 'the other end goes with it');
await handles.nth(0).focus();
await page.keyboard.press('Home');
await soon(span, /^0:00\.0 to (1:00|0:5)/);
assert.ok((await pictures()) < 1800);

step('the keys');
await page.locator('.scrub').focus();
await page.keyboard.press('End');
for (let i = 0; i < 15; i++) await page.keyboard.press('Shift+ArrowLeft');
await page.keyboard.press('i');
await soon(span, /^1:04\.0 to/); // a second in which the file allows a cut
await page.locator('.scrub').focus();
for (let i = 0; i < 5; i++) await page.keyboard.press('Shift+ArrowRight');
await page.keyboard.press('o');
await soon(pictures, (n) => n > 40 && n <= 82);
const wanted = await pictures();
await click('日本語');
await page.getByRole('heading', { name: 'どの範囲を測りますか？' }).waitFor();
await seen('cut-japanese');
await click('EN');
assert.equal(await pictures(), wanted, 'what is chosen stays');
await page.setViewportSize({ width: 390, height: 844 });
await seen('cut-phone', true);
await page.setViewportSize({ width: 1280, height: 720 });
await seen('cut-small');

step('the part');
await page.evaluate(() => {
  // what is sent is a file of its own, which a request does not show to everybody
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (body) {
    if (body instanceof Blob) globalThis.sent = body;
    return send.call(this, body);
  };
});
await click('Measure this part');
await measured();
assert.match(await hash(), /#\/recordings\/\d+/);
assert.equal(
  await page
    .locator('.clock--f')
    .textContent()
    .then((s) => Number(s.match(/of (\d+)/)[1])),
  wanted,
);
assert.match(await page.locator('h1').textContent(), /, 1:04 to 1:0\d/);
const bytes = await page.evaluate(async () => Array.from(new Uint8Array(await globalThis.sent.arrayBuffer())));
fs.writeFileSync(path.join(folder, 'part.mp4'), Buffer.from(bytes));
assert.ok(bytes.length < fs.statSync(movie).size / 5);
await finish();
