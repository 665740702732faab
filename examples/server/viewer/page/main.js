// The page: who signs in, what is uploaded, which recording is open.
import { h, button, save, csv } from './dom.js';
import { choose, language, say, speak } from './i18n.js';
import { API, Problem } from './api.js';
import { Comparing } from './comparing.js';
import { Drawing } from './drawing.js';
import { Player } from './player.js';
import { Quality } from './quality.js';
import { nameOf, Recordings } from './recordings.js';
import { Session } from './session.js';
import { listed } from './skeleton.js';
import { Tabs } from './tabs.js';
import { Uploads } from './uploads.js';
import { Values } from './values.js';

const at = (id) => document.getElementById(id);
const session = new Session(at('login'));
const api = new API(session);
const alarm = at('alarm');

function wrong(e) {
  say(at('alarm-words'), e?.key ?? 'error.page', e?.args ?? { words: String(e?.message ?? e) });
  alarm.hidden = false;
}
addEventListener('unhandledrejection', (e) => { wrong(e.reason); if (e.reason instanceof Problem) e.preventDefault(); });
at('alarm-close').addEventListener('click', () => { alarm.hidden = true; });

const recordings = new Recordings(api, (item) => open(item), (item) => {
  if (item.id !== shown) return;
  shown = 0;
  turn++;
  view.hidden = true;
});
const uploads = new Uploads(api, (record) => { wanted = record.id; recordings.refresh(); });
const player = new Player();
player.addEventListener('problem', (e) => wrong(new Problem(e.detail)));
const quality = new Quality((frame) => player.step(frame - player.frame));
player.below.append(quality.strip);
const values = new Values(api, player);
const comparing = new Comparing(api, player, recordings, read);
const drawing = h('div', {});
const data = h('div', {});
const title = h('h2', { tabIndex: -1 });
const tabs = new Tabs({ 'tab.values': values.el, 'tab.drawing': drawing, 'tab.compare': comparing.el, 'tab.data': data });
const view = h('section', { class: 'view card', hidden: true, label: 'view.title' }, title, quality.el, h('div', { class: 'halves' }, player.el, tabs.el));

let wanted = 0; // the record that is opened when it is done: the one uploaded last
let shown = 0; // the record that is open
let turn = 0;
document.addEventListener('recordings', () => {
  const item = recordings.items.find((i) => i.id === wanted);
  if (item?.execStatus === 'SUCCESS') open(item);
  else if (item?.execStatus === 'FAILURE') wanted = 0;
});

// read reads a recording with its points, scores, times and changes. An image has no times.
async function read(item) {
  const [record, media] = await Promise.all([
    api.get(`keypoints/${item.id}/?include=scores,timestamps,changes`), recordings.media(item)]);
  return { ...record, media, frames: record.keypoint, times: record.movie ? record.timestamps : null };
}

// open shows a recording.
async function open(item) {
  wanted = 0;
  const mine = ++turn;
  const recording = await read(item);
  if (mine !== turn) return;
  shown = item.id;
  view.hidden = false;
  title.textContent = nameOf(recording);
  recordings.mark(item.id);
  player.load(recording);
  quality.load(recording);
  drawing.replaceChildren(new Drawing(api, { keypointId: recording.id }, Boolean(recording.movie)).el);
  data.replaceChildren(...facts(recording));
  comparing.load(recording);
  title.focus({ preventScroll: true });
  view.scrollIntoView({ block: 'start' });
  await values.load(recording);
}

// facts shows what a recording is, and its downloads.
function facts(recording) {
  const { media, frames } = recording;
  const found = frames.filter((f) => Object.keys(f).length > 0).length;
  const row = (key, value) => [h('dt', { t: key }), h('dd', {}, String(value))];
  const list = [...row('data.size', `${media.width} × ${media.height}`), ...row('data.frames', frames.length), ...row('data.found', found)];
  if (recording.movie) list.push(...row('data.fps', media.fps), ...row('data.time', media.time));
  const { media: _, frames: __, times: ___, ...record } = recording;
  const name = `keypoints-${recording.id}`;
  return [h('dl', {}, ...list), h('p', { class: 'downloads' },
    button('save.json', () => save(`${name}.json`, 'application/json', JSON.stringify(record))),
    button('save.csv', () => save(`${name}.csv`, 'text/csv', points(recording))))];
}

// points writes a recording as CSV, a row for each frame.
function points({ frames, times, scores }) {
  const parts = listed(frames);
  const head = ['frame', 'seconds', ...parts.flatMap((p) => [`${p} x`, `${p} y`, `${p} score`])];
  return csv([head, ...frames.map((f, i) =>
    [i, times?.[i], ...parts.flatMap((p) => [f[p]?.[0], f[p]?.[1], f[p] && scores?.[i]?.[p]])])]);
}

at('side').append(uploads.el, recordings.el);
at('main').append(view);
at('language').value = language;
at('language').addEventListener('change', (e) => choose(e.target.value));
at('out').addEventListener('click', () => session.out());
if (sessionStorage.getItem('motion-token')) document.body.classList.add('named');
speak();
recordings.refresh();
