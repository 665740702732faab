// @ts-check
// The phases of a repetition, a stride or a jump in one picture, as the service draws it.
import { whole } from '../base/amount.js';
import { h, button, field, save, segments, span } from '../base/dom.js';
import { language, t } from '../base/i18n.js';
import { address, keep } from '../base/route.js';
import { read } from '../numbers/mine.js';

/** @typedef {{repetition: number, pictures: number, skeleton: boolean, curve: boolean, name: boolean}} Choice */

export class PhasesView {
  #app;
  #end = new AbortController();
  #asked = 0;
  #url = '';
  #id = 0; // of the analysis
  #recording = '';
  #kind = 'repetition';
  #ways = ['out', 'hold', 'back'];
  /** @type {{start: number, end: number, out?: number, hold?: number, back?: number, timeUncertainty?: number}[]} */
  #list = [];
  /** @type {Choice} */
  #choice = { repetition: 1, pictures: 7, skeleton: true, curve: true, name: false };
  #title = h('h1', { tabIndex: -1 }, '\u00a0');
  #about = h('p', { class: 'head__m' }, '\u00a0');
  #actions = h('div', { class: 'head__a ph__a' });
  #place = h('section', { class: 'ph__x', label: 'phases.title' }, h('p', { class: 'foot', role: 'status', t: 'phases.works' }));
  el = h(
    'main',
    { class: 'work ph', id: 'main', tabIndex: -1 },
    h('div', { class: 'head' }, h('div', { class: 'head__t' }, this.#title, this.#about), this.#actions),
    this.#place,
  );

  constructor(app) {
    this.#app = app;
  }

  close() {
    this.#end.abort();
    URL.revokeObjectURL(this.#url);
  }

  // open shows a keypoint record. query has the repetition, the person, and the id or name of the exercise.
  async open(id, query) {
    const { api, library } = this.#app,
      person = Number(query.get('person')) || 0;
    const record = await api.get(`keypoints/${id}/`, this.#end.signal),
      media = await library.media(record);
    this.#recording = media.name || t('list.unnamed');
    const name = query.get('exercise'),
      own = Number(name) ? (await read(api, this.#end.signal)).own.find((x) => String(x.id) === name)?.exercise : null;
    const made = await api.post(
      'analyses/',
      { keypointId: id, ...(person ? { person } : {}), overview: true, ...(name ? { exercise: own ?? name } : {}) },
      this.#end.signal,
    );
    const { overview, exercise } = await api.finished(`analyses/${made.id}/`, { signal: this.#end.signal });
    this.#id = made.id;
    const shown = {
      repetition: (exercise?.repetitions ?? overview.repetitions?.list ?? []).map((r) => ({ ...r, start: r.start.time, end: r.end.time })),
      stride: overview.gait?.cycles ?? [],
      jump: (overview.jumps ?? []).map(({ takeOff, landing }) => ({ start: takeOff.time, end: landing.time })),
    };
    if (exercise?.exercise.phases) this.#ways = exercise.exercise.phases;
    else if (overview.ways) this.#ways = [overview.ways[0], 'hold', overview.ways[1]];
    this.#kind = Object.keys(shown).find((kind) => shown[kind].length) ?? 'repetition';
    this.#list = shown[this.#kind];
    const time = Number(query.get('t') || NaN);
    const at = this.#list.findIndex((one) => one.start <= time && time <= one.end);
    Object.assign(this.#choice, {
      repetition: Math.min(Math.max(at + 1 || Number(query.get('repetition')) || 1, 1), Math.max(this.#list.length, 1)),
      pictures: [5, 7, 9].find((n) => n === Number(query.get('pictures'))) ?? 7,
    });
    this.#about.replaceChildren(
      h('a', { href: address(['recordings', id], { person: person || '' }) }, this.#recording),
      ` · ${t('phases.what')}`,
    );
    if (!this.#list.length) {
      this.#title.textContent = t('phases.title');
      this.#place.replaceChildren(h('p', { class: 'say', t: 'phases.none' }));
      return;
    }
    this.#controls();
    await this.#show();
  }

  #controls() {
    const set = (name) => (v) => {
      Object.assign(this.#choice, { [name]: typeof v === 'boolean' ? v : Number(v) });
      this.#show();
    };
    const box = (name) => {
      const input = h('input', {
        type: 'checkbox',
        role: 'switch',
        checked: this.#choice[name],
        on: { change: () => set(name)(input.checked) },
      });
      return field(`phases.${name}`, input, { class: 'field check sw' });
    };
    const n = this.#list.length,
      numbers = this.#list.map((_, k) => String(k + 1));
    const which =
      n <= 9
        ? segments(
            `phases.which.${this.#kind}`,
            numbers.map((v) => [v, v]),
            String(this.#choice.repetition),
            set('repetition'),
          )
        : h(
            'select',
            { label: `phases.which.${this.#kind}`, value: '', on: { change: (e) => set('repetition')(e.currentTarget.value) } },
            ...numbers.map((v) => h('option', { value: v, selected: Number(v) === this.#choice.repetition }, v)),
          );
    this.#actions.replaceChildren(
      which,
      ...(this.#kind === 'repetition'
        ? [
            segments(
              'phases.pictures',
              [
                ['5', '5'],
                ['7', '7'],
                ['9', '9'],
              ],
              String(this.#choice.pictures),
              set('pictures'),
            ),
            box('skeleton'),
            box('curve'),
          ]
        : [box('skeleton')]),
      box('name'),
      button('phases.save', () => this.#save(), { icon: 'download', class: 'btn--primary' }),
    );
  }

  // file reads the picture at a scale.
  /** @param {number} scale */
  #file(scale) {
    const { repetition, pictures, skeleton, curve, name } = this.#choice;
    const query = new URLSearchParams({
      format: 'phases',
      repetition: String(repetition),
      pictures: String(pictures),
      scale: String(scale),
      language,
      ...(skeleton ? {} : { skeleton: 'false' }),
      ...(curve ? {} : { curve: 'false' }),
      ...(name ? { name: 'true' } : {}),
    });
    return this.#app.api.file(`analyses/${this.#id}/?${query}`, this.#end.signal);
  }

  async #show() {
    const turn = ++this.#asked,
      { repetition, pictures } = this.#choice,
      one = this.#list[repetition - 1];
    keep({ repetition, pictures: pictures === 7 ? '' : pictures });
    const title = `phases.of.${this.#kind}`;
    this.#title.replaceChildren(span(title, { n: repetition }));
    document.title = `${t(title, { n: repetition })} · ${t('title')}`;
    this.#place.setAttribute('aria-busy', 'true');
    try {
      const file = await this.#file(devicePixelRatio > 1 ? 2 : 1);
      if (turn !== this.#asked) return;
      this.#app.mended();
      const said = {
        n: repetition,
        of: this.#list.length,
        pictures,
        ways: [one.out, one.hold, one.back]
          .map((seconds, k) => `${t(`way.${this.#ways[k]}`)} ${whole(seconds, one.timeUncertainty, 's')}`)
          .join(t('list.comma')),
      };
      const url = URL.createObjectURL(file),
        img = h('img', { src: url, alt: t(`phases.alt.${this.#kind}`, said), class: 'ph__i' });
      await img.decode();
      if (turn !== this.#asked) {
        URL.revokeObjectURL(url);
        return;
      }
      this.#place.replaceChildren(h('div', { class: 'scroll', tabIndex: 0, role: 'group', label: 'phases.title' }, img));
      URL.revokeObjectURL(this.#url);
      this.#url = url;
    } catch (e) {
      this.#app.fail(e);
    } finally {
      if (turn === this.#asked) this.#place.removeAttribute('aria-busy');
    }
  }

  async #save() {
    try {
      const name = this.#choice.name ? `${this.#recording.replace(/[^\p{L}\p{N} _.-]/gu, '_')}-` : '';
      save(`${name}phases-${this.#choice.repetition}.png`, 'image/png', await this.#file(2));
      this.#app.mended();
    } catch (e) {
      this.#app.fail(e);
    }
  }
}
