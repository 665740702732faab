// @ts-check
// The browser's recorder: what the camera shows, as a file.

// types are those that the service reads, the one that plays in most places first.
const types = ['video/mp4;codecs=avc1.42E01E', 'video/mp4', 'video/webm;codecs=vp8', 'video/webm'];
const type = globalThis.MediaRecorder && types.find((name) => MediaRecorder.isTypeSupported(name));

export class Recorder {
  #app;
  #camera;
  /** @type {MediaRecorder | null} */
  #recorder = null;
  #timer = 0;
  seconds = 0; // that are recorded
  most = 60; // seconds that the service takes

  // possible reports whether the browser can record what the service reads.
  static possible = Boolean(type);

  // camera gives the stream.
  constructor(app, camera) {
    this.#app = app;
    this.#camera = camera;
  }

  get on() {
    return Boolean(this.#recorder);
  }

  // start records under a name until it is stopped, or the service takes no more; tell is called twice a second. It returns the file,
  // null where nothing can be recorded.
  /** @param {string} name @param {() => void} tell @returns {Promise<File | null>} */
  async start(name, tell) {
    if (this.on || !this.#camera.on || !type) return null;
    const recorder = new MediaRecorder(this.#camera.stream, { mimeType: type, videoBitsPerSecond: 5e6 });
    /** @type {Blob[]} */
    const parts = [];
    recorder.addEventListener('dataavailable', (e) => {
      if (e.data.size) parts.push(e.data);
    });
    const stopped = new Promise((done) => recorder.addEventListener('stop', done));
    recorder.start(1000);
    this.#recorder = recorder;
    this.seconds = 0;
    this.most = 60;
    // The service takes fewer pictures than its limit; cameras do not keep their rate exactly.
    this.#app.uploads.limits().then(
      ({ frames }) => {
        this.most = Math.floor(Math.min(3600, (0.97 * frames) / this.#camera.rate));
      },
      () => {},
    );
    tell();
    this.#timer = setInterval(() => {
      if (recorder.state === 'recording') this.seconds += 0.5;
      if (this.seconds >= this.most) this.stop();
      tell();
    }, 500);
    await stopped;
    if (this.#recorder === recorder) this.#end();
    return new File(parts, `${name}.${type.includes('mp4') ? 'mp4' : 'webm'}`, { type: type.split(';')[0] });
  }

  #end() {
    clearInterval(this.#timer);
    this.#recorder = null;
  }

  // stop ends the recording.
  stop() {
    const recorder = this.#recorder;
    this.#end();
    if (recorder?.state !== 'inactive') recorder?.stop();
  }

  // pause leaves out what follows, until it goes on.
  pause(on) {
    if (on) this.#recorder?.pause();
    else this.#recorder?.resume();
  }
}
