// @ts-check
// A recording that is shown beside another: its movie or image with the skeleton, and its measures.
import { h } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { mend } from '../player/mend.js';
import { Playhead } from '../player/playhead.js';
import { Stage } from '../player/stage.js';
import { Measures } from './measures.js';

// beside reads a keypoint record by its id, of one of its people. The url has to be revoked if it is a blob's.
/** @param {any} app @param {number} id @param {number} person @param {AbortSignal} signal */
export async function beside(app, id, person, signal) {
  const record = app.library.moving(
    await app.api.get(`keypoints/${id}/?include=scores,timestamps,hidden${person ? `&person=${person}` : ''}`, signal),
  );
  const media = await app.library.media(record);
  const url = await app.library.source(record, media);
  const movie = Boolean(record.movie);
  /** @type {Recording & {name: string}} */
  const r = {
    ...record,
    media,
    person,
    frames: record.keypoint ?? [],
    times: movie ? (record.timestamps ?? [0]) : [0],
    name: media.name || t('list.unnamed'),
  };
  r.span = [0, r.times.length - 1];
  const slow = r.capture?.frameRate && media.fps ? r.capture.frameRate / media.fps : 1;
  const element = !url
    ? null
    : movie
      ? h('video', { src: url, muted: true, playsInline: true, preload: 'auto', tabIndex: -1, 'aria-hidden': 'true' })
      : h('img', { src: url, alt: '' });
  element?.classList.toggle('mirrored', Boolean(r.mirrored));
  const playhead = new Playhead(
      r.times,
      r.times.map((s) => s * slow),
    ),
    stage = new Stage(playhead);
  stage.load({
    hidden: r.hidden,
    media: element,
    size: [media.width, media.height],
    frames: r.frames,
    scores: r.scores,
  });
  if (element instanceof HTMLVideoElement) playhead.attach(element);
  if (element) mend(app, element, r, { stage, signal, lost: () => stage.tell('player.unplayable') });
  else stage.tell(app.library.given(record) ? 'player.given' : 'player.noFile');
  return { record: r, playhead, stage, element, url, measures: new Measures(app.api, r) };
}
