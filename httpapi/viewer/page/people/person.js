// @ts-check
// One person: the trend, the sessions by the day of filming, what is known, notes, and what can be done.
import { amount, plusMinus, unitOf } from '../base/amount.js';
import { h, button, called, card, jobButton, save, select, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t, date, hour } from '../base/i18n.js';
import { types } from '../base/names.js';
import { address, keep } from '../base/route.js';
import { showReport } from '../base/window.js';
import { filmed, filmedOn } from '../library/sessions.js';
import { angles, choiceOf, labelOf, Measures } from '../numbers/measures.js';
import { from, read } from '../numbers/trust.js';
import { Erase } from './erase.js';
import { PersonForm } from './form.js';
import { reason, Trend } from './trend.js';
import * as mine from '../numbers/mine.js';
import { title } from '../numbers/exercise.js';

// PersonExercises are those that a person does: they are offered first in the person's recordings.
class PersonExercises {
  #app;
  #id;
  #last;
  /** @type {Exercise[]} */
  #offered = []; // to be chosen: own ones and those that are shipped
  #list = h('ul', { class: 'nt' });
  #choice = h('select', {
    label: 'people.addExercise',
    on: { change: () => this.#do(() => mine.keep(this.#app.api, this.#offered[Number(this.#choice.value)], this.#id)) },
  });
  el = card('people.exercises', { id: 'people-exercises', note: this.#choice }, this.#list);

  // id is the person, last the newest recording, if there is one.
  constructor(app, id, last) {
    this.#app = app;
    this.#id = id;
    this.#last = last;
  }

  // read reads the list.
  async read(signal) {
    const { shipped, own } = await mine.read(this.#app.api, signal);
    this.#offered = [...own.filter((x) => !x.subjectId).map((x) => x.exercise), ...shipped];
    const theirs = own.filter((x) => x.subjectId === this.#id);
    this.#choice.replaceChildren(
      h('option', { value: '', t: 'people.addExercise' }),
      ...this.#offered.map((e, i) => h('option', { value: String(i) }, title(e))),
    );
    this.#choice.value = '';
    this.#list.replaceChildren(
      ...(theirs.length ? [] : [h('li', {}, h('p', { class: 'quiet', t: 'people.noExercises' }))]),
      ...theirs.map(({ id, exercise }) =>
        h(
          'li',
          {},
          h(
            'small',
            {},
            h('a', { href: address(['exercises', id], { recording: this.#last?.id ?? '' }) }, title(exercise)),
            button('people.dropExercise', () => this.#do(() => mine.drop(this.#app.api, id)), {
              icon: 'bin',
              only: true,
              class: 'nt__x',
              args: { name: title(exercise) },
            }),
          ),
        ),
      ),
    );
  }

  async #do(change) {
    this.#choice.disabled = true;
    try {
      await change();
      await this.read();
      this.#app.mended();
    } catch (e) {
      this.#app.fail(e);
    }
    this.#choice.disabled = false;
    this.#choice.focus();
  }
}

const fewNotes = 3;

// Notes are the last ones in the recordings of a person. A new note belongs to the last session.
class Notes {
  #app;
  #sessions;
  #list = h('ul', { class: 'nt' });
  #all = false;
  #more = button(
    'people.allNotes',
    () => {
      this.#all = !this.#all;
      this.#draw();
    },
    { class: 'btn--ghost', args: { n: 0 } },
  );

  // sessions are the records of the person, the last filmed first.
  constructor(app, sessions) {
    this.#app = app;
    this.#sessions = sessions;
    const last = sessions[0],
      input = h('input', { type: 'text', maxLength: 2000, placeholder: t('people.write'), label: 'people.write' });
    const write = h(
      'form',
      {
        class: 'nt__f',
        on: {
          submit: async (e) => {
            e.preventDefault();
            const text = input.value.trim();
            if (!text) return;
            input.disabled = true;
            try {
              const { notes } = await app.api.patch(`keypoints/${last.id}/`, { notes: [...(last.notes ?? []), { text }] });
              last.notes = notes;
              input.value = '';
              this.#draw();
              app.mended();
            } catch (error) {
              app.fail(error);
            }
            input.disabled = false;
            input.focus();
          },
        },
      },
      input,
    );
    this.el = card('people.notes', { id: 'people-notes', note: this.#more }, this.#list, last ? write : null);
    this.#draw();
  }

  get count() {
    return this.#sessions.reduce((n, r) => n + (r.notes?.length ?? 0), 0);
  }

  #draw() {
    const all = this.#sessions.flatMap((r) => (r.notes ?? []).map((note) => ({ ...note, r })).reverse());
    this.#more.hidden = all.length <= fewNotes;
    this.#more.replaceChildren(span(this.#all ? 'people.fewNotes' : 'people.allNotes', { n: all.length }));
    this.#list.replaceChildren(
      ...(all.length ? [] : [h('li', {}, h('p', { class: 'quiet', t: 'people.noNotes' }))]),
      ...all
        .slice(0, this.#all ? all.length : fewNotes)
        .map(({ time, text, r }) =>
          h(
            'li',
            {},
            h('p', {}, text),
            h(
              'small',
              {},
              `${filmedOn(r)} · ${this.#app.library.known(r).name || t('list.unnamed')}`,
              ...(typeof time === 'number'
                ? [
                    ' · ',
                    h('a', { href: address(['recordings', r.id], { t: time.toFixed(2) }) }, t('head.seconds', { s: time.toFixed(2) })),
                  ]
                : []),
            ),
          ),
        ),
    );
  }
}

const few = 12; // sessions that are listed at first
const offered = Object.keys(angles).filter(
  (name) => name === 'hips' || types.some((type) => type.name === angles[name].type && type.unit === '°'),
); // of which there are trends

export class Person {
  #app;
  #person;
  #sessions;
  #on;
  #trend = new Trend();
  /** @type {import('./trend.js').Series[]} */
  #series = [];
  #all = false; // whether all sessions are listed
  #turn = 0;
  #title = h('h1', { tabIndex: -1 });
  #facts = h('p', { class: 'head__m' });
  #rows = h('ul', { class: 'se' });
  #more = button(
    'list.older',
    () => {
      this.#all = true;
      this.#list();
    },
    { class: 'btn--line btn--small', hidden: true },
  );
  #about = h('div', {});
  #exercises;
  #choice = select('trend.choose', offered, labelOf, {
    on: {
      change: () => {
        keep({ show: this.#choice.value });
        this.#ask();
      },
    },
  });
  parts;

  // sessions are the records of the person, the last filmed first. on is what the view does: choose files, read the list
  // again where the person has changed, and show what was erased; and its signal.
  constructor(app, person, sessions, on) {
    this.#app = app;
    this.#person = person;
    this.#sessions = sessions;
    this.#on = on;
    const done = sessions.filter((r) => r.execStatus === 'SUCCESS'),
      [last] = done,
      first = done[done.length - 1];
    const notes = new Notes(app, sessions);
    this.#exercises = new PersonExercises(app, person.id, last);
    const csv = jobButton(app, 'head.csv', () => this.#csv(), { icon: 'download', class: 'btn--line' });
    const report = jobButton(app, 'head.report', () => this.#report(last), { icon: 'report', class: 'btn--line' });
    csv.disabled = report.disabled = !last;
    this.#head();
    this.#known();
    this.#list();
    const sides = h(
      'span',
      { class: 'su__cols' },
      ...['left', 'right'].map((side) => h('span', {}, h('i', { class: `dot ${side}` }), span(`side.${side}`))),
    );
    this.parts = [
      h(
        'div',
        { class: 'head' },
        h('div', { class: 'head__t' }, this.#title, this.#facts),
        h(
          'div',
          { class: 'head__a' },
          csv,
          report,
          button('people.film', () => on.choose(), { icon: 'plus', class: 'btn--primary' }),
        ),
      ),
      h(
        'div',
        { class: 'grid su' },
        h(
          'div',
          { class: 'su__m' },
          card('trend.title', { id: 'people-trend', note: this.#choice }, this.#trend.el),
          card('people.list', { id: 'people-sessions', after: span('people.byDay'), note: sides }, this.#rows, this.#more),
        ),
        h(
          'aside',
          { class: 'side', label: 'people.about' },
          this.#about,
          this.#exercises.el,
          notes.el,
          done.length > 1
            ? card(
                'people.compare',
                { id: 'people-compare' },
                h(
                  'div',
                  { class: 'su__cmp' },
                  app.library.thumbnail(first, 84, 63),
                  span('compare.with', { a: filmedOn(first), b: filmedOn(last) }),
                  app.library.thumbnail(last, 84, 63),
                  h('a', { class: 'btn btn--line', href: address(['compare', first.id, last.id]), t: 'people.compare.do' }),
                ),
              )
            : null,
          new Erase(app, person, sessions, () => notes.count, on.erased).el,
        ),
      ),
    ];
  }

  #head() {
    const { name, bodyHeight, birthYear, side } = this.#person,
      n = this.#sessions.length;
    this.#title.replaceChildren(
      h('span', { title: name }, name),
      button('people.edit', () => this.#edit(), { icon: 'pencil', only: true }),
    );
    this.#facts.textContent = [
      bodyHeight ? amount(bodyHeight, 'm') : '',
      birthYear ? t('people.bornIn', { year: birthYear }) : '',
      side ? t(`side.${side}`) : '',
      n ? t(n === 1 ? 'people.since1' : 'people.since', { n, day: filmedOn(this.#sessions[n - 1]) }) : t('people.noSession'),
    ]
      .filter(Boolean)
      .join(' · ');
  }

  // told shows what is known of the person now, unless that is being changed here.
  told(person) {
    if (this.#about.querySelector('form')) return;
    this.#person = person;
    this.#head();
    this.#known();
  }

  // known is the card with what is known of the person.
  #known() {
    const { bodyHeight, birthYear, side, note } = this.#person;
    const fact = (key, ...value) => h('div', {}, h('dt', { t: key }), h('dd', {}, ...value));
    this.#about.replaceChildren(
      card(
        'people.about',
        { note: button('people.edit', () => this.#edit(), { class: 'btn--ghost' }) },
        h(
          'dl',
          { class: 'su__dl' },
          fact(
            'people.height.short',
            bodyHeight ? amount(bodyHeight, 'm') : '–',
            h('small', { t: bodyHeight ? 'people.scale' : 'people.noScale' }),
          ),
          fact('people.born.short', birthYear ? String(birthYear) : '–'),
          fact('people.side', side ? h('i', { class: `dot ${side}` }) : null, side ? ` ${t(`side.${side}`)}` : '–'),
        ),
        note ? h('p', { class: 'su__note' }, note) : null,
      ),
    );
  }

  #edit() {
    const done = () => {
      this.#head();
      this.#known();
      this.#about.querySelector('button')?.focus();
    };
    const form = new PersonForm(
      this.#person,
      async (body) => {
        this.#person = await this.#app.api.patch(`subjects/${this.#person.id}/`, body);
        this.#app.library.everybody(); // the list names them, too
        this.#app.library.tell();
        done();
        this.#on.changed();
      },
      done,
    );
    this.#about.replaceChildren(card('people.about', {}, form.el));
    form.focus();
  }

  #path = (side, more = '') =>
    `subjects/${this.#person.id}/trend/?measure=${angles[this.#choice.value].type}${side ? `&side=${side}` : ''}${more}`;

  get #sides() {
    return angles[this.#choice.value].sides ? ['left', 'right'] : [''];
  }

  async #csv() {
    const tables = await Promise.all(this.#sides.map(async (side) => (await this.#app.api.file(this.#path(side, '&format=csv'))).text()));
    save(
      called(this.#person.name, undefined, t('out.tables'), 'csv'),
      'text/csv',
      tables.map((text, i) => (i ? text.slice(text.indexOf('\n') + 1) : text)).join(''),
    );
  }

  async #report(last) {
    const id = await new Measures(this.#app.api, last).report();
    await showReport(this.#app, `analyses/${id}/`, { name: this.#person.name, keypointId: last.id });
  }

  // measure shows a choice of what is measured; without one, what leads in the last session.
  async measure(choice) {
    this.#exercises.read(this.#on.signal).catch(this.#app.fail);
    if (!offered.includes(choice)) {
      const { measure } = await this.#app.api.get(`subjects/${this.#person.id}/trend/`, this.#on.signal);
      choice = choiceOf(measure) ?? 'knee';
    }
    this.#choice.value = choice;
    await this.#ask();
  }

  // ask reads the trend of what is chosen.
  async #ask() {
    const turn = ++this.#turn;
    try {
      const series = await Promise.all(this.#sides.map((side) => this.#app.api.get(this.#path(side), this.#on.signal)));
      if (turn !== this.#turn) return;
      this.#series = series.map((s) => ({ ...s, unit: unitOf(s.measure, s.unit) }));
      this.#trend.show(this.#series);
      this.#list();
      this.#app.mended();
    } catch (e) {
      this.#app.fail(e);
    }
  }

  // list shows the sessions, with the values of the trend.
  #list() {
    const shown = this.#all ? this.#sessions : this.#sessions.slice(0, few);
    this.#more.hidden = shown.length === this.#sessions.length;
    this.#rows.replaceChildren(
      ...(shown.length ? shown.map((r) => this.#row(r)) : [h('li', {}, h('p', { class: 'foot', t: 'people.noSession.text' }))]),
    );
  }

  #row(r) {
    const points = ['left', 'right'].map((side, k) => {
      const s = this.#series.find((one) => one.side === side || (!one.side && k === 1));
      return /** @type {[any, any]} */ ([s, s?.sessions.find((p) => p.keypointId === r.id)]);
    });
    const one = points.find(([, p]) => p)?.[1];
    const value = ([s, p], side) => {
      if (!s || !p) return h('span', { class: 'se__v' });
      if (p.trust !== 'withheld')
        return h(
          'span',
          { class: `se__v ${s.side ? side : ''}` },
          h('b', {}, read({ estimated: p.estimated, unit: s.unit }, p.value)),
          ' ',
          plusMinus(p.uncertainty, s.unit),
        );
      const { word, tip } = reason(p);
      return h(
        'span',
        { class: 'se__v no', title: `${word}. ${tip}` },
        icon('hidden'),
        h('span', { class: 'vh' }, `${t('space.withheld')}: ${word}`),
      );
    };
    const known = points.filter(([, p]) => p && p.trust !== 'withheld'),
      care = !known.length || known.some(([, p]) => p.estimated || p.trust !== 'good');
    const words = care
      ? t(!known.length ? 'space.withheld' : known.some(([, p]) => p.estimated) ? 'trend.estimated' : 'trust.care')
      : t('verdict.good');
    return h(
      'li',
      {},
      h(
        'a',
        { href: address(['recordings', r.id]) },
        this.#app.library.thumbnail(r, 56, 42),
        h(
          'span',
          { class: 'se__n' },
          h('b', {}, this.#app.library.known(r).name || t('list.unnamed')),
          h('small', {}, r.recordedAt ? `${date(filmed(r))} · ${hour(filmed(r))}` : filmedOn(r)),
        ),
        h(
          'span',
          { class: 'se__w' },
          r.execStatus === 'SUCCESS'
            ? [this.#how(r, one), one?.repetitions ? t('trend.repetitions', { n: one.repetitions }) : ''].filter(Boolean).join(' · ')
            : t(`state.${r.execStatus === 'FAILURE' ? 'FAILURE' : 'UNPROCESSED'}`),
        ),
        value(points[0], 'l'),
        value(points[1], 'r'),
        one
          ? h(
              'span',
              { class: `sign ${care ? 'sign--warn' : 'sign--ok'}`, title: words },
              icon(care ? 'care' : 'good'),
              h('span', { class: 'vh' }, words),
            )
          : h('span'),
      ),
    );
  }

  // how says how a session was seen: in space, with depth, or from where.
  #how(r, p) {
    if (r.keypointIds) return t('trend.space');
    if (p?.estimated) return t('trend.depth');
    return from(p?.facing);
  }
}
