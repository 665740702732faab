// @ts-check
// A movie or picture that the browser cannot show is converted. A movie that breaks off gets a new link.

const nothing = { drawingType: 'label', points: ['nose'], text: ' ' }; // a drawing that is the picture alone

// converted returns the address of a copy for every browser.
async function converted(api, id, options) {
  const kept = `motion-copy-${id}`,
    made = localStorage.getItem(kept);
  if (made) {
    const { drawingUrl } = await api.finished(`drawings/${made}/`, options).catch(() => ({ drawingUrl: null })); // it may be deleted
    if (drawingUrl) return drawingUrl;
    options.signal.throwIfAborted();
  }
  const copy = await api.post('drawings/', { keypointId: id, rule: [nothing], shrink: true }, options.signal);
  localStorage.setItem(kept, copy.id);
  return (await api.finished(`drawings/${copy.id}/`, options)).drawingUrl;
}

// unseen tells whether nothing can be seen: of HEVC with sound some browsers play the sound alone.
const unseen = (media) =>
  media instanceof HTMLVideoElement
    ? Boolean(media.error) || (media.readyState > 0 && !media.videoWidth)
    : media.complete && !media.naturalWidth;

// mend watches the video or img element of a record that is shown on a stage, and mends it. lost is called if that fails.
/** @param {any} app @param {HTMLVideoElement | HTMLImageElement} media @param {any} record
 * @param {{stage: import('./stage.js').Stage, signal: AbortSignal, lost: () => void}} shown */
export function mend(app, media, record, { stage, signal, lost }) {
  const { playhead } = stage;
  let copied = false,
    busy = false;
  const work = async () => {
    const ended = media instanceof HTMLVideoElement && media.error?.code === MediaError.MEDIA_ERR_NETWORK,
      { playing } = playhead;
    playhead.pause();
    if (ended) {
      await app.api.patiently(() => app.api.get(`keypoints/${record.id}/`, signal), signal);
      media.src = (await app.library.source(record, record.media)) ?? '';
    } else if (copied) {
      lost();
      return;
    } else {
      copied = true;
      const tell = (part) => stage.tell('player.converts', { percent: Math.round(100 * (part ?? 0)) });
      tell(0);
      media.src = await converted(app.api, record.id, { signal, tell });
    }
    stage.tell();
    const again = () => {
      playhead.seek(playhead.frame);
      if (playing) playhead.play();
    };
    media.addEventListener('loadeddata', again, { once: true, signal });
  };
  const look = async () => {
    if (busy || signal.aborted || !unseen(media)) return;
    busy = true;
    try {
      await work();
    } catch {
      if (!signal.aborted) lost();
    }
    busy = false;
  };
  for (const event of ['error', 'loadedmetadata']) media.addEventListener(event, look, { signal });
  look();
}
