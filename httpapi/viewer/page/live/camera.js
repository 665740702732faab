// @ts-check
// The browser's camera: which there are, why one cannot be used, and its pictures as JPEG.
import { h } from '../base/dom.js';

const longest = 640; // pixels of the longer side of a picture that is sent
const rate = 30; // pictures a second

// why is the key of what went wrong with a camera.
const why = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'nothing',
  OverconstrainedError: 'nothing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

export class Camera extends EventTarget {
  /** @type {MediaStream | null} */
  #stream = null;
  #canvas = document.createElement('canvas');
  #ink = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d', { alpha: false }));
  #last = -1; // time of the picture before, microseconds
  #turn = 0;
  #encodes = false;
  list = []; // {id, name} of the cameras; names are known once one may be used

  // video is the element that shows the camera.
  video = h('video', {
    muted: true,
    playsInline: true,
    tabIndex: -1,
    'aria-hidden': 'true',
    on: {
      resize: () => {
        if (this.on && this.video.videoWidth) this.dispatchEvent(new Event('size'));
      },
    },
  });

  get on() {
    return Boolean(this.#stream?.active);
  }

  get stream() {
    return this.#stream;
  }

  get #settings() {
    return this.#stream?.getVideoTracks()[0]?.getSettings() ?? {};
  }

  // id is that of the camera in use.
  get id() {
    return this.#settings.deviceId ?? '';
  }

  // rate is how many pictures a second the camera gives.
  get rate() {
    return this.#settings.frameRate || rate;
  }

  // faces reports whether the camera looks at who looks at the screen, as that of a phone's front does.
  get faces() {
    return this.#settings.facingMode === 'user';
  }

  // size is that of the pictures that are sent.
  /** @returns {Place} */
  get size() {
    const { videoWidth: w, videoHeight: h } = this.video;
    const k = Math.min(1, longest / Math.max(w, h, 1));
    return [Math.round(w * k), Math.round(h * k)];
  }

  // open starts a camera, by its id, or the one that the browser takes of those that face the user or the environment.
  // If that is not possible, the event "lost" has the key of what is wrong: insecure, denied, nothing, busy or, later, gone.
  async open(id = '', facingMode = 'user') {
    this.close();
    if (!navigator.mediaDevices?.getUserMedia) return this.#lose('insecure');
    const turn = ++this.#turn;
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: false,
        video: {
          width: { ideal: 1280 },
          height: { ideal: 720 },
          frameRate: { ideal: rate },
          ...(id ? { deviceId: { exact: id } } : { facingMode }),
        },
      });
    } catch (e) {
      if (turn === this.#turn) this.#lose(why[e.name] ?? 'busy');
      return;
    }
    if (turn !== this.#turn) {
      // closed meanwhile
      for (const track of stream.getTracks()) track.stop();
      return;
    }
    this.#stream = stream;
    stream.getVideoTracks()[0].addEventListener('ended', () => {
      if (stream === this.#stream) this.#lose('gone');
    });
    this.video.srcObject = stream;
    await this.video.play().catch(() => {});
    const all = await navigator.mediaDevices.enumerateDevices();
    this.list = all.filter((d) => d.kind === 'videoinput').map((d) => ({ id: d.deviceId, name: d.label }));
  }

  #lose(detail) {
    this.dispatchEvent(new CustomEvent('lost', { detail }));
  }

  // show shows the camera on the stage of a view.
  show({ stage, el }) {
    stage.load({ media: this.video, size: this.size, frames: [], scores: [], follow: false });
    el.style.setProperty('--ratio', String(stage.size[0] / stage.size[1]));
  }

  close() {
    this.#turn++;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this./** @type {MediaStream | null} */ #stream = null;
    this.video.srcObject = null;
  }

  // watch calls back with the time of each picture that the camera shows, in microseconds, until the signal
  // ends.
  watch(signal, picture) {
    const { video } = this;
    const tell = (ms) => {
      const time = Math.round(1000 * ms);
      if (time <= this.#last || !video.videoWidth) return;
      this.#last = time;
      picture(time);
    };
    if ('requestVideoFrameCallback' in video) {
      const next = (now, { captureTime = now }) => {
        if (signal.aborted) return;
        video.requestVideoFrameCallback(next);
        tell(captureTime);
      };
      video.requestVideoFrameCallback(next);
      return;
    }
    const timer = setInterval(() => tell(performance.now()), 1000 / rate);
    signal.addEventListener('abort', () => clearInterval(timer));
  }

  // take returns the picture that is shown as a JPEG, null where the browser makes none, and while it makes one.
  async take(quality) {
    if (this.#encodes) return null;
    this.#encodes = true;
    const [width, height] = this.size;
    if (this.#canvas.width !== width || this.#canvas.height !== height) Object.assign(this.#canvas, { width, height });
    this.#ink.drawImage(this.video, 0, 0, width, height);
    const jpeg = await /** @type {Promise<Blob | null>} */ (new Promise((done) => this.#canvas.toBlob(done, 'image/jpeg', quality)));
    this.#encodes = false;
    return jpeg;
  }
}
