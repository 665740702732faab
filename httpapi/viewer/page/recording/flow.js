// @ts-check
// A recording on its way: while its file is sent and the service looks for the body, the movie plays and the
// progress is told in the same frame.
import { h, card, release, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { say } from '../base/i18n.js';
import { Problem } from '../base/api.js';
import { angles } from '../numbers/measures.js';
import { Early } from './early.js';
import { heights, PITCH } from './height.js';
import { Playhead } from '../player/playhead.js';
import { Stage } from '../player/stage.js';
import { buttons } from '../player/transport.js';

const pause = (ms, signal) =>
  /** @type {Promise<void>} */ (
    new Promise((done) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          done();
        },
        { once: true },
      );
    })
  );

export class Flow {
  #app;
  #film;
  #side;
  #title;
  #end;
  #url = '';
  #failed = false; // and is told why
  /** @type {any} */
  media = null; // the video or img element
  /** @type {Playhead} */
  playhead; // from where there is something to show
  /** @type {Stage} */
  stage;

  // film, side and title are the elements of the view; end is its AbortSignal.
  constructor(app, { film, side, title, end }) {
    this.#app = app;
    this.#film = film;
    this.#side = side;
    this.#title = title;
    this.#end = end;
  }

  // close stops the movie.
  close() {
    this.playhead?.detach();
    release(this.media);
    if (this.#url.startsWith('blob:')) URL.revokeObjectURL(this.#url);
  }

  // upload shows a movie that is being sent.
  upload(upload) {
    const asks =
      upload.kind === 'movies'
        ? (camera) => {
            upload.cameraPitch = PITCH[camera];
          }
        : null;
    const tell = () => {
      if (this.#end.aborted) return;
      if (upload.problem) this.#wait({ name: upload.name, problem: upload.problem });
      else this.#wait({ name: upload.name, key: upload.state, part: upload.part, asks, again: upload.again });
    };
    this.#pending(
      upload.kind === 'images',
      upload.kind && upload.kind !== 'keypoints' && upload.file.size ? URL.createObjectURL(upload.file) : '',
    );
    tell();
    this.#app.uploads.addEventListener('change', tell, { signal: this.#end });
  }

  // record waits for a keypoint record of somebody to be done, and returns it with its media: nothing where it has
  // failed, which is told, or where the view is left. One that is made of several is returned at once.
  async record(id, person) {
    const signal = this.#end;
    let shown = false;
    for (let ms = 150; ; ms = Math.min(this.#part > 0.8 ? 150 : this.#part > 0 ? 300 : 1500, ms * 1.2)) {
      const { frames } = this.#found,
        early = this.early?.wants(frames.length) ? ',preliminary' : '',
        of = person ? `&person=${person}` : '';
      const { record, media } = await this.#app.api.patiently(async () => {
        const record = await this.#app.api.get(
          `keypoints/${id}/?include=scores,timestamps,changes,hidden,found,recordedAt,newer,ahead${early}&foundFrom=${frames.length}${of}`,
          signal,
        );
        return { record, media: await this.#app.library.media(record) };
      }, signal);
      if (signal.aborted) return null;
      if (record.keypointIds) return { record, media };
      if (!shown) await this.#source(record, media);
      if (signal.aborted) return null;
      shown = true;
      if (record.execStatus === 'SUCCESS') return { record, media };
      this.#pending(Boolean(record.image), this.#url, this.media);
      if (record.execStatus === 'FAILURE') {
        this.#wait({ name: media.name, problem: new Problem(record.failureDetail) });
        return null;
      }
      if (record.movie) this.#grow(record, media);
      const key =
        record.execStatus === 'PROCESSING'
          ? 'state.finding'
          : record.ahead > 0
            ? `wait.ahead.${record.ahead === 1 ? 'one' : 'more'}`
            : 'state.UNPROCESSED';
      const asks = record.movie && !record.keypointId && record.cameraPitch === undefined ? () => {} : null;
      this.#wait({ name: media.name, key, part: this.#part, ahead: record.ahead, asks });
      if (record.preliminary) this.#tell(record, media);
      await pause(ms, signal);
    }
  }

  // source finds the picture or movie itself, and makes its element.
  async #source(record, media) {
    this.#url = (await this.#app.library.source(record, media)) ?? '';
    if (!this.#url) return;
    this.media = this.#element(Boolean(record.image), this.#url);
    this.media.classList.toggle('mirrored', Boolean(record.mirrored));
  }

  #element(image, url) {
    return image
      ? h('img', { src: url, alt: '', draggable: false })
      : h('video', { src: url, muted: true, playsInline: true, preload: 'auto', loop: false, tabIndex: -1, 'aria-hidden': 'true' });
  }

  /** @type {{frames: Frame[], times: number[], progress: number}} */
  #found = { frames: [], times: [], progress: 0 }; // while the body is being found
  #part = 0; // of the work that is done
  /** @type {[number, number] | null} */
  #round = null; // what plays: a loop that nobody has chosen
  /** @type {Early | null} */
  early = null; // from where numbers can be told of a movie

  // grow shows the skeleton in the frames that have been found, and lets the movie play these.
  #grow({ id, found, progress, capture }, { fps }) {
    if (progress < this.#found.progress) this.#found = { frames: [], times: [], progress: 0 }; // the work has begun again
    this.#found.progress = progress ?? 0;
    const { frames, times } = this.#found;
    if (found?.keypoint.length && found.from === frames.length) {
      frames.push(...found.keypoint);
      times.push(...found.timestamps);
    }
    const rate = fps || 30,
      last = times.at(-1) ?? -1 / rate,
      length = this.media?.duration;
    const end = Number.isFinite(length) ? length : 0; // those of a browser's recorder do not tell
    const rest = Array.from({ length: Math.max(1, Math.round((end - last) * rate) - 1) }, (_, i) => last + (i + 1) / rate);
    this.#part = Math.max(progress ?? 0, frames.length && end ? frames.length / (frames.length + rest.length) : 0);
    this.playhead.retime([...times, ...rest]);
    this.#app.library.at(id, this.#part);
    this.stage.points(frames, null);
    if (frames.length > 1 && this.playhead.loop === this.#round) this.playhead.loop = this.#round = [0, frames.length - 1];
    if (end && !capture) this.early ??= new Early(this.#app.api, this.playhead); // the axis has the length of the movie
  }

  // tell shows what is preliminary.
  #tell({ id, movie, preliminary }, media) {
    const { frames } = this.#found,
      { times } = this.playhead,
      early = this.early,
      wait = this.#side.querySelector('.wait');
    if (!early || !wait || preliminary.frames > frames.length) return;
    early.show(preliminary, { id, media, movie, frames, times });
    this.#film.querySelector('.time--empty')?.replaceWith(early.timeline.el);
    say(wait.querySelector('.foot'), 'wait.early', { to: times[preliminary.frames - 1].toFixed(1) });
    if (!early.el.isConnected) this.#side.lastElementChild?.replaceWith(early.el);
  }

  // pending shows the movie by itself, the whole picture: what is found would move it.
  #pending(image, url, element) {
    if (this.playhead) return;
    this.#url ||= url;
    this.media ??= element ?? (url ? this.#element(image, url) : null);
    this.playhead = new Playhead([0]);
    this.stage = new Stage(this.playhead);
    this.#film.replaceChildren(
      this.stage.el,
      h('div', { class: 'tools tools--empty' }),
      h(
        'div',
        { class: 'transport' },
        h(
          'div',
          { class: 'transport__l' },
          ...(image || !this.media ? [] : buttons(this.playhead)),
          h('span', { class: 'clock transport__w', 'aria-hidden': 'true' }),
        ),
      ),
      h('div', { class: 'time time--empty' }),
    );
    const m = this.media;
    const fit = () =>
      this.stage.load({
        media: m,
        size: [m?.videoWidth || m?.naturalWidth || 16, m?.videoHeight || m?.naturalHeight || 9],
        frames: this.#found.frames,
        scores: null,
        follow: false,
      });
    fit();
    if (!m) return;
    m.addEventListener(image ? 'load' : 'loadedmetadata', fit, { once: true });
    if (!image) {
      m.loop = true;
      this.playhead.attach(m);
      this.playhead.play();
    }
    m.addEventListener(
      'error',
      () => {
        if (!this.#failed) this.stage.tell('player.unplayable');
      },
      { once: true },
    );
  }

  /** @type {(() => void) | null} */
  #again = null; // sends a file that was cut off

  camera = 'unknown'; // how high it was, where that has been told

  // wait tells how far the work is, where the verdict will be, and asks meanwhile how high the camera was.
  /** @param {{name?: string, key?: string, part?: number, ahead?: number, problem?: Problem,
   *   asks?: ((camera: string) => void) | null, again?: (() => void) | null}} state */
  #wait({ name, key = '', part = 0, ahead, problem, asks, again = null }) {
    this.#title.textContent = name ?? '';
    if (problem) {
      this.#failed = true;
      this.stage.tell();
      this.#side.replaceChildren(
        h(
          'section',
          { class: 'verdict verdict--bad', role: 'alert' },
          h('div', {}, h('h2', {}, icon('care'), span('wait.failed')), h('p', { t: problem.key, args: problem.args })),
        ),
      );
      return;
    }
    if (!this.#side.querySelector('.wait')) {
      const rows = ['knee', 'hip'].flatMap((name) =>
        ['left', 'right'].map((side) =>
          h(
            'tr',
            {},
            h(
              'th',
              { scope: 'row' },
              h('span', { class: 'j' }, h('i', { class: `dot ${side}` }), span(`joint.${side}.${angles[name].type}`)),
            ),
            h('td', {}, '–'),
          ),
        ),
      );
      const head = ['values.of', 'values.most'];
      this.#side.replaceChildren(
        h(
          'section',
          { class: 'card wait', role: 'status' },
          h('h2', {}, h('span')),
          h('progress', { class: 'prog', max: 1, label: 'wait.progress' }),
          h('p', { class: 'foot', t: 'wait.plays' }),
          h('button', { type: 'button', class: 'btn btn--line', t: 'live.again', on: { click: () => this.#again?.() } }),
        ),
        ...(asks ? [card('setup.camera', {}, this.#heights(asks))] : []),
        card(
          'values.title',
          {},
          h(
            'table',
            { class: 'tbl tbl--v' },
            h('thead', {}, h('tr', {}, ...head.map((k) => h('th', { scope: 'col', t: k })))),
            h('tbody', {}, ...rows),
          ),
        ),
      );
    }
    for (const el of [this.#side.querySelector('.wait h2 span'), this.#film.querySelector('.transport__w')])
      if (el) say(el, key, { percent: Math.round(100 * part), n: ahead });
    this.#side.querySelector('.wait progress').value = part;
    this.#again = again;
    this.#side.querySelector('.wait button').hidden = !again;
    say(this.#side.querySelector('.wait .foot'), again ? 'wait.back' : 'wait.plays');
    if (key === 'state.finding') this.#film.querySelector('.time--empty')?.style.setProperty('--part', part);
  }

  #heights(told) {
    return heights(this.camera, (v) => {
      this.camera = v;
      told(v);
    });
  }

  // settle gives the playhead the times of the record that is done. It returns whether the movie plays already.
  settle(times, film) {
    const waited = Boolean(this.playhead);
    if (waited) this.playhead.retime(times, film);
    if (this.playhead?.loop === this.#round) this.playhead.loop = null;
    this.playhead ??= new Playhead(times, film);
    this.stage ??= new Stage(this.playhead);
    return waited;
  }
}
