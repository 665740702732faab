// @ts-check
// Choosing who is measured: click somebody in the picture. Everybody can be followed, to switch at any time.
import { h, button, card, span } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { address } from '../base/route.js';
import { Report } from '../base/report.js';

export class People {
  #app;
  #view;
  #boxes = h('div', { class: 'boxes' });
  #chosen = -1;
  #report = new Report();
  #all = h('input', { type: 'checkbox' });
  quiet = true;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    view.stage.el.append(this.#boxes);
    view.stage.addEventListener('draw', () => this.#draw());
  }

  // people are those who can be chosen: {box, track, first, coverage}; where everybody was followed, by their tracks.
  get #people() {
    const { people, person, candidates = [], frames } = this.#view.recording;
    if (people) return people.map((p) => ({ ...p, frame: p.firstFrame, now: person ? p.track === person : p.chosen }));
    const first = candidates[0]?.frame;
    const list = candidates.filter((c) => c.frame === first);
    const ps = Object.values(frames[first ?? 0] ?? {});
    const middle = ps.length ? [0, 1].map((k) => ps.reduce((s, p) => s + p[k], 0) / ps.length) : null;
    const inside = ({ box: [l, top, r, b] }) => middle && middle[0] >= l && middle[0] <= r && middle[1] >= top && middle[1] <= b;
    return list.map((c) => ({ ...c, now: inside(c) }));
  }

  #followed = false; // whether the picture followed the person before

  /** @type {Frame[][] | null} */
  #bodies = null; // the keypoints of everybody who was followed, frame by frame

  // follow reads where everybody is who was followed.
  async #follow() {
    const { id, people } = this.#view.recording;
    this.#bodies ??= await Promise.all(people.map(async ({ track }) => (await this.#app.api.get(`keypoints/${id}/?person=${track}`)).keypoint));
    this.#view.stage.draw();
  }

  // box is where one of them is now, or null.
  #box(i) {
    const { playhead, recording: { media } } = this.#view, points = Object.values(this.#bodies?.[i]?.[playhead.frame] ?? {});
    if (points.length < 3) return null;
    const [xs, ys] = [0, 1].map((k) => points.map((p) => p[k])), margin = 0.06 * (Math.max(...ys) - Math.min(...ys));
    return [Math.max(0, Math.min(...xs) - margin), Math.max(0, Math.min(...ys) - margin), Math.min(media.width, Math.max(...xs) + margin), Math.min(media.height, Math.max(...ys) + margin)];
  }

  enter() {
    const { people, candidates } = this.#view.recording;
    this.#view.playhead.pause();
    this.#followed = this.#view.stage.following;
    if (this.#followed) this.#view.stage.follow(); // the whole picture, with everybody
    this.#chosen = this.#people.findIndex((p) => p.now);
    if (people) this.#follow().catch(this.#app.fail);
    else if (candidates?.length) this.#view.playhead.seek(candidates[0].frame);
  }

  leave() {
    this.#boxes.replaceChildren();
    if (this.#followed && !this.#view.stage.following) this.#view.stage.follow();
  }

  #draw() {
    if (this.#view.tools?.now !== this) return;
    const { stage } = this.#view;
    this.#boxes.replaceChildren(...this.#people.flatMap((p, i) => {
      const box = p.box ?? this.#box(i);
      if (!box) return [];
      const [x, y] = stage.place(box.slice(0, 2)), [x2, y2] = stage.place(box.slice(2));
      return [h('button', { type: 'button', class: `box${i === this.#chosen ? '' : ' box--off'}${y < 34 ? ' box--low' : ''}${x > stage.width - 100 ? ' box--end' : ''}`, 'aria-pressed': String(i === this.#chosen),
        style: { left: `${x}px`, top: `${y}px`, width: `${x2 - x}px`, height: `${y2 - y}px` }, on: { click: () => this.#choose(i) } },
      h('span', {}, t('person.n', { n: i + 1 })))];
    }));
  }

  #choose(i) {
    this.#chosen = i;
    this.#view.panel();
    this.#view.stage.draw();
  }

  async #measure() {
    const { recording } = this.#view, p = this.#people[this.#chosen];
    if (recording.people) { // everybody is known: only switch
      location.hash = address(['recordings', recording.id], { person: p.track });
      return;
    }
    /** @type {{[name: string]: any}} */
    const body = { ...(recording.movie ? { movieId: recording.movie } : { imageId: recording.image }), feet: true, depth: true, ...(recording.mirrored ? { mirrored: true } : {}) };
    if (this.#all.checked) body.everybody = true;
    else body.candidates = 1;
    if (p?.box) body.choose = { policy: 'nearest', point: [(p.box[0] + p.box[2]) / 2, (p.box[1] + p.box[3]) / 2] };
    const made = await this.#app.api.post('keypoints/', body);
    this.#app.library.refresh();
    location.hash = address(['recordings', made.id]);
  }

  panel() {
    const all = this.#people, { recording } = this.#view;
    const about = (p) => {
      const words = [];
      if (p.coverage !== undefined) words.push(t('person.seen', { percent: Math.round(100 * p.coverage) }));
      if (p.score !== undefined) words.push(t('person.sure', { percent: Math.round(100 * p.score) }));
      if (p.now) words.push(t('person.now'));
      return words.join(' · ');
    };
    return h('div', { class: 'side' }, card('person.title', { note: 'person.found', noteArgs: { n: all.length } },
      h('p', { class: 'say', t: all.length ? 'person.how' : 'person.unknown' }),
      h('div', { class: 'pick', role: 'radiogroup', label: 'person.title' }, ...all.map((p, i) => h('label', {},
        h('span', {}, h('b', {}, t('person.n', { n: i + 1 })), h('small', {}, about(p))),
        h('input', { type: 'radio', name: 'person', checked: i === this.#chosen, on: { change: () => this.#choose(i) } })))),
      recording.people ? null : h('label', { class: 'opt' }, this.#all, h('span', {}, h('b', { t: 'person.all' }), span('person.all.text'))),
      h('div', { class: 'verdict__a' },
        button(recording.people ? 'person.switch' : 'person.measure', (e) => this.#report.run(e.currentTarget, 'setup.works', () => this.#measure()), { class: 'btn--primary', disabled: all.length > 0 && this.#chosen < 0 && !this.#all.checked }),
        button('tool.cancel', () => this.#view.tools.use('select'), { class: 'btn--line' })), this.#report.el));
  }
}
