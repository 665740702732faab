// Clicks on what every view offers, and prints how soon the page has answered: from the click to the next picture.
//
// usage: node clicks.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import { args, finish, launch, page, sample, soon, step } from './page.mjs';

const [url] = args;
await launch();
step('the sample');
const id = await sample(url);
await page.evaluate(() => {
  globalThis.took = new Map(); // milliseconds and what was used by interaction, of those that took at least 16
  new PerformanceObserver((list) => {
    for (const { interactionId: n, duration, name, processingStart, processingEnd, target } of list.getEntries()) {
      if (!n || duration <= (globalThis.took.get(n)?.[0] ?? 0)) continue;
      const el = target?.closest('button, label, summary, a') ?? target,
        named = el?.getAttribute('aria-label') || el?.textContent.trim() || el?.className || el?.localName,
        words = `${location.hash.split('/')[1]}: ${named}`;
      globalThis.took.set(n, [duration, `${words} (${name}, script ${Math.round(processingEnd - processingStart)})`]);
    }
  }).observe({ type: 'event', durationThreshold: 16 });
});
let clicks = 0;
const views = {
  recordings: `recordings/${id}`,
  compare: `compare/${id}/${id}`,
  exercises: 'exercises',
  people: 'people/new',
  phases: `phases/${id}`,
  two: 'two',
  live: 'live',
};
for (const [name, at] of Object.entries(views)) {
  step(name);
  await page.goto(`${url}#/${at}`);
  await page
    .locator({ recordings: '.chart', compare: '.chart', phases: '.ph__i' }[name] ?? 'main h1')
    .first()
    .waitFor();
  const all = page.locator('main :is(button, .chip, summary)').filter({ visible: true });
  // Files, other views and the camera are no matter of a click alone.
  const words = await all.evaluateAll((list) => list.map((el) => `${el.ariaLabel ?? ''} ${el.textContent}`.trim()));
  for (const [i, word] of words.entries()) {
    if (/CSV|Report|Save|Export|Share|camera|phone|Choose|screen|Delete|Make|Draw|Keep|Cancel/i.test(word)) continue;
    const el = all.nth(i);
    const usable = (await el.isVisible()) && (await el.isEnabled({ timeout: 1000 }).catch(() => false));
    if (!usable) continue; // what was clicked before has changed the view, or just does so
    await el.click({ timeout: 2000 }).then(
      () => {
        clicks++;
      },
      () => {},
    );
    await page.keyboard.press('Escape');
  }
}
await soon(
  () => page.evaluate(() => globalThis.took.size),
  (n) => n > 0,
);
const slow = (await page.evaluate(() => [...globalThis.took.values()])).sort((a, b) => b[0] - a[0]),
  of = (part) => slow[Math.floor((1 - part) * clicks)]?.[0] ?? '< 16';
const shares = [0.5, 0.9, 0.99].map((part) => `${100 * part} % within ${of(part)} ms`).join(', ');
console.log(
  `${clicks} clicks: ${shares}; the slowest:\n${slow
    .slice(0, 8)
    .map(([ms, what]) => `${ms} ms ${what}`)
    .join('\n')}`,
);
assert.ok(clicks > 40, `only ${clicks} clicks`);
assert.ok(Number(slow[0]?.[0] ?? 0) < 5000, 'a click is not answered');
await finish();
