// Uses the live tab of the viewer page in Chromium, whose camera is a movie of squats and of standing after them.
// A proxy before the service counts the connections, cuts them and slows them down.
//
// usage: node live.mjs MODULES CHROMIUM FOLDER URL PID CAMERA SQUATS
import assert from 'node:assert/strict';
import net from 'node:net';
import { args, click, expect, finish, hash, launch, opened, page, shot, soon, sound, step, translated, visit } from './page.mjs';

const [service, pid, camera, squats] = args;
const live = new Set(); // connections of WebSockets
let speed = Infinity; // bytes a second of each of them
let shut = false; // whether there are none
const proxy = net
  .createServer((from) => {
    const to = net.connect(new URL(service).port, '127.0.0.1');
    from.on('data', (data) => {
      if (/^upgrade: websocket/im.test(data.subarray(0, 2000).toString('latin1'))) {
        if (shut) {
          from.destroy();
          return;
        }
        live.add(from);
      }
      to.write(data);
      if (!live.has(from) || speed === Infinity) return;
      from.pause();
      setTimeout(() => from.resume(), (1000 * data.length) / speed);
    });
    to.on('data', (data) => from.write(data));
    for (const [one, other] of [
      [from, to],
      [to, from],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        live.delete(from);
        other.destroy();
      });
    }
  })
  .listen(0, '127.0.0.1');
await new Promise((done) => {
  proxy.once('listening', done);
});
const url = `http://127.0.0.1:${proxy.address().port}/`;
const until = async (what) => {
  while (!what())
    await new Promise((done) => {
      setTimeout(done, 20);
    });
};

await launch('--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${camera}`);
const count = () => page.locator('.live__n b').textContent().then(Number);
const note = (text) => page.locator('.live__note', { hasText: text }).waitFor();
const quiet = () => page.locator('.live__note').waitFor({ state: 'hidden' });
const cell = (name, n) => page.locator('.live__v tbody tr', { hasText: name }).locator('td').nth(n);
const moves = () => page.locator('.live__v td').filter({ hasText: /\d/ }).first().waitFor();
// watched visits a page that notes its cameras and what it says.
async function watched(options) {
  await visit(url, options);
  await page.evaluate(() => {
    const { mediaDevices } = navigator,
      get = mediaDevices.getUserMedia.bind(mediaDevices);
    Object.assign(globalThis, {
      tracks: [],
      said: [],
      WebSocket: class extends WebSocket {
        constructor(...how) {
          super(...how);
          globalThis.socket = this;
        }
      },
    });
    mediaDevices.getUserMedia = async (...how) => {
      const stream = await get(...how);
      globalThis.tracks.push(...stream.getTracks());
      return stream;
    };
    speechSynthesis.speak = ({ text, lang }) => globalThis.said.push(`${lang} ${text}`);
  });
}

await watched({ permissions: ['camera'] });
step('nothing is filmed before it is wanted');
await page.getByRole('link', { name: 'Live', exact: true }).click();
await page.getByRole('heading', { name: 'Measure with the camera' }).waitFor();
await sound('before the start');
assert.equal(live.size + (await page.evaluate(() => globalThis.tracks.length)), 0);

step('squats');
await page.getByText('Count aloud').click();
await click('Start the camera');
await moves();
await click('Record');
await page.locator('.tag').first().waitFor();
await page.waitForFunction((n) => Number(document.querySelector('.live__n b').textContent) >= n, Number(squats));
await soon(count, Number(squats));
await soon(
  () => page.evaluate(() => globalThis.said),
  ['en-GB I count aloud.', ...Array.from({ length: squats }, (_, i) => `en-GB ${i + 1}`)],
);
await soon(() => page.locator('.live > [role=status]').textContent(), `repetition ${squats}`);
await soon(() => page.locator('.side').innerText(), /the last one (shallow, )?\d+° deep, \d\.\d\d s out and \d\.\d\d s back/);
await click('Stop recording');
await sound('squats');
await shot('page-live-light');

step('other angles, without a new session');
await page.locator('.chip:has([data-angle=elbow])').click();
await page.locator('.chip:has([data-angle=hip])').click();
await click('Left', { exact: true });
await soon(hash, /show=knee,elbow&side=left/);
await cell('Elbow', 0)
  .filter({ hasText: /\d|[a-z]/ })
  .waitFor();
await soon(() => page.locator('.chart').count(), 2);
await soon(() => page.locator('.live__v td').count(), 2);
await soon(() => page.locator('.live__n small').textContent(), 'by: Knee');
await soon(count, Number(squats));
await click('Both');
await click('Mirror');
await soon(() => page.$eval('.stage video', (v) => getComputedStyle(v).transform), 'matrix(-1, 0, 0, 1, 0, 0)');
await page.getByRole('button', { name: 'Dark or light' }).click();
await sound('dark');
await shot('page-live-dark');

await click('日本語');
await page.locator('.live__v', { hasText: '肘' }).waitFor();
await click('EN');
assert.equal(live.size, 1);

step('a pause');
await page.locator('h1').click();
await page.keyboard.press('Space');
await note('Paused. Nothing is sent.');
await until(() => live.size === 0);
await sound('paused');
await page.keyboard.press('Space');
await quiet();
await until(() => live.size === 1);
await soon(count, Number(squats));

step('a slow network');
speed = 30_000;
await note('The network is slow');
await sound('a slow network');
speed = Infinity;
await quiet();

step('a lost connection');
expect(/WebSocket connection .* failed|status of 4(26|29)/);
shut = true;
for (const one of live) one.destroy();
await note('The connection is lost. Trying again');
await sound('a lost connection');
await click('Try now');
shut = false;
await quiet();
await soon(count, Number(squats));

step('a sign-in that has ended');
expect(/WebSocket connection .* failed|status of 4(01|26)/);
let asked = 0;
await page.route(
  /\/live\/$/,
  (r) => {
    asked++;
    return r.fulfill({ status: 401, body: '' });
  },
  { times: 1 },
);
shut = true;
await page.evaluate(() =>
  globalThis.socket.onclose(new CloseEvent('close', { code: 1008, reason: 'the access token is no longer valid' })),
);
await note('The sign-in has ended');
await until(() => asked > 0);
shut = false;
await quiet();
await soon(count, Number(squats));

step('too many sessions');
expect(/WebSocket connection .* failed|status of 4(26|29)/);
await page.keyboard.press('Space');
await note('Paused');
await until(() => live.size === 0);
await page.evaluate(async () => {
  const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
  const at = new URL('anymotion/v1/live/', document.baseURI).href.replace('http', 'ws');
  globalThis.others = Array.from({ length: 4 }, () => new WebSocket(at, ['motion.live.v1', `bearer.${accessToken}`]));
  await Promise.all(
    globalThis.others.map(
      (socket) =>
        new Promise((done) => {
          socket.onopen = done;
        }),
    ),
  );
});
await page.keyboard.press('Space');
await note('Too many live sessions are open');
await page.evaluate(() => {
  for (const socket of globalThis.others) socket.close();
});
await quiet();
expect(null);

step('what was recorded opens, and nothing stays behind');
const kept = page.getByRole('link', { name: 'Open it' });
await kept.click();
await until(() => live.size === 0);
await soon(() => page.evaluate(() => globalThis.tracks.map((t) => t.readyState)), ['ended']);
await opened('Live, Today');
await soon(() => page.locator('.tbl--r').innerText(), /\d/);
await page.context().close();

step('a recorder that tells no duration');
await watched({ permissions: ['camera'] });
await page.evaluate(() => {
  const { isTypeSupported } = MediaRecorder;
  MediaRecorder.isTypeSupported = (type) => type.includes('webm') && isTypeSupported.call(MediaRecorder, type);
});
await page.getByRole('link', { name: 'Live', exact: true }).click();
await page.getByLabel('Exercises').selectOption('Squat');
await click('Start the camera');
await moves();
await click('Record');
await page.getByText(/^2 of \d+ seconds$/).waitFor();
await soon(count, Number(squats));
await soon(() => page.locator('.live__n small').textContent(), /^(met|missed by|within|withheld)/);
await shot('page-live-exercise');
await page.getByRole('link', { name: 'Recordings' }).click(); // which ends it and keeps it
await until(() => live.size === 0);
await click('Open it');
await opened('Live, Today');
await page.context().close();

step('no camera');
await visit(`${url}#/live`);
await page.locator('.bar').getByRole('link', { name: 'Live', exact: true }).waitFor();
const devtools = await page.context().newCDPSession(page);
await devtools.send('Browser.setPermission', { permission: { name: 'camera' }, setting: 'denied', origin: url });
await click('Start the camera');
await page.getByRole('alert').filter({ hasText: 'The camera is not allowed' }).waitFor();
await soon(() => page.evaluate(() => document.activeElement.textContent), 'Try again');
await sound('a denied camera');
await shot('page-live-denied');
await page.context().close();
for (const [error, title] of [
  ['NotFoundError', 'There is no camera'],
  ['NotReadableError', 'The camera is in use'],
  ['', 'The browser gives no camera to this page'],
]) {
  await visit(`${url}#/live`);
  await page.getByRole('button', { name: 'Start the camera' }).waitFor();
  await page.evaluate((name) => {
    if (name) navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name));
    else Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
  }, error);
  await click('Start the camera');
  await page.getByRole('alert').filter({ hasText: title }).waitFor();
  if (!error) await sound(title);
  await page.context().close();
}

for (const [name, colorScheme, locale] of [
  ['phone', 'light', 'en-GB'],
  ['phone-dark', 'dark', 'ja-JP'],
]) {
  step(name);
  await visit(`${url}#/live`, {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale,
    colorScheme,
    permissions: ['camera'],
  });
  await page.locator('.live__ask button').tap();
  await moves();
  await sound(name);
  await shot(`page-live-${name}`);
  if (locale === 'ja-JP') await translated(page.locator('.live__v td'));
  await page.context().close();
}

step('the service shuts down');
await visit(`${url}#/live`, { locale: 'ja-JP', permissions: ['camera'] });
await page.locator('.live__ask button').click();
await moves();
await shot('page-live-ja');
expect(/WebSocket connection .* failed|status of|ERR_/);
process.kill(Number(pid), 'SIGTERM');
await note('サービスが停止しています。');
await page.context().close();
proxy.close();
await finish();
