// Uses the live tab of the viewer page in Chromium, whose camera is a movie of squats from the front.
//
// usage: node livefront.mjs MODULES CHROMIUM FOLDER URL CAMERA SQUATS
import { args, click, finish, launch, page, shot, soon, sound, step, visit } from './page.mjs';

const [url, camera, squats] = args;
await launch('--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${camera}`);
const note = (text) => page.locator('.live__note', { hasText: text }).waitFor();

step('squats from the front are counted by the hips, with a word why the knees are not');
await visit(`${url}#/live`, { permissions: ['camera'] });
await page.getByText('Count aloud').click();
await click('Start the camera');
await note('Turn sideways');
await page.locator('.live__n--waits', { hasText: 'under way' }).waitFor();
await page.locator('.live__v tr', { hasText: 'Knee' }).locator('.held', { hasText: 'not visible from the front' }).first().waitFor();
await page.locator('.chip--off', { hasText: 'Knee' }).first().waitFor();
await page.waitForFunction((n) => Number(document.querySelector('.live__n b').textContent) >= n, Number(squats));
await soon(() => page.locator('.live__n b').textContent(), squats);
await soon(() => page.locator('.live__n small').textContent(), 'counted by the hips');
await page.locator('.live__p .verdict', { hasText: 'Counted by the hips' }).locator('.plan').waitFor();
await sound('from the front');
await shot('page-live-front');

step('the hint goes when nothing is chosen that needs another side');
for (const name of ['knee', 'hip', 'hips']) await page.locator(`.chip:has([data-angle=${name}])`).click();
await page.locator('.live__note').waitFor({ state: 'hidden' });
await page.locator('.live__v td', { hasText: /\d± / }).waitFor();
await page.context().close();

step('phone');
await visit(`${url}#/live`, {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
  permissions: ['camera'],
});
await page.locator('.live__ask button').tap();
await note('Turn sideways');
await sound('phone');
await shot('page-live-front-phone');
await page.context().close();
await finish();
