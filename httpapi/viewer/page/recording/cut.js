// @ts-check
// Choosing the part of a long movie that is sent and measured: two handles below the picture. The movie plays in the
// browser, and is cut there, at pictures that stand alone.
import { h, button, card, release } from '../base/dom.js';
import { say, t } from '../base/i18n.js';
import { frameAt, Playhead } from '../player/playhead.js';
import { Stage } from '../player/stage.js';
import { Timeline } from '../player/timeline.js';
import { Transport } from '../player/transport.js';

const asked = 60; // seconds that are proposed at most

// clock spells seconds as minutes and seconds.
function clock(seconds, digits = 1) {
  const all = Math.round(Math.max(0, seconds) * 10 ** digits),
    minute = 60 * 10 ** digits;
  return `${Math.floor(all / minute)}:${((all % minute) / 10 ** digits).toFixed(digits).padStart(digits ? 3 + digits : 2, '0')}`;
}

export class CutView {
  #app;
  #upload;
  #movie;
  #most;
  #end = new AbortController();
  #playhead;
  #timeline;
  #transport;
  #url;
  /** @type {import('../library/mp4.js').Cut} */
  #cut;
  #span = h('b', {});
  #size = h('p', { class: 'foot', role: 'status' });

  // upload has the movie; most are the limits of the service.
  /** @param {any} app @param {any} upload @param {import('../library/uploads.js').Limits} most */
  constructor(app, upload, most) {
    this.#app = app;
    this.#upload = upload;
    this.#most = most;
    const movie = (this.#movie = upload.movie),
      { times, seconds } = movie,
      whole = this.#fits(movie.cut(times[0], times[0] + seconds));
    this.#url = URL.createObjectURL(upload.file);
    const video = h('video', { src: this.#url, muted: true, playsInline: true, preload: 'auto', tabIndex: -1, 'aria-hidden': 'true' });
    this.#playhead = new Playhead(times);
    this.stage = new Stage(this.#playhead);
    const fit = () => this.stage.load({ media: video, size: [video.videoWidth || 16, video.videoHeight || 9], frames: [], follow: false });
    fit();
    video.addEventListener('loadedmetadata', fit, { once: true });
    video.addEventListener('error', () => this.stage.tell('player.unplayable'), { once: true });
    this.#timeline = new Timeline(this.#playhead, { cut: (end, frame) => this.#move(end, times[frame]) });
    const film = h('section', { class: 'film film--cut', label: 'player.title' });
    this.#transport = new Transport(this.#playhead, film, null);
    this.#transport.loop = () => this.#playhead.repeat(this.#playhead.loop ? null : this.#frames());
    film.append(this.stage.el, h('div', { class: 'tools tools--empty' }), this.#transport.el, this.#timeline.el);
    const [key, args] =
      upload.file.size > most.uploadBytes
        ? ['cut.heavy', { size: Math.round(upload.file.size / 1e6), most: Math.floor(most.uploadBytes / 1e6) }]
        : times.length >= most.frames
          ? ['cut.many', { n: times.length.toLocaleString(), most: most.frames.toLocaleString() }]
          : ['cut.long', {}];
    this.el = h(
      'main',
      { class: 'work', id: 'main', tabIndex: -1 },
      h(
        'div',
        { class: 'head' },
        h(
          'div',
          { class: 'head__t' },
          h('h1', { tabIndex: -1 }, upload.name),
          h('p', {
            class: 'head__m',
            t: 'cut.about',
            args: {
              length: clock(seconds, 0),
              fps: Math.round((times.length - 1) / (times[times.length - 1] - times[0])),
              size: Math.round(upload.file.size / 1e6),
            },
          }),
        ),
      ),
      h(
        'div',
        { class: 'grid' },
        film,
        h(
          'aside',
          { class: 'side', label: 'cut.title' },
          card(
            'cut.title',
            {},
            h('p', { class: 'say', t: key, args }),
            h('p', { class: 'cut__span' }, this.#span),
            this.#size,
            h('p', { class: 'say cut__how', t: 'cut.how' }),
            h(
              'div',
              { class: 'verdict__a' },
              button('cut.part', () => this.#send(), { class: 'btn--primary' }),
              whole ? button('cut.whole', () => app.uploads.settle(upload), { class: 'btn--line' }) : null,
              button('tool.cancel', () => app.uploads.drop(upload), { class: 'btn--line' }),
            ),
            h('p', { class: 'foot', t: 'cut.stays' }),
          ),
        ),
      ),
    );
    document.addEventListener(
      'keydown',
      (e) => {
        if (!e.target?.closest('dialog, .menu, .rail')) this.#key(e);
      },
      { signal: this.#end.signal },
    );
    const length = Math.min(asked, seconds, (seconds * most.frames) / times.length, (seconds * most.uploadBytes) / upload.file.size),
      from = times[0] + (seconds - length) / 2;
    this.#show(this.#fit(from, from + length));
    this.#playhead.attach(video);
    this.#playhead.seek(this.#frames()[0]);
  }

  close() {
    this.#end.abort();
    this.#playhead.detach();
    release(this.stage.media);
    URL.revokeObjectURL(this.#url);
  }

  speak() {
    this.#tell();
  } // what is chosen stays

  // fits reports whether a part is within the limits; its headers have some bytes for each picture.
  #fits(cut) {
    return cut.frames < this.#most.frames && cut.bytes + 20 * cut.frames + 1e5 <= this.#most.uploadBytes;
  }

  // fit is the part from one time to another, or as much of its beginning as the service takes.
  #fit(from, to) {
    let cut = this.#movie.cut(from, to);
    while (!this.#fits(cut) && cut.frames > 1) {
      const part = Math.min((this.#most.frames - 1) / cut.frames, (this.#most.uploadBytes - 1e5 - 20 * cut.frames) / cut.bytes, 0.999);
      cut = this.#movie.cut(cut.from, cut.from + Math.max(0, part) * (cut.to - cut.from));
    }
    return cut;
  }

  // move puts an end of the part to a time. The other end goes with it where the part would be too long.
  #move(end, time) {
    const { from, to } = this.#cut;
    if (end === 0) this.#show(this.#fit(time, time < to ? to : time + to - from));
    else {
      const until = time + 1e-3,
        { starts } = this.#movie,
        want = time > from ? from : time - (to - from);
      // The first start from which the part is short enough.
      let low = Math.max(
          0,
          starts.findLastIndex((s) => s <= want + 1e-6),
        ),
        high = Math.max(
          low,
          starts.findLastIndex((s) => s < time),
        );
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.#fits(this.#movie.cut(starts[middle], until))) high = middle;
        else low = middle + 1;
      }
      this.#show(this.#fit(starts[low], until));
    }
  }

  // frames are the first and the last picture of the part.
  /** @returns {[number, number]} */
  #frames() {
    const { times } = this.#movie,
      first = frameAt(times, this.#cut.from);
    return [first, Math.min(times.length - 1, first + this.#cut.frames - 1)];
  }

  #show(cut) {
    this.#cut = cut;
    const span = this.#frames();
    this.#timeline.part(...span);
    this.#playhead.repeat(span);
    this.#tell();
  }

  #tell() {
    const { from, to, frames, bytes } = this.#cut;
    say(this.#span, 'cut.span', { from: clock(from), to: clock(to) });
    say(this.#size, 'cut.size', {
      seconds: (to - from).toFixed(1),
      n: frames.toLocaleString(),
      size: Math.max(0.1, bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0),
    });
  }

  #send() {
    const { name } = this.#upload,
      [, base, ending] = /^(.*?)(\.\w+)?$/.exec(name) ?? [],
      { from, to } = this.#cut;
    const span = t('cut.name', { name: base, from: clock(from, 0), to: clock(to, 0) });
    this.#app.uploads.settle(this.#upload, this.#movie.file(this.#cut, span + (ending ?? '.mp4')));
  }

  #key(e) {
    const end =
      e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input, textarea, select') ? -1 : ['i', 'o'].indexOf(e.key.toLowerCase());
    if (end >= 0) this.#move(end, this.#playhead.time);
    else if (!this.#timeline.key(e)) this.#transport.key(e);
  }
}
