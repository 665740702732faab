// What the tests of the viewer page share: each opens it in a browser and uses it as a person does.
//
// usage: node TEST.mjs MODULES BROWSER FOLDER ARGUMENT...
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [modules, program] = process.argv.slice(2); // Chromium or Firefox
export const folder = process.argv[4]; // for screenshots
export const args = process.argv.slice(5);
const first = args[0]?.includes('?key=') ? args[0] : null; // the address of a browser's first visit
if (first) args[0] = first.split('?')[0];
const require = createRequire(path.join(modules, 'index.js'));
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
let browser;

const problems = []; // what the pages wrote to their consoles
const findings = []; // what is wrong with what they show
let expected = null; // what they may write now
export let page; // the one in use

process.on('exit', (code) => {
  if (code) console.log(problems, findings);
});
process.on('uncaughtException', async (e) => {
  console.log(`in the state "${state}":`, e);
  await page?.screenshot({ path: path.join(folder, 'failed.png'), timeout: 5000 }).catch(() => {});
  process.exit(1);
});

// launch starts the browser: Chromium with flags besides the usual ones, Firefox with a camera that shows nobody.
export async function launch(...flags) {
  const { chromium, firefox } = require('playwright-core');
  browser = path.basename(program).startsWith('firefox')
    ? await firefox.launch({
        channel: 'moz-firefox',
        executablePath: program,
        firefoxUserPrefs: { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true },
      })
    : await chromium.launch({ executablePath: program, args: ['--no-sandbox', ...flags] });
}

// finish ends a test: nothing was wrong.
export async function finish() {
  await browser.close();
  clearTimeout(overdue);
  assert.deepEqual({ problems, findings }, { problems: [], findings: [] });
  console.log('ok');
}

// use goes on with a page that was left open.
export const use = (other) => {
  page = other;
};
// expect allows the pages to write what the pattern matches to their consoles, until it is called with null.
export const expect = (pattern) => {
  expected = pattern;
};

// visit opens an address in a browser context of its own: a page of the server, whose header has a policy, or a file.
export async function visit(address, { policy = /script-src 'self'/, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  if (first) await context.request.get(first);
  page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.WAIT ?? 60_000));
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type()) && !expected?.test(m.text())) problems.push(m.text());
  });
  page.on('pageerror', (e) => problems.push(String(e)));
  page.on('filechooser', () => {}); // from the first listener on the browser tells of it
  const answer = await page.goto(address);
  if (address.startsWith('http')) assert.match(answer.headers()['content-security-policy'] ?? '', policy);
}

// soon reads again and again until it is what is wanted: a value, a pattern, or what a function accepts. What follows a
// click may be drawn anew while it is read.
export async function soon(read, want, message) {
  for (const end = performance.now() + 30_000; ;) {
    try {
      const now = await read();
      if (want instanceof RegExp) assert.match(now, want, message);
      else if (typeof want === 'function') assert.ok(want(now), message ?? `it is ${now}, not as ${want}`);
      else assert.deepEqual(now, want, message);
      return;
    } catch (e) {
      if (performance.now() > end) throw e;
    }
    await page.waitForTimeout(50);
  }
}
// box is where an element is, once it stays there.
export async function box(locator) {
  let [before, now] = [null, null];
  await soon(
    async () => {
      [before, now] = [now, await locator.boundingBox()];
      return now && before && ['x', 'y', 'width', 'height'].every((k) => now[k] === before[k]);
    },
    true,
    'it has a place that stays',
  );
  return now;
}

let state = 'the start',
  overdue = 0;
// step begins a state of the page. It may take so many seconds, whatever is waited for in it.
export function step(name, seconds = 120) {
  state = name;
  console.log(`${(performance.now() / 1000).toFixed(1)} s: ${name}`);
  clearTimeout(overdue);
  overdue = setTimeout(() => {
    throw new Error(`it has not ended after ${seconds} s`);
  }, 1000 * seconds);
}
export const shot = (name, fullPage = false) => page.screenshot({ path: path.join(folder, `${name}.png`), fullPage });
export const click = (name, options = {}) =>
  page
    .getByRole('button', { name, exact: true, ...options })
    .first()
    .click();
export const hash = () => page.evaluate(() => location.hash);

// sound notes for what a screen reader or the keyboard cannot use, for words that are missing, and for a page
// that is wider than its window.
export async function sound(state) {
  await page.evaluate(axe);
  const { violations, wide, words } = await page.evaluate(async () => ({
    // What takes the pointer around a slider of the time axis is its ::after, which axe does not measure.
    // Narrow repetitions on it are as wide as they last, where a list has a button for each that is wide enough.
    violations: (await globalThis.axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })).violations
      .map((v) => ({
        ...v,
        nodes: v.nodes.filter((n) => {
          const el = v.id === 'target-size' ? document.querySelector(String(n.target[0])) : null;
          const listed = () =>
            [...document.querySelectorAll('.tbl .jump')].filter((e) => e.checkVisibility()).length >=
            document.querySelectorAll('.rep').length;
          return !el?.matches('.scrub, .end') && !(el?.matches('.rep.narrow') && listed());
        }),
      }))
      .filter((v) => v.nodes.length),
    wide: document.documentElement.scrollWidth - innerWidth,
    words: document.body.innerText.match(/\{\w+\}|undefined|\bNaN\b|\[object|\b(?:[a-z]+\.)+(?:left|right|title|[a-z]+[A-Z]\w*)\b/g),
  }));
  findings.push(...violations.map((v) => `${state}: ${v.impact} ${v.id}: ${v.nodes.map((n) => n.html.slice(0, 300)).join(' | ')}`));
  if (words) findings.push(`${state}: the words ${words}`);
  if (wide > 0) findings.push(`${state}: ${wide} px too wide`);
  await calm(state);
}
// calm notes where the results of a recording say an amount with its ± twice above and in the table of values, or more than
// 60 words above that.
async function calm(state) {
  const { words, twice } = await page.evaluate(() => {
    const side = document.querySelector('aside.side'),
      table = side?.querySelector('.tbl--v');
    if (!table || document.querySelector('.early')) return { words: 0, twice: [] };
    const texts = document.createTreeWalker(side, NodeFilter.SHOW_TEXT),
      above = [],
      amounts = [];
    for (let at = texts.nextNode(); at; at = texts.nextNode()) {
      if (!at.parentElement?.checkVisibility() || at.parentElement.closest('details[open] > :not(summary)')) continue; // asked for
      if (table.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_PRECEDING) above.push(at.textContent);
    }
    const rows = [...table.querySelectorAll('tbody tr')].map((r) => r.innerText.replace(/\s+/g, ' '));
    for (const words of [above.join(' '), ...rows])
      for (const [said] of words.matchAll(/(?:left|right) [\p{L} ]+? ~? ?−?\d+° ?± \d+/giu))
        amounts.push(said.toLowerCase().replace(/[~ ]/g, ''));
    return { words: above.join(' ').match(/\p{L}{2,}/gu)?.length ?? 0, twice: amounts.filter((a, i) => amounts.indexOf(a) < i) };
  });
  if (words > 60) findings.push(`${state}: ${words} words above the values`);
  if (twice.length) findings.push(`${state}: ${twice} twice`);
}

export async function downloaded(name) {
  const [file] = await Promise.all([page.waitForEvent('download'), click(name)]);
  return { name: file.suggestedFilename(), bytes: fs.readFileSync(await file.path()) };
}
// tabled saves the tables of a recording by the menu.
export async function tabled(between) {
  await click('CSV');
  if (between) await page.getByLabel(between).check();
  const file = await downloaded('Save');
  await page.keyboard.press('Escape');
  return file;
}
// reported opens a report, and saves it as a file.
export async function reported(name, keep = 'Save as a file', close = 'Close') {
  await click(name);
  await page.frameLocator('.sheet__f').locator('main').waitFor();
  const file = await downloaded(keep);
  await page.locator('.sheet').getByRole('button', { name: close }).click();
  return file;
}
// choose opens the file chooser with a button, as a person does.
export async function choose(name, files) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click(name)]);
  await chooser.setFiles(files);
}
export const measured = () =>
  page.waitForFunction(
    () =>
      [...document.querySelectorAll('.tbl--v td:is(.b, .told), .tbl--v .held')].some(
        (e) => !e.closest('.early') && (e.matches('.held, .told') || /\d/.test(e.textContent)),
      ) && document.querySelector('.chart, .stage__p img'),
  );
export const opened = async (name) => {
  await page.locator('h1', { hasText: name }).waitFor();
  await measured();
};
export const frame = async () => Number((await page.locator('.clock--f').textContent()).match(/\d+/)[0]);
export const most = (row) => page.locator('.tbl--v tr', { hasText: row }).locator('td').textContent();
// now is what a chart shows of a side in the frame where the movie stands.
export const now = (chart, side) => page.locator('.chart', { hasText: chart }).locator(`.val.${side} > b`).textContent();
export const chip = (name) => page.locator('.chip', { hasText: name });
export const row = (name) => page.locator('.list li', { hasText: name });
export const ready = () =>
  page.waitForFunction(() => document.querySelector('.stage video')?.readyState >= 2 && !document.querySelector('.stage video').seeking);
// stood is the frame at which the movie stands, once the address keeps it.
export async function stood() {
  let now = 0;
  const read = async () => {
    now = await frame();
    return hash();
  };
  await soon(read, (at) => at.includes(`&t=${((now - 1) / 30).toFixed(2)}`));
  return now;
}
// sample opens the sample movie as a first visitor does, and returns the id of its recording.
export async function sample(url) {
  await visit(url);
  await click('Try the sample');
  await opened('Sample: three squats');
  await page.locator('.rep').nth(2).waitFor();
  return Number((await hash()).match(/recordings\/(\d+)/)[1]);
}
// rename gives the recording that is open another name.
export async function rename(name) {
  await click('Rename');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  await row(name).waitFor();
}
// corrected makes a second recording of one's keypoints, with a scale and with the left knee elsewhere in a frame.
export const corrected = (id, frame) =>
  page.evaluate(
    async ([keypointId, at]) => {
      const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
      const ask = async (method, path, body) =>
        (
          await fetch(`anymotion/v1/keypoints/${path}`, {
            method,
            body: body && JSON.stringify(body),
            headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
          })
        ).json();
      let made = await ask('POST', '', { keypointId, scale: { bodyHeight: 1.66 } });
      while (made.execStatus !== 'SUCCESS') {
        await new Promise((done) => setTimeout(done, 100));
        made = await ask('GET', `${made.id}/`);
      }
      const [x, y] = made.keypoint[at].leftKnee;
      await ask('PATCH', `${made.id}/`, { edits: [{ frame: at, part: 'leftKnee', point: [x - 30, y + 60] }] });
      return made.id;
    },
    [id, frame],
  );
// held lets a request wait until it is released.
export async function held(pattern, method) {
  let resolve;
  const promise = new Promise((done) => {
    resolve = done;
  });
  await page.route(pattern, async (r) => {
    if (r.request().method() === method) await promise;
    await r.continue().catch(() => {});
  });
  return async () => {
    resolve();
    await page.unroute(pattern, undefined);
  };
}
// changed answers with a document that is changed on its way.
export const changed = (pattern, change) =>
  page.route(pattern, async (r) => {
    if (r.request().method() !== 'GET') return r.continue();
    const answer = await r.fetch(),
      body = await answer.json();
    change(body);
    return r.fulfill({ response: answer, json: body }).catch(() => {}); // unrouted meanwhile
  });
export const fails = (pattern, method, status, detail) =>
  page.route(pattern, (r) =>
    r.request().method() === method
      ? r.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ detail }) })
      : r.continue(),
  );
// translated waits until the first element of a locator is seen and the page, in Japanese, has no words in Latin letters that
// are no units or formats, nor lines that match own. A page that does not show the element yet is not judged.
export const translated = (shown, own = /^$/, message = undefined) =>
  soon(
    () =>
      shown.first().evaluate((element, pattern) => {
        if (document.documentElement.lang !== 'ja' || !element.checkVisibility() || !element.textContent.trim())
          return ['not shown in Japanese'];
        const files = 'CSV|JSON Lines|JSON|TRC|COCO|HTML|MP4|MOV|WebM|JPEG|PNG|BMP|TIFF|GIF|AVI|MKV|M4V';
        const names = new RegExp(`${pattern}|Motion|${files}|Space|Shift|Home|End|Esc|EN\\b`, 'gm');
        return [...document.querySelectorAll('body *')]
          .filter((e) => e.checkVisibility() && !e.closest('select, [lang=en], svg'))
          .flatMap((e) =>
            [...e.childNodes]
              .filter((n) => n.nodeType === 3)
              .map((n) => n.textContent)
              .concat(e.getAttribute('aria-label') ?? '', e.title ?? '', e.placeholder ?? ''),
          )
          .map((words) => words.replace(names, ''))
          .filter((words) => /[A-Za-z]{3}/.test(words));
      }, own.source),
    [],
    message,
  );
// plays plays a part of a movie of 30 frames a second: each of its frames has its own skeleton.
export async function plays() {
  const pairs = await page.evaluate(async () => {
    const video = document.querySelector('.stage video'),
      seen = [];
    await new Promise((done) => {
      setTimeout(done, 30_000); // a movie that shows no further pictures
      const watch = (_, { mediaTime }) => {
        // The page's own callback was registered before this one and has run.
        seen.push([Math.round(mediaTime * 30) + 1, Number(document.querySelector('.clock--f').textContent.match(/\d+/)[0])]);
        if (seen.length < 12 && !video.ended) video.requestVideoFrameCallback(watch);
        else done();
      };
      video.requestVideoFrameCallback(watch);
      document.querySelector('.btn--play').click();
    });
    document.querySelector('.btn--play').click();
    return seen;
  });
  assert.ok(pairs.length > 6, `only ${pairs.length} frames were shown`);
  for (const [media, shown] of pairs.slice(1)) assert.equal(shown, media, `frame ${media} is shown with the skeleton of ${shown}`);
}
