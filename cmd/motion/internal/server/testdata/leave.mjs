// Uses the viewer page in Chromium, and reports what it asks for anywhere but at its own server.
//
// usage: node leave.mjs MODULES CHROMIUM URL MOVIE
import assert from 'node:assert/strict';
import path from 'node:path';
import { createRequire } from 'node:module';

const [modules, chromium, first, movie] = process.argv.slice(2);
const [url] = first.split('?'); // without the key
const require = createRequire(path.join(modules, 'index.js'));
// The browser itself, which is not the project's, finds no name.
const browser = await require('playwright-core').chromium.launch({
  executablePath: chromium,
  args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
});
const page = await browser.newPage({ locale: 'en-GB' });
page.setDefaultTimeout(60_000);
const asked = [];
page.on('request', (r) => asked.push(r.url()));
page.on('websocket', (w) => asked.push(w.url()));
const click = (name) => page.getByRole('button', { name, exact: true }).first().click();
const degrees = page.locator('.verdict', { hasText: /\d° ± \d/ });

await page.goto(first);
await page.locator('#files').setInputFiles(movie);
await page.locator('h1', { hasText: path.parse(movie).name }).waitFor();
await degrees.waitFor();
const id = page.url().match(/recordings\/(\d+)/)[1];
await page.reload();
await degrees.waitFor();
await page.waitForFunction(() => document.querySelector('.stage video')?.readyState >= 2);
await click('CSV');
await Promise.all([page.waitForEvent('download'), click('Save')]);
await page.keyboard.press('Escape');
await click('Report');
await page.frameLocator('.sheet__f').locator('main').waitFor();
await Promise.all([page.waitForEvent('download'), click('Save as a file')]);
await page.locator('.sheet').getByRole('button', { name: 'Close' }).click();
await click('Movie');
await click('Make the movie');
await page.locator('.drawn video').waitFor();
await page.goto(`${url}#/compare/${id}/${id}`);
await page.locator('.side .card').first().waitFor();
await click('日本語');
await page.goto(new URL('anymotion/v1/docs/', url).href);
await page.waitForLoadState('networkidle');
const own = (u) => u.startsWith(url) || /^(blob|data):/.test(u);
assert.ok(asked.filter(own).length > 10, `only ${asked.length} requests were seen`);
assert.deepEqual(
  asked.filter((u) => !own(u)),
  [],
  'asked for elsewhere',
);

// A navigation elsewhere would make the browser itself look why it fails.
const elsewhere = 'http://elsewhere.example/a.png';
await Promise.all([
  page.waitForRequest(elsewhere),
  page.evaluate((src) => {
    new Image().src = src;
  }, elsewhere),
]);
assert.ok(asked.includes(elsewhere), 'a request elsewhere is seen');
await browser.close();
