// @ts-check
// Turning a movie that lies on its side: the same pictures are added once more, upright.
import { jobButton } from '../base/dom.js';
import { Problem } from '../base/api.js';
import { address } from '../base/route.js';
import { fileOf } from '../library/files.js';
import { middle } from '../player/bodies.js';

// clockwise is whether the heads point to the left of the picture.
/** @param {Frame[]} frames */
function clockwise(frames) {
  const sides = frames.map((f) => Math.sign((middle(f, 'Ankle')?.[0] ?? 0) - (middle(f, 'Shoulder')?.[0] ?? 0)));
  return sides.reduce((a, b) => a + b, 0) > 0;
}

// turnButton turns the movie of a recording upright and adds it.
/** @param {any} app @param {Recording} recording */
export const turnButton = (app, recording) =>
  jobButton(
    app,
    'turn.do',
    async () => {
      const { media, frames } = recording,
        held = fileOf(media),
        url = held ? '' : await app.library.source(recording, media),
        file = held ?? (url && (await (await fetch(url)).blob()));
      const { turned } = await import('../library/mp4.js'),
        upright = file && (await turned(file, clockwise(frames), `${media.name || 'movie'}.mp4`));
      if (!upright) throw new Problem('turn.cannot');
      const [upload] = app.uploads.add([upright], recording.subjectId);
      location.hash = address(['uploads', upload.n]);
    },
    { icon: 'undo', class: 'btn--primary btn--small' },
  );
