// @ts-check
// Choosing who is measured: click somebody in the picture, of those who were found in the first seconds. Everybody can
// be followed, to switch at any time.
import { h, button, card, span } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { address } from '../base/route.js';
import { Report } from '../base/report.js';
import { asked, of } from '../library/uploads.js';

const near = 0.25; // seconds for which somebody who was found stands about there

export class People {
  #app;
  #view;
  #boxes = h('div', { class: 'boxes' });
  #chosen = -1;
  #report = new Report();
  #all = h('input', { type: 'checkbox', on: { change: () => this.#view.panel() } });
  quiet = true;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    view.stage.el.append(this.#boxes);
    view.stage.addEventListener('draw', () => this.#draw());
  }

  // people are those who can be chosen, with the frame in which they are first seen: where everybody was followed, by
  // their tracks; else seen are the places in which they were found.
  get #people() {
    const { people, person, candidates = [], frames } = this.#view.recording;
    if (people) return people.map((p) => ({ ...p, frame: p.firstFrame, now: person ? p.track === person : p.chosen }));
    const by = new Map();
    for (const c of candidates) by.set(c.track || c, [...(by.get(c.track || c) ?? []), c]);
    const inside = ({ frame, box: [l, top, r, b] }) => {
      const ps = Object.values(frames[frame] ?? {}),
        [x, y] = [0, 1].map((k) => ps.reduce((s, p) => s + p[k], 0) / ps.length);
      return x >= l && x <= r && y >= top && y <= b;
    };
    const area = (c) => (c.box[2] - c.box[0]) * (c.box[3] - c.box[1]),
      largest = Math.max(...candidates.map(area));
    return [...by.values()].map((seen) => ({
      seen,
      frame: seen[0].frame,
      largest: by.size > 1 && seen.some((c) => area(c) === largest),
      now: 2 * seen.filter(inside).length > seen.length,
    }));
  }

  #followed = false; // whether the picture followed the person before

  /** @type {Frame[][] | null} */
  #bodies = null; // the keypoints of everybody who was followed, frame by frame

  // follow reads where everybody is who was followed.
  async #follow() {
    const { id, people } = this.#view.recording;
    this.#bodies ??= await Promise.all(
      people.map(async ({ track }) => (await this.#app.api.get(`keypoints/${id}/?person=${track}`)).keypoint),
    );
    this.#view.stage.draw();
  }

  // box is where one of them is in a frame, or null.
  #box(i, frame = this.#view.playhead.frame) {
    const {
        playhead,
        recording: { media },
      } = this.#view,
      { seen } = this.#people[i],
      away = (c) => Math.abs(playhead.times[c.frame] - playhead.times[frame]);
    if (seen) {
      const [c] = [...seen].sort((a, b) => away(a) - away(b));
      return away(c) <= near ? c.box : null;
    }
    const points = Object.values(this.#bodies?.[i]?.[frame] ?? {});
    if (points.length < 3) return null;
    const [xs, ys] = [0, 1].map((k) => points.map((p) => p[k])),
      margin = 0.06 * (Math.max(...ys) - Math.min(...ys));
    return [
      Math.max(0, Math.min(...xs) - margin),
      Math.max(0, Math.min(...ys) - margin),
      Math.min(media.width, Math.max(...xs) + margin),
      Math.min(media.height, Math.max(...ys) + margin),
    ];
  }

  /** @type {HTMLCanvasElement[]} */
  #portraits = [];

  // portray draws each of them from where they are first seen, out of a movie of its own.
  async #portray() {
    const {
        stage: { media },
        playhead,
        recording,
      } = this.#view,
      { width, height } = recording.media;
    const people = this.#people;
    if (!media || this.#portraits.some((c) => c.dataset.drawn)) return;
    const film =
      media instanceof HTMLVideoElement ? h('video', { src: media.currentSrc || media.src, muted: true, preload: 'auto' }) : null;
    try {
      for (const [i, { frame }] of people.entries()) {
        const box = this.#box(i, frame),
          canvas = this.#portraits[i];
        if (!box || !canvas) continue;
        if (film) {
          const there = new Promise((done, fail) => {
            film.onseeked = done;
            film.onerror = fail;
            setTimeout(fail, 5000);
          });
          film.currentTime = playhead.film[frame] + 0.01;
          await there;
        }
        const side = Math.max(box[2] - box[0], 0.55 * (box[3] - box[1])),
          x = (box[0] + box[2] - side) / 2,
          y = Math.max(0, box[1] - 0.04 * side);
        const draw = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')),
          k = canvas.width / side;
        if (recording.mirrored) draw.setTransform(-1, 0, 0, 1, canvas.width, 0);
        draw.drawImage(film ?? media, recording.mirrored ? (x + side - width) * k : -x * k, -y * k, width * k, height * k);
        canvas.dataset.drawn = 'yes';
      }
    } catch {
      // they stay empty where the movie cannot be shown
    } finally {
      film?.removeAttribute('src');
      film?.load();
    }
  }

  enter() {
    const { people, candidates } = this.#view.recording;
    this.#view.playhead.pause();
    this.#followed = this.#view.stage.following;
    if (this.#followed) this.#view.stage.follow(); // the whole picture, with everybody
    this.#chosen = this.#people.findIndex((p) => p.now);
    this.#portraits = this.#people.map((_, i) => this.#portraits[i] ?? h('canvas', { width: 128, height: 128, 'aria-hidden': 'true' }));
    if (people)
      this.#follow()
        .then(() => this.#portray())
        .catch(this.#app.fail);
    else if (candidates?.length) {
      const at = (frame) => candidates.filter((c) => c.frame === frame).length;
      this.#view.playhead.seek(candidates.reduce((a, b) => (at(b.frame) > at(a.frame) ? b : a)).frame); // where most are seen
      this.#portray();
    }
  }

  leave() {
    this.#boxes.replaceChildren();
    if (this.#followed && !this.#view.stage.following) this.#view.stage.follow();
  }

  #draw() {
    if (this.#view.tools?.now !== this) return;
    const { stage } = this.#view;
    this.#boxes.replaceChildren(
      ...this.#people.flatMap((_, i) => {
        const box = this.#box(i);
        if (!box) return [];
        const [x, y] = stage.place(box.slice(0, 2)),
          [x2, y2] = stage.place(box.slice(2));
        return [
          h(
            'button',
            {
              type: 'button',
              class: `box${i === this.#chosen ? '' : ' box--off'}${y < 34 ? ' box--low' : ''}${x > stage.width - 100 ? ' box--end' : ''}`,
              'aria-pressed': String(i === this.#chosen),
              style: { left: `${x}px`, top: `${y}px`, width: `${x2 - x}px`, height: `${y2 - y}px` },
              on: { click: () => this.#choose(i) },
            },
            h('span', {}, t('person.n', { n: i + 1 })),
          ),
        ];
      }),
    );
  }

  #choose(i) {
    this.#chosen = i;
    if (!this.#box(i)) this.#view.playhead.seek(this.#people[i].frame);
    this.#view.panel();
    this.#view.stage.draw();
  }

  async #measure() {
    const { recording } = this.#view,
      p = this.#people[this.#chosen];
    if (recording.people) {
      // everybody is known: only switch
      location.hash = address(['recordings', recording.id], { person: p.track });
      return;
    }
    /** @type {{[name: string]: any}} */
    const body = {
      ...of(recording),
      ...asked,
      ...(recording.mirrored ? { mirrored: true } : {}),
    };
    if (this.#all.checked) Object.assign(body, { everybody: true, candidates: 0, candidatesEvery: 0 });
    if (p) {
      const { frame, box } = p.seen[0],
        { film } = this.#view.playhead,
        [first] = recording.candidates;
      // Who comes later is found among all who are there then.
      body.choose = {
        policy: 'nearest',
        point: [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2],
        ...(frame > first.frame ? { seconds: film[frame] - film[0] + 0.01 } : {}),
      };
    }
    const made = await this.#app.api.post('keypoints/', body);
    this.#app.library.refresh();
    location.hash = address(['recordings', made.id]);
  }

  panel() {
    const all = this.#people,
      { recording } = this.#view;
    const about = (p) => {
      /** @type {string[]} */
      const words = [];
      if (p.coverage !== undefined) words.push(t('person.seen', { percent: Math.round(100 * p.coverage) }));
      else
        words.push(
          p.frame > recording.candidates[0].frame ? t('person.from', { seconds: recording.times[p.frame].toFixed(1) }) : t('person.start'),
        );
      if (p.largest) words.push(t('person.largest'));
      if (p.now) words.push(t('person.now'));
      return words.join(' · ');
    };
    return h(
      'div',
      { class: 'side' },
      card(
        'person.title',
        { note: 'person.found', noteArgs: { n: all.length } },
        h('p', { class: 'say', t: all.length ? 'person.how' : 'person.unknown' }),
        h(
          'div',
          { class: 'pick', role: 'radiogroup', label: 'person.title' },
          ...all.map((p, i) =>
            h(
              'label',
              {},
              this.#portraits[i],
              h('span', {}, h('b', {}, t('person.n', { n: i + 1 })), h('small', {}, about(p))),
              h('input', { type: 'radio', name: 'person', checked: i === this.#chosen, on: { change: () => this.#choose(i) } }),
            ),
          ),
        ),
        recording.people
          ? null
          : h('label', { class: 'opt' }, this.#all, h('span', {}, h('b', { t: 'person.all' }), span('person.all.text'))),
        h(
          'div',
          { class: 'verdict__a' },
          button(
            recording.people
              ? 'person.switch'
              : this.#chosen < 0 || this.#all.checked || all[this.#chosen].now
                ? 'person.measure'
                : 'person.measure.n',
            (e) => this.#report.run(e.currentTarget, 'setup.works', () => this.#measure()),
            { args: { n: this.#chosen + 1 }, class: 'btn--primary', disabled: all.length > 0 && this.#chosen < 0 && !this.#all.checked },
          ),
          button('tool.cancel', () => this.#view.tools.use('select'), { class: 'btn--line' }),
        ),
        this.#report.el,
      ),
    );
  }
}
