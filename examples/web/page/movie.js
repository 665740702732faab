// @ts-check
// A movie: its keypoints are found in a Worker, and shown as they are.
import { h, button } from './base/dom.js';
import { Playhead } from './player/playhead.js';
import { Stage } from './player/stage.js';
import { extract } from './package/extract.js';

export const isMovie = (file) => file.type.startsWith('video/') || /\.(mp4|mov|m4v|webm|mkv|avi)$/i.test(file.name);

// kept resolves once the browser has all that a movie needs, or cannot keep it.
export const kept = keep().catch(() => false);
async function keep() {
  if (!location.protocol.startsWith('http') || !navigator.serviceWorker) return false;
  const all = await navigator.serviceWorker.register('offline.js');
  const coming = all.installing ?? all.waiting;
  if (!all.active && coming)
    await new Promise((done) =>
      coming.addEventListener('statechange', () => ['activated', 'redundant'].includes(coming.state) && done(null)),
    );
  return Boolean(all.active);
}

// find returns the keypoints of a movie as JSON, and shows them in place meanwhile; w gives the words. It is null if somebody stops it.
/** @param {File} file @param {'fast' | 'balanced'} setting @param {Element} place @param {(text: string) => string} w */
export async function find(file, setting, place, w) {
  const canvas = h('canvas'),
    playhead = new Playhead([0]),
    stage = new Stage(playhead),
    bar = h('progress', { label: w('Progress') }),
    count = h('span', { class: 'quiet' }, w('The networks are fetched, once: 26 MB')),
    stopped = new AbortController();
  const stop = button(w('Stop'), () => stopped.abort(), { class: 'btn--line' });
  place.replaceChildren(
    h(
      'main',
      { class: 'tab tab--movie', id: 'main' },
      h('h1', {}, file.name),
      h('section', { class: 'film', label: 'player.title' }, stage.el),
      h('div', { class: 'tab__f' }, bar, count, stop),
    ),
  );
  const paint = ({ picture, turn, width, height }) => {
    const { a, b, c, d } = turn,
      scale = picture.width / (a ? width : height);
    if (!stage.media) {
      [canvas.width, canvas.height] = [width * scale, height * scale];
      stage.load({ media: /** @type {any} */ (canvas), size: [width, height], frames: [{}], follow: false });
    }
    const to = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    to.setTransform(a, b, c, d, a + c < 0 ? canvas.width : 0, b + d < 0 ? canvas.height : 0);
    to.drawImage(picture, 0, 0);
    picture.close();
  };
  await kept;
  count.textContent = w('The networks are started');
  try {
    return await extract(file, {
      setting,
      signal: stopped.signal,
      source: new URL('package/extract/worker.js', document.baseURI),
      found: (found) => {
        Object.assign(bar, { max: Math.max(found.of, found.frame + 1), value: found.frame + 1 });
        count.textContent = `${found.frame + 1} / ${found.of} ${w('frames')}`;
        if (!found.picture) return; // the skeleton goes with its picture
        paint(found);
        stage.points([found.keypoint]);
      },
    });
  } catch (e) {
    if (stopped.signal.aborted) return null;
    throw e;
  }
}
