// @ts-check
// What was last noted in the recordings of a person. A new note belongs to the last session.
import { h, button, card, span } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { address } from '../base/route.js';
import { filmedOn } from '../library/sessions.js';

const few = 3;

export class Notes {
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
    this.#more.hidden = all.length <= few;
    this.#more.replaceChildren(span(this.#all ? 'people.fewNotes' : 'people.allNotes', { n: all.length }));
    this.#list.replaceChildren(
      ...(all.length ? [] : [h('li', {}, h('p', { class: 'quiet', t: 'people.noNotes' }))]),
      ...all
        .slice(0, this.#all ? all.length : few)
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
