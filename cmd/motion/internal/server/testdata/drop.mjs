// Drops movies onto the page, one after the other, and prints for how long a person waits: for the skeleton, and for what
// no longer changes.
//
// usage: node drop.mjs MODULES BROWSER FOLDER URL MOVIE...
import fs from 'node:fs';
import path from 'node:path';
import { args, finish, launch, opened, page, step, visit } from './page.mjs';

const [url, ...movies] = args;
await launch();
for (const movie of movies) {
  const name = path.basename(movie, '.mp4');
  step(`${name} is dropped`, 600);
  await visit(url);
  const files = await page.evaluateHandle(
    ([file, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], file, { type: 'video/mp4' }));
      return data;
    },
    [path.basename(movie), fs.readFileSync(movie).toString('base64')],
  );
  await page.locator('.drop').waitFor();
  const start = performance.now();
  const since = () => ((performance.now() - start) / 1000).toFixed(2);
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: files });
  await page.waitForFunction(
    () => /recordings/.test(location.hash) && document.querySelector('.skel .bone:is(.left, .right)')?.getAttribute('d'),
    null,
    { polling: 20 },
  );
  const skeleton = since();
  await opened(name);
  console.log(`${name}: skeleton ${skeleton}, values ${since()}`);
  await page.context().close();
}
await finish();
