// Names that are written to do harm: everywhere they are text, as they were given, and what stands beside them stays as it is.
//
// usage: node hostile.mjs MODULES CHROMIUM FOLDER URL IMAGE
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { args, click, downloaded, finish, launch, opened, page, reported, row, soon, sound, step, visit } from './page.mjs';

const [url, image] = args;
const names = {
  html: '<img src=x onerror="hacked=1"><b>bold</b>',
  script: '"></title></style><script>hacked=2</script><!-- ${7*7} $& %s',
  quotes: `O'Neil "Bo" & Söhne \\`,
  turned: 'photo\u202egpj.exe\u2066',
  arabic: 'محمد',
  member: 'constructor',
  broken: 'two\nlines\u200b',
  formula: '=HYPERLINK("http://evil.example","x")',
  long: 'W'.repeat(400),
};
const turning = /[\u202a-\u202e\u2066\u2067]/;
const shown = (name) => name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

// ask calls the service as the page's own client.
const ask = (method, address, body) =>
  page.evaluate(
    async ([how, to, what]) => {
      const { accessToken } = await (await fetch('viewer/token', { method: 'POST' })).json();
      const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`anymotion/v1/${to}`, { method: how, headers, body: what && JSON.stringify(what) });
      if (!answer.ok) throw new Error(`${how} ${to}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    [method, address, body],
  );

// harmless checks that no name has become anything else than text, in the page and in the report that it shows.
async function harmless(state) {
  const found = await page.evaluate((pattern) => {
    const bad = [],
      turns = new RegExp(pattern);
    if ('hacked' in globalThis) bad.push(`a script has run: ${globalThis.hacked}`);
    for (const doc of [document, ...[...document.querySelectorAll('iframe')].map((f) => f.contentDocument)].filter(Boolean)) {
      for (const el of doc.querySelectorAll('*')) {
        if (el.matches('script:not([src]), [src="x"]') || (el.matches('b') && el.textContent === 'bold')) bad.push(el.outerHTML);
        for (const { name, value } of el.attributes) if (/^on/.test(name) || turns.test(value)) bad.push(`${el.tagName} ${name}=${value}`);
      }
      const words = doc.createTreeWalker(doc, NodeFilter.SHOW_TEXT);
      while (words.nextNode()) if (turns.test(words.currentNode.data)) bad.push(words.currentNode.data);
      if (turns.test(doc.title)) bad.push(`the title ${doc.title}`);
    }
    return bad;
  }, turning.source);
  assert.deepEqual(found, [], state);
  await sound(state);
}

await launch();
step('files with such names', 300);
await visit(url);
const data = fs.readFileSync(image);
const kinds = Object.keys(names).slice(0, 3);
await page.locator('#files').setInputFiles(
  [...kinds, 'turned'].map((kind, i) => ({
    name: `${names[kind]}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([data, Buffer.from([i])]),
  })),
);
for (const kind of [...kinds, 'turned']) await row(shown(names[kind])).locator('.sign').waitFor({ timeout: 250_000 });
await harmless('the list');

step('people, tags and notes with such names');
const records = (await ask('GET', 'keypoints/')).data.reverse();
assert.equal(records.length, 4);
const people = {};
for (const [kind, name] of Object.entries(names)) people[kind] = (await ask('POST', 'subjects/', { name, note: name })).id;
const tags = [names.html, names.quotes, names.arabic, names.member, names.formula].map((name) => name.slice(0, 40));
for (const [i, kind] of [...kinds, 'turned'].entries()) {
  const subjectId = people[['html', 'script', 'quotes', 'turned'][i]];
  await ask('PATCH', `images/${records[i].image}/`, { name: names[kind], subjectId, tags, text: names[kind] });
  await ask('PATCH', `keypoints/${records[i].id}/`, { notes: [{ text: `${names[kind]} ${names.turned}` }] });
}
await page.reload();

step('recordings');
for (const [i, kind] of [...kinds, 'turned'].entries()) {
  await page.goto(`${url}#/recordings/${records[i].id}`);
  await opened(shown(names[kind]));
  await soon(
    () => page.locator('h1').first().textContent(),
    (now) => now.includes(shown(names[kind])),
  );
  await harmless(`the recording ${kind}`);
}
await row(shown(names.html)).locator('.rec__k').click();
await harmless('the menu');
await page.keyboard.press('Escape');

step('what selects');
for (const n of [0, 1]) {
  await page.locator('.rail__f button').nth(n).click();
  await page.getByRole('menuitemradio', { name: n ? tags[0] : names.html, exact: true }).waitFor();
  await harmless(`the filter ${n}`);
  await page.getByRole('menuitemradio', { name: n ? tags[0] : names.html, exact: true }).click();
  await harmless(`what filter ${n} selects`);
}
await soon(() => page.locator('.list .rec__n').allTextContents(), [names.html]);

step('the report and the table');
await page.goto(`${url}#/recordings/${records[1].id}`);
await opened(names.script);
await click('Report');
await page.frameLocator('.sheet__f').locator('main').waitFor();
await soon(
  () => page.frameLocator('.sheet__f').locator('h1').first().textContent(),
  (now) => now.includes(names.script),
);
await harmless('the report');
await page.locator('.sheet').getByRole('button', { name: 'Close' }).click();
const report = await reported('Report');
assert.ok(!/[\\/:*?"<>|\u0000-\u001f\u202e]/.test(report.name), report.name);

step('the people');
for (const [kind, name] of Object.entries(names)) {
  await page.goto(`${url}#/people/${people[kind]}`);
  const title = page.locator('h1 span').first();
  await soon(() => title.textContent(), shown(name));
  await harmless(`the person ${kind}`);
}
await page.goto(`${url}#/people/${people.html}`);
await page.locator('.se li').first().waitFor();
const csv = await downloaded('CSV');
assert.ok(!/[\\/:*?"<>|]/.test(csv.name), csv.name);

step('they can be erased by their names');
for (const [kind, typed] of Object.entries({ ...names, turned: shown(names.turned), broken: 'two lines' })) {
  await page.goto(`${url}#/people/${people[kind]}`);
  await soon(() => page.locator('h1 span').first().textContent(), shown(names[kind]));
  await click('Erase everything …');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(typed);
  await harmless(`erasing ${kind}`);
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page.locator('#people-erased').waitFor();
  await harmless(`${kind} is erased`);
  if (kind === 'arabic') assert.equal(await page.locator('#people-erased').textContent(), '\u2068محمد\u2069 is erased');
}
assert.deepEqual((await ask('GET', 'subjects/')).data, []);
await finish();
