// What a view leaves behind when another one is opened: nothing. Each is opened again and again, and what the page
// holds in memory is counted before and after.
//
// usage: node leaks.mjs MODULES CHROMIUM FOLDER URL
import assert from 'node:assert/strict';
import { args, corrected, finish, launch, page, sample, step } from './page.mjs';

const [url] = args;
await launch();
step('the sample, and once more with a correction');
const first = await sample(url),
  second = await corrected(first, 10);
await page.reload(); // the list knows both as they are now
await page.locator('.list li').first().waitFor();
await page.locator('.chart').first().waitFor(); // it has gone on to the second one
const browser = await page.context().newCDPSession(page);

// Addresses of files and repeating timers are not told by the browser: they are counted as they come and go.
await page.evaluate(() => {
  const held = (globalThis.held = { urls: new Set(), timers: new Set() });
  const { createObjectURL, revokeObjectURL } = URL,
    begin = setInterval,
    end = clearInterval;
  URL.createObjectURL = (file) => {
    const made = createObjectURL(file);
    held.urls.add(made);
    return made;
  };
  URL.revokeObjectURL = (made) => {
    held.urls.delete(made);
    revokeObjectURL(made);
  };
  globalThis.setInterval = (...given) => {
    const made = begin(...given);
    held.timers.add(made);
    return made;
  };
  globalThis.clearInterval = (made) => {
    held.timers.delete(made);
    end(made);
  };
});

// living is how many objects of a class there are, in the page or not.
async function living(name) {
  const { result } = await browser.send('Runtime.evaluate', { expression: `${name}.prototype` });
  const { objects } = await browser.send('Runtime.queryObjects', { prototypeObjectId: result.objectId });
  const {
    result: { value },
  } = await browser.send('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: 'function () { return this.length; }',
  });
  for (const { objectId } of [result, objects]) await browser.send('Runtime.releaseObject', { objectId });
  return value;
}
// rest shows the first screen, and counts what there is once nothing changes any more.
async function rest() {
  await page.goto(`${url}#/`);
  await page.locator('.first').waitFor();
  let was = '',
    now = {};
  do {
    was = JSON.stringify(now);
    await page.waitForTimeout(500);
    for (let i = 0; i < 3; i++) await browser.send('HeapProfiler.collectGarbage');
    const { metrics } = await browser.send('Performance.getMetrics'),
      of = (name) => metrics.find((m) => m.name === name).value;
    now = { nodes: of('Nodes'), listeners: of('JSEventListeners'), documents: of('Documents') };
    for (const name of ['HTMLVideoElement', 'ResizeObserver', 'IntersectionObserver', 'AbortController']) now[name] = await living(name);
    Object.assign(now, await page.evaluate(() => ({ urls: globalThis.held.urls.size, timers: globalThis.held.timers.size })));
  } while (JSON.stringify(now) !== was);
  return now;
}
await browser.send('Performance.enable');

const views = {
  recordings: [
    'recordings',
    async (i) => {
      await page.locator('.chart').first().waitFor();
      await page.keyboard.press('pwsa'[i % 4]); // a tool of its own
      await page.locator('.tool[aria-pressed=true]').nth(0).waitFor();
    },
  ],
  people: ['people', () => page.getByRole('button', { name: 'Add a person' }).first().waitFor()],
  exercises: ['exercises', () => page.locator('.ex__c[aria-busy]').or(page.locator('.ex__p')).first().waitFor()],
  phases: ['phases', () => page.locator('.ph__i').waitFor()],
  choosing: ['compare', () => page.locator('.pickone').first().waitFor()],
  compare: ['compare', () => page.locator('.chart').waitFor()],
  two: ['two', () => page.locator('main h1').waitFor()],
  live: ['live', () => page.getByRole('button', { name: 'Start the camera' }).waitFor()],
};
async function open(name, i) {
  const [at, shown] = views[name],
    id = i % 2 ? second : first;
  await page.goto(`${url}#/${{ recordings: `${at}/${id}`, phases: `${at}/${id}`, compare: `${at}/${first}/${second}` }[name] ?? at}`);
  await shown(i);
}

for (const name of Object.keys(views)) for (let i = 0; i < 2; i++) await open(name, i); // what is read once may stay
let before = await rest(); // the list beside may change by a row meanwhile
for (const name of Object.keys(views)) {
  step(name);
  const often = name === 'recordings' ? 30 : 6;
  for (let i = 0; i < often; i++) await open(name, i);
  const after = await rest(),
    more = Object.entries(after).filter(([what, n]) => n - before[what] >= ({ nodes: 10, listeners: 1 }[what] ?? 0.1) * often);
  assert.deepEqual(more, [], `${often} openings leave something behind: before it was ${JSON.stringify(before)}`);
  before = after;
}
console.log(JSON.stringify(before));
await finish();
