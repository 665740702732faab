// Several recordings: movies and pictures, what goes wrong with them and with the service, and deleting.
//
// usage: node library.mjs MODULES CHROMIUM FOLDER URL IMAGE MOVIE MISSING
import assert from 'node:assert/strict';
import {
  args,
  choose,
  click,
  corrected,
  expect,
  fails,
  finish,
  frame,
  hash,
  held,
  launch,
  measured,
  opened,
  page,
  rename,
  row,
  sample,
  shot,
  soon,
  sound,
  step,
  translated,
} from './page.mjs';

const [url, image, movie, missing] = args;
await launch();
step('the sample');
await sample(url);
await rename('Squats, week 6');

step('several files at once, by the file chooser');
await choose('Add a recording', [movie, image, missing]);
await opened('moving');
await row('sample').locator('.sign').waitFor();
await row('missing').locator('.sign').waitFor();
await page.getByRole('searchbox').fill('squat');
await soon(() => page.locator('.list li').count(), 1);
await page.getByRole('searchbox').fill('nobody');
await page.getByText('There is no such recording.').waitFor();
await page.getByRole('searchbox').fill('');

step('a movie with warnings');
await row('missing').getByRole('link').click();
await opened('missing');
const verdict = page.locator('.verdict');
await verdict.getByText('More about this recording').click();
await verdict.locator('li', { hasText: 'The person was lost.' }).waitFor();
await soon(() => verdict.innerText(), /The person was lost\. 1\.00–1\.29 s/);
await verdict.getByRole('button', { name: '1.00–1.29 s' }).first().click();
await soon(frame, 25);
await soon(() => page.locator('.chart .val > b').first().textContent(), '–');
await soon(
  () => page.locator('.mark--warn').count(),
  (now) => now > 0,
);
await sound('warnings');
await shot('warning');

step('a picture, and everybody in it');
await row('sample').getByRole('link').click();
await opened('sample');
await soon(() => page.locator('.transport').isHidden(), true, 'a picture has nothing to play');
await page.keyboard.press('w');
await page.locator('.box').first().waitFor();
await soon(() => page.locator('.pick').innerText(), /Person 1/);
await page.locator('.box').first().click();
await sound('choosing a person');
await shot('person');
await page.getByLabel('Follow everybody').check();
const alone = await hash();
await click('Measure again');
await page.waitForFunction((old) => location.hash !== old, alone);
await opened('sample');
await page.keyboard.press('w');
await page
  .getByText(/seen 100 % of the time/)
  .first()
  .waitFor();
await click('Show this person');
await page.waitForFunction(() => /person=\d/.test(location.hash));
await opened('sample');

step('somebody in a mirrored picture');
{
  const made = await page.evaluate(
    async (of) => {
      const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
      const ask = async (method, path, body) =>
        (
          await fetch(`anymotion/v1/keypoints/${path}`, {
            method,
            body: body && JSON.stringify(body),
            headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
          })
        ).json();
      const { id } = await ask('POST', '', { imageId: (await ask('GET', `${of}/`)).image, mirrored: true, candidates: 1 });
      location.hash = `#/recordings/${id}`;
      return id;
    },
    Number((await hash()).match(/recordings\/(\d+)/)[1]),
  );
  await page.waitForFunction((id) => location.hash.includes(`/${id}`), made);
  await page.locator('.stage img.mirrored').waitFor();
  await measured();
  await page.keyboard.press('p');
  const knee = page.locator('.grip.left').first();
  await knee.hover({ force: true });
  await page.mouse.down();
  await page.mouse.move(
    ...Object.values(await knee.boundingBox())
      .slice(0, 2)
      .map((v) => v + 20),
  );
  await page.locator('.loupe').waitFor(); // the browser does not drag the picture away
  await shot('loupe');
  await page.mouse.up();
  await page.keyboard.press('Escape');
  await page.keyboard.press('w');
  await page.locator('.box').first().click();
  const [asked] = await Promise.all([
    page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/keypoints/')),
    click('Measure again'),
  ]);
  assert.equal(asked.postDataJSON().mirrored, true);
  await page.waitForFunction((id) => !location.hash.includes(`/${id}`), made);
  await opened('sample');
}

step('keypoints of another program');
{
  expect(/status of 400/); // the service says what is missing
  // Somebody from the side, who squats once in two seconds.
  const person = (bend) => {
    const knee = [330 + 60 * bend, 330],
      hip = [320 - 40 * bend, 240 + 70 * bend],
      shoulder = [320 + 20 * bend, 120 + 75 * bend];
    const [head, ankle, wrist] = [
      [shoulder[0] + 8, shoulder[1] - 45],
      [320, 420],
      [shoulder[0] + 40, shoulder[1] + 60],
    ];
    return [head, head, head, head, head, shoulder, shoulder, wrist, wrist, wrist, wrist, hip, hip, knee, knee, ankle, ankle].flatMap(
      ([x, y]) => [x, y, 0.9],
    );
  };
  const results = Array.from({ length: 180 }, (_, i) => ({
    image_id: i,
    category_id: 1,
    keypoints: person((1 - Math.cos((Math.PI * i) / 30)) / 2),
    score: 0.9,
  }));
  await page
    .locator('#files')
    .setInputFiles({ name: 'squats.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(results)) });
  await page.getByLabel('Frames per second').fill('29,97');
  await click('Analyse');
  await page.getByLabel(/^Width × height of the picture in pixels/).fill('640 × 480');
  await click('Analyse');
  await opened('Keypoints');
  await page.getByText('Keypoints without a movie: only the skeleton is shown.').waitFor();
  await soon(() => verdict.innerText(), /Another program found the points/);
  await soon(() => page.locator('.transport').isHidden(), false);
  await soon(() => page.locator('.head__m').textContent(), /\b30 pictures/);
  await soon(
    () => row('Keypoints').innerText(),
    (words) => !/Picture/.test(words),
  );
  // There is no name to change, and no picture to look at again or to draw on.
  for (const name of ['Rename', 'Choose the person', 'Add a second camera']) {
    assert.equal(
      await page.locator('.work').getByRole('button', { name }).or(page.locator('.work').getByRole('link', { name })).count(),
      0,
      name,
    );
  }
  await sound('given keypoints');
  await shot('given');
  const id = (await hash()).match(/recordings\/(\d+)/)[1];
  await page.evaluate((of) => {
    location.hash = `#/compare/${of}/${of}`;
  }, id);
  await page.locator('.pair2 .stage__n', { hasText: 'Keypoints without a movie' }).first().waitFor();
  await soon(() => page.locator('.cmp .transport').isHidden(), false, 'they move');
  await shot('given-compared');
}

step('a recording that was measured anew');
{
  await page.goto(`${url}#/`);
  await row('missing').getByRole('link').click();
  await opened('missing');
  const old = Number((await hash()).match(/recordings\/(\d+)/)[1]),
    names = () => page.locator('.list .rec__n').allInnerTexts();
  const before = await names();
  const id = await corrected(old, 3);
  await page.goto(`${url}#/`);
  await page.locator('body[data-view=first]').waitFor(); // two addresses at once are one change of the address
  await page.goto(`${url}#/recordings/${old}?show=hip`);
  await page.waitForFunction((made) => location.hash.startsWith(`#/recordings/${made}?`), id);
  assert.match(await hash(), /show=hip/, 'the rest of the address stays');
  await opened('missing');
  await page.getByText(/measured anew on \d/).waitFor();
  await soon(names, before, 'it stays in its place');
  await sound('measured anew');
  await page.getByRole('link', { name: 'Show the earlier one' }).click();
  await page.waitForFunction((of) => location.hash.startsWith(`#/recordings/${of}?`), old);
  await opened('missing');
  await page.getByRole('link', { name: 'Open what came of it' }).click();
  await page.waitForFunction((made) => location.hash.startsWith(`#/recordings/${made}?`), id);
  await opened('missing');
}

step('what goes wrong with files');
const send = (name, mimeType, text) => page.locator('#files').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
const shown = (text) => page.getByText(text).filter({ visible: true });
const one = async (text) => {
  await shown(text).first().waitFor();
  await soon(() => shown(text).count(), 1, `${text} is told once`);
};
await send('words.txt', 'text/plain', 'not a picture');
await one('This kind of file is not supported.');
await sound('a failed upload');
await click('Dismiss words.txt');
await soon(() => shown('This kind of file is not supported.').count(), 0);
await send('empty.mp4', 'video/mp4', '');
await one('The file is empty.');
await click('Dismiss empty.mp4');
await send('broken.jpg', 'image/jpeg', 'this is no JPEG');
await one('The image format is not supported.');
const release = await held(/\/files\//, 'PUT');
await send('long.jpg', 'image/jpeg', 'an upload that hangs');
await page.locator('.wait', { hasText: 'Uploading' }).waitFor();
await click('Cancel long.jpg');
await row('long.jpg').waitFor({ state: 'detached' });
await release();
expect(/ERR_FAILED|status of 413/);
await page.route(/\/files\//, (r) => r.abort());
await send('lost.jpg', 'image/jpeg', 'an upload that breaks off');
await page.locator('.wait', { hasText: 'The network is cut' }).waitFor();
await click('Cancel lost.jpg');
await page.unroute(/\/files\//);
await fails(/\/files\//, 'PUT', 413, 'The request is larger than allowed.');
await send('huge.jpg', 'image/jpeg', 'an upload that is too large');
await one('The request is larger than allowed.');
await page.unroute(/\/files\//);
await click('Dismiss huge.jpg');

step('a token that is no longer good');
expect(/status of 401/);
await page.route(/keypoints\/\d+\/\?include/, (r) => r.fulfill({ status: 401, body: '' }), { times: 1 });
await row('moving').getByRole('link').click();
await opened('moving');

step('a server that does not answer');
expect(/ERR_FAILED/);
await page.route(/analyses\//, (r) => r.abort());
await click('CSV');
await click('Save');
await one('The server cannot be reached or has closed the connection.');
await page.unroute(/analyses\//);
expect(null);
await click('Save');
await shown('The server cannot be reached').waitFor({ state: 'hidden' }); // what is mended is no longer told

step('a recording that is gone');
expect(/status of 404/);
await page.goto(`${url}#/recordings/999999`);
await page.getByRole('heading', { name: 'This recording is not here.' }).waitFor();
expect(null);
await sound('gone');

step('a recording is deleted');
const menu = async (name, item) => {
  await row(name).hover();
  await row(name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
};
await row('moving').getByRole('link').click();
await opened('moving');
await row('moving').getByRole('button', { name: 'Actions for moving' }).focus();
await page.keyboard.press('Enter');
await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
await sound('the menu');
await page.keyboard.press('Escape');
await menu('moving', 'Delete');
const dialog = page.getByRole('dialog');
await dialog.getByText('Delete moving?').waitFor();
await soon(() => page.evaluate(() => document.activeElement.textContent), 'Keep it');
await sound('the question');
await shot('delete');
await page.keyboard.press('Escape');
await dialog.waitFor({ state: 'detached' });
await soon(() => row('moving').count(), 1);
await menu('moving', 'Delete');
expect(/status of 503/);
await fails(/movies\/\d+\/$/, 'DELETE', 503, 'The service is overloaded or unavailable; try again later.');
await dialog.getByRole('button', { name: 'Delete' }).click();
await row('moving').waitFor({ state: 'detached' });
const end = () => page.locator('#toast').getByRole('button', { name: 'Close' }).click(); // the time for undoing
await end();
await one('The service is overloaded or unavailable; try again later.');
await row('moving').getByRole('link').click(); // it is still there
await opened('moving');
await page.unroute(/movies\/\d+\/$/);
expect(null);
await menu('moving', 'Delete');
await dialog.getByRole('button', { name: 'Delete' }).click();
await page.getByText('moving is deleted.').waitFor();
await row('moving').waitFor({ state: 'detached' });
await soon(hash, '#/');
await sound('what can be undone');
await shot('undo');
await page.keyboard.press('Control+z');
await row('moving').waitFor();
await soon(hash, /recordings/);
await opened('moving');
const deleted = [];
page.on('request', (r) => {
  if (r.method() === 'DELETE') deleted.push(r.url());
});
await menu('moving', 'Delete');
await dialog.getByRole('button', { name: 'Delete' }).click();
await row('moving').waitFor({ state: 'detached' });
assert.deepEqual(deleted, []); // it can still be undone
await page.reload(); // leaving the page keeps the promise
await row('sample').waitFor();
await soon(
  () =>
    page.evaluate(async () => {
      const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
      return (await (await fetch('anymotion/v1/movies/', { headers: { Authorization: `Bearer ${accessToken}` } })).json()).data
        .map((m) => m.name)
        .includes('moving');
    }),
  false,
);
await soon(() => row('moving').count(), 0);

step('several recordings');
await row('sample')
  .getByRole('link')
  .click({ modifiers: ['Control'] });
await row('missing').getByRole('link').click();
await page.locator('.rail__x').getByText('2 recordings').waitFor();
await sound('several');
await shot('several');
await click('Add a tag');
await page.getByRole('dialog').getByLabel('Tag').fill('knee');
await page.keyboard.press('Enter');
await soon(() => page.locator('.tagx').allTextContents(), ['knee', 'knee']);
const mika = () => page.locator('.list .rec__m', { hasText: 'Mika Tanaka' }).count(),
  days = () => page.locator('.list .rec').evaluateAll((all) => all.filter((a) => a.title.includes('Filmed 4 Mar 2024')).length);
await page.evaluate(async () => {
  const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json(),
    headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
  await fetch('anymotion/v1/subjects/', { method: 'POST', headers, body: JSON.stringify({ name: 'Mika Tanaka' }) });
});
await menu('sample', 'Select');
await row('missing')
  .getByRole('link')
  .click({ modifiers: ['Shift'] });
await click('Person and day');
await page.getByRole('dialog').getByRole('combobox', { name: 'Person' }).selectOption('Mika Tanaka');
await page.getByLabel('Day of filming').fill('2024-03-04');
await sound('person and day');
await shot('several-person');
await click('Keep');
await page.locator('#toast').getByText('2 recordings changed.').waitFor();
await soon(mika, 2);
await soon(days, 2);
await page.keyboard.press('Control+z');
await soon(mika, 0);
await soon(days, 0);
await menu('sample', 'Select');
await row('missing').getByRole('link').click();
await click('Compare two');
await soon(hash, /compare\/\d+\/\d+/);
await page.goto(`${url}#/`);
await row('sample').waitFor();
const links = page.locator('.list .rec');
await links.first().press('ArrowDown');
await soon(() => links.nth(1).evaluate((e) => e === document.activeElement), true, 'the arrows go from row to row');
await click('With care');
await soon(() => row('missing').count(), 1);
await click('With care');
const other = await page.context().newPage(); // a second tab
await other.goto(`${url}#/`);
await other.locator('.list li', { hasText: 'sample' }).getByRole('link').click();
await other.getByRole('heading', { name: 'sample', level: 1 }).waitFor();
await page.bringToFront();
await menu('sample', 'Rename');
await page.getByRole('textbox', { name: 'Name' }).fill('Standing');
await page.keyboard.press('Enter');
await row('Standing').waitFor();
await other.getByRole('heading', { name: 'Standing', level: 1 }).waitFor();
await other.locator('.list li', { hasText: 'Standing' }).waitFor();
await other.close();
await sound('the list');

step('the list in Japanese');
await click('日本語');
await translated(row('Standing').locator('.tagx'), /Squats, week 6|Standing|missing|broken|moving|^knee$/);

await finish();
