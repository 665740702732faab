// @ts-check
// Exercises: the list, one of them judged in a recording, and its targets, which are judged again as they change.
import { h, button, called, field, jobButton, save, span } from '../base/dom.js';
import { form } from '../base/dialogs.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';
import { showReport } from '../base/window.js';
import { address, go, keep as keepAddress } from '../base/route.js';
import { filmed, filmedOn } from '../library/sessions.js';
import { plan } from '../numbers/verdict.js';
import { why } from '../numbers/trust.js';
import { figure } from './figures.js';
import { drop, keep, read } from '../numbers/mine.js';
import { Shots } from './shots.js';
import { countsCard, targetsCard, heldBack, results, tableOf } from './targets.js';
import { both, measureName, title } from '../numbers/exercise.js';

export class ExercisesView {
  #app;
  #end = new AbortController();
  #turn = 0; // of the judging, so that an older answer does not take the place of a newer one
  #timer = 0;
  #made = 0; // the analysis that is shown
  /** @type {Exercise[]} */
  #shipped = [];
  /** @type {KeptExercise[]} */
  #own = [];
  /** @type {KeptExercise | null} */
  #kept = null; // the record of what is open, if it is not shipped
  /** @type {Exercise} */
  #was; // as it is kept or shipped
  /** @type {Exercise} */
  #exercise; // with the changes
  /** @type {ExerciseResult | null} */
  #result = null;
  /** @type {Facing | null} */
  #facing = null; // from where the recording is seen
  /** @type {any} */
  #record = null;
  #person = 0;
  /** @type {Shots} */
  #shots;
  #pictures = new Map(); // by frame, so that they stay while targets change
  #search = h('input', { type: 'search', label: 'exercise.search', on: { input: () => this.#list() } });
  #lists = h('div', { class: 'rail__lists' });
  #file = h('input', {
    type: 'file',
    accept: '.json,application/json',
    hidden: true,
    label: 'exercise.open',
    on: { change: () => this.#import() },
  });
  #title = h('h1', { tabIndex: -1 }, '\u00a0');
  #about = h('p', { class: 'head__m' }, '\u00a0');
  #actions = h('div', { class: 'head__a' });
  #answer = h('section', { class: 'card ex__c', label: 'exercise.results', 'aria-live': 'polite' });
  #side = h('aside', { class: 'side', label: 'exercise.targets' });
  rail = h(
    'aside',
    { class: 'rail', id: 'rail', label: 'exercise.title' },
    h(
      'div',
      { class: 'rail__top' },
      h('label', { class: 'search' }, icon('search'), this.#search),
      button('exercise.open', () => this.#file.click(), { icon: 'upload', only: true, class: 'btn--line' }),
    ),
    this.#lists,
    this.#file,
  );

  el = h(
    'main',
    { class: 'work', id: 'main', tabIndex: -1 },
    h('div', { class: 'head' }, h('div', { class: 'head__t' }, this.#title, this.#about), this.#actions),
    h('div', { class: 'grid ex' }, this.#answer, this.#side),
  );

  constructor(app) {
    this.#app = app;
    this.#search.placeholder = t('exercise.search');
  }

  close() {
    this.#end.abort();
    clearTimeout(this.#timer);
  }

  // open shows an exercise by its id, name or movement, the squat without one, in a recording of the query, the newest movie
  // without one. With first in the query it returns the address of the one that the person does, if there is one.
  async open(name, query) {
    const { api, library } = this.#app,
      { signal } = this.#end;
    const all = await read(api, signal);
    this.#shipped = all.shipped;
    this.#own = all.own;
    this.#person = Number(query.get('person')) || 0;
    const asked = Number(query.get('recording')) || 0;
    if (query.get('first')) {
      const whose = (await library.find(asked))?.subjectId,
        theirs = this.#own.find((x) => whose && x.subjectId === whose && [x.exercise.name, x.exercise.movement].includes(name));
      return address(['exercises', theirs?.id ?? name], { recording: asked, person: this.#person || '' });
    }
    this.#kept = this.#own.find((x) => String(x.id) === name) ?? null;
    const found = this.#kept?.exercise ?? this.#shipped.find((e) => e.name === name || e.movement === name);
    this.#was = found ?? this.#shipped[0];
    this.#exercise = structuredClone(this.#was);
    this.#list();
    this.#title.textContent = title(this.#was);
    document.title = `${title(this.#was)} · ${t('title')}`;
    this.#targets();
    const id = asked || (await this.#newest());
    if (signal.aborted) return;
    if (!id) {
      this.#answer.replaceChildren(h('p', { class: 'say', t: 'exercise.noRecording' }));
      this.#actions.replaceChildren(this.#film());
      return;
    }
    keepAddress({ recording: id });
    this.#shots = new Shots(this.#app, signal);
    this.#record = await this.#shots.open(id, this.#person);
    if (this.#record.subjectId && !library.person(this.#record)) await library.everybody();
    this.#list();
    await this.#chooser(id);
    await this.#judge();
  }

  async #fit() {
    const { library } = this.#app;
    while (!library.read && !library.problem) await new Promise((done) => library.addEventListener('change', done, { once: true }));
    return library.items.filter((i) => i.execStatus === 'SUCCESS' && !i.image);
  }

  async #newest() {
    const all = await this.#fit();
    return (all.find((i) => this.#kept?.subjectId && i.subjectId === this.#kept.subjectId) ?? all[0])?.id ?? 0;
  }

  // chooser is the recording that is judged, to be changed.
  async #chooser(id) {
    const items = await this.#fit(),
      name = (item) => `${item.media.name || t('list.unnamed')} · ${filmedOn(item)}`;
    if (!items.some((i) => i.id === id)) items.unshift(this.#record);
    const choice = h(
      'select',
      {
        label: 'exercise.recording',
        class: 'pickone ex__pick',
        on: { change: () => go(['exercises', this.#at], { recording: choice.value }) },
      },
      ...items.map((i) => h('option', { value: i.id }, name(i))),
    );
    choice.value = String(id);
    this.#about.replaceChildren(choice);
  }

  // at is how the address names what is open.
  get #at() {
    return this.#kept?.id ?? this.#was.name;
  }

  // whose is the id of the person of the recording, else of the exercise; 0 if neither has one.
  get #whose() {
    return this.#record?.subjectId ?? this.#kept?.subjectId ?? 0;
  }

  #list() {
    const words = this.#search.value.trim().toLowerCase();
    /** @param {Exercise} e @param {number} [id] */
    const row = (e, id) => {
      const about = [...new Set((e.targets ?? []).map((target) => measureName(e, target.measure)))].slice(0, 2).join(t('list.comma'));
      const a = h(
        'a',
        { class: 'rec ex__r', href: address(['exercises', id ?? e.name], { recording: this.#record?.id, person: this.#person || '' }) },
        figure(e),
        h('span', { class: 'rec__t' }, h('span', { class: 'rec__n' }, title(e)), h('span', { class: 'rec__m' }, about)),
      );
      if ((id ?? e) === (this.#kept?.id ?? this.#was)) a.setAttribute('aria-current', 'true');
      return { e, a };
    };
    const group = (name, all) => {
      const fit = all.filter(({ e }) => title(e).toLowerCase().includes(words));
      return fit.length
        ? [h('h2', { class: 'rail__group' }, name), h('ul', { class: 'list ex__l' }, ...fit.map(({ a }) => h('li', {}, a)))]
        : [];
    };
    const kept = (whose) => this.#own.filter((x) => (x.subjectId ?? 0) === whose).map((x) => row(x.exercise, x.id)),
      whose = this.#whose;
    const all = [
      ...(whose ? group(this.#app.library.person({ subjectId: whose }), kept(whose)) : []),
      ...group(t('exercise.mine'), kept(0)),
      ...group(
        t('exercise.shipped'),
        this.#shipped.map((e) => row(e)),
      ),
    ];
    this.#lists.replaceChildren(...(all.length ? all : [h('p', { class: 'rail__foot', t: 'exercise.nothing' })]));
  }

  #targets() {
    const changed = JSON.stringify(this.#exercise) !== JSON.stringify(this.#was),
      own = this.#kept;
    const held = (i) => {
      const one = this.#result && heldBack(this.#result, i);
      return one ? why({ why: one.why ?? [] }, this.#record).word : '';
    };
    const focused = document.activeElement,
      name = this.#side.contains(focused) ? focused?.getAttribute('aria-label') : null;
    const actions = [
      changed ? button('exercise.save', () => this.#save(), { class: 'btn--primary' }) : null,
      changed
        ? button(
            own ? 'exercise.back.mine' : 'exercise.back',
            () => this.#change({ targets: this.#was.targets, counts: this.#was.counts }),
            {},
          )
        : null,
      button('exercise.export', () => save(`${this.#was.name}.json`, 'application/json', JSON.stringify(this.#exercise, null, 2)), {
        class: 'btn--line',
      }),
      own
        ? jobButton(
            this.#app,
            'exercise.delete',
            async () => {
              await drop(this.#app.api, own.id);
              go(['exercises'], { recording: this.#record?.id });
            },
            { class: 'btn--ghost' },
          )
        : null,
    ].filter((b) => b !== null);
    this.#side.replaceChildren(
      targetsCard(this.#exercise, held, (targets) => this.#change({ targets }), ...actions),
      countsCard(this.#exercise, (counts) => this.#change({ counts })),
      ...this.#advice(),
    );
    if (name) [...this.#side.querySelectorAll('[aria-label]')].find((el) => el.getAttribute('aria-label') === name)?.focus();
  }

  #advice() {
    const said = both(this.#result?.advice);
    return said
      ? [
          h(
            'section',
            { class: 'verdict verdict--care ex__v', 'aria-labelledby': 'h-advice' },
            h('div', {}, h('h2', { id: 'h-advice' }, icon('care'), span('exercise.advice')), h('p', {}, said)),
            !this.#facing || this.#exercise.view === 'front' ? null : plan([this.#facing.view]),
          ),
        ]
      : [];
  }

  #film() {
    return h(
      'a',
      { class: 'btn btn--line', href: address(['film', String(this.#kept?.id ?? this.#was.name)]) },
      icon('camera'),
      span('film.open'),
    );
  }

  #buttons() {
    const { id, media } = this.#record,
      of = { name: [media.name, title(this.#was)].filter(Boolean).join(', '), at: filmed(this.#record), keypointId: id };
    const phases = h('a', {
      class: 'btn btn--line',
      href: address(['phases', id], { exercise: this.#at, person: this.#person || '' }),
      t: 'phases.do',
    });
    this.#actions.replaceChildren(
      this.#film(),
      jobButton(
        this.#app,
        'head.csv',
        async () => {
          if (this.#result) save(called(of.name, of.at, t('out.tables'), 'csv'), 'text/csv', tableOf(this.#result));
        },
        { icon: 'download', class: 'btn--line' },
      ),
      phases,
      jobButton(this.#app, 'head.report', () => showReport(this.#app, `analyses/${this.#made}/`, of), {
        icon: 'report',
        class: 'btn--primary',
      }),
    );
  }

  // change judges by other targets, or counts others.
  #change(changes) {
    this.#exercise = { ...this.#exercise, ...changes };
    this.#targets();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#judge(), 250);
  }

  async #judge() {
    if (!this.#record) return;
    const { api } = this.#app,
      turn = ++this.#turn;
    if (!this.#result) this.#answer.replaceChildren(h('p', { class: 'foot', role: 'status', t: 'exercise.works' }));
    this.#answer.setAttribute('aria-busy', 'true');
    try {
      const made = await api.post(
        'analyses/',
        { keypointId: this.#record.id, ...(this.#person ? { person: this.#person } : {}), exercise: this.#exercise, overview: true },
        this.#end.signal,
      );
      const done = await api.finished(`analyses/${made.id}/`, { signal: this.#end.signal });
      const old = turn === this.#turn ? this.#made : made.id; // what nobody looks at any more
      if (old) api.delete(`analyses/${old}/`).catch(() => {});
      if (turn !== this.#turn) return;
      this.#made = made.id;
      this.#result = done.exercise;
      this.#facing = done.overview?.facing ?? null;
      this.#app.mended();
      this.#show();
    } catch (e) {
      if (turn === this.#turn) this.#app.fail(e);
    } finally {
      if (turn === this.#turn) this.#answer.removeAttribute('aria-busy');
    }
  }

  #show() {
    if (!this.#result) return;
    if (!this.#actions.firstChild) this.#buttons();
    const frames = this.#result.repetitions.map((r) => r.turn.frame),
      missing = frames.filter((i) => !this.#pictures.has(i));
    this.#shots.show(missing).forEach((el, k) => this.#pictures.set(missing[k], el));
    const link = (time) => address(['recordings', this.#record.id], { t: time.toFixed(2), person: this.#person || '' }),
      sentences = () => [...this.#answer.querySelectorAll('details')],
      open = sentences().map((d) => d.open);
    this.#answer.replaceChildren(
      ...results(
        this.#result,
        this.#facing,
        frames.map((i) => this.#pictures.get(i)),
        link,
      ),
    );
    sentences().forEach((d, k) => {
      d.open = open[k] ?? false;
    });
    this.#targets();
  }

  // save keeps the exercise under a name of the user, for the person or for everybody.
  #save() {
    const name = h('input', {
      value: this.#kept ? title(this.#was) : t('exercise.mineOf', { name: title(this.#was) }),
      maxLength: 80,
      required: true,
    });
    const whose = this.#whose,
      whom = h('select', {}, h('option', { value: '0', t: 'exercise.everybody' }));
    if (whose) whom.append(h('option', { value: String(whose) }, this.#app.library.person({ subjectId: whose })));
    whom.value = String(this.#kept ? (this.#kept.subjectId ?? 0) : whose);
    const fields = [
      h('label', { class: 'field' }, span('list.name'), name),
      ...(whose ? [field('exercise.for', whom)] : []),
      h('p', { class: 'foot', t: 'exercise.kept' }),
    ];
    form('exercise.save', 'list.keep', fields, () => {
      const said = name.value.trim(),
        old = this.#kept,
        same = said === this.#was.name && Number(whom.value) === (old?.subjectId ?? 0);
      if (said) this.#take({ ...this.#exercise, name: said, title: { en: said, ja: said } }, Number(whom.value), same ? old?.id : 0);
    });
    name.select();
  }

  /** @param {Exercise} exercise @param {number} [whose] @param {number} [instead] */
  async #take(exercise, whose, instead) {
    try {
      const { id } = await keep(this.#app.api, exercise, whose, instead);
      this.#app.toast('exercise.saved', { name: title(exercise) });
      go(['exercises', id], { recording: this.#record?.id, person: this.#person || '' });
    } catch (e) {
      this.#app.fail(e);
    }
  }

  // import reads an exercise from a file. The service says what is wrong with it.
  async #import() {
    const [file] = this.#file.files ?? [];
    this.#file.value = '';
    if (!file) return;
    try {
      const exercise = JSON.parse(await file.text());
      if (typeof exercise?.name !== 'string' || !exercise.name) throw new Error();
      this.#take(exercise);
    } catch {
      this.#app.toast('exercise.notOne', { name: file.name });
    }
  }
}
