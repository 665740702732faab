// Somebody opens the page, is sent to the host's form, and looks at a picture.
//
// usage: node page.mjs MODULES CHROMIUM URL IMAGE
import assert from 'node:assert/strict';
import path from 'node:path';
import { createRequire } from 'node:module';

const [modules, executablePath, url, image] = process.argv.slice(2);
const { chromium } = createRequire(path.join(modules, 'index.js'))('playwright-core');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
await page.goto(`${url}/motion/`);
await page.getByLabel('Password').fill('apple');
await page.getByLabel('Name').fill('anna');
await page.getByRole('button', { name: 'Log in' }).click();
await page.getByRole('link', { name: 'Your recordings: 0' }).click();
await page.locator('input[type=file]').first().setInputFiles(image);
await page.getByText('sample', { exact: false }).first().waitFor();
await page.locator('[data-view=live]').first().waitFor(); // live pictures are there
for (let n = 0; n === 0;) {
  const list = await page.request.get(`${url}/motion/v1/keypoints/`);
  n = (await list.json()).data.filter((one) => one.execStatus === 'SUCCESS').length;
  await page.waitForTimeout(200);
}
await page.goto(url);
await page.getByRole('button', { name: 'Log out' }).click();
await page.goto(`${url}/motion/`);
await page.getByRole('button', { name: 'Log in' }).waitFor();
assert.equal(new URL(page.url()).pathname, '/');
await browser.close();
