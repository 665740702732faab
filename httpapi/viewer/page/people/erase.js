// @ts-check
// Erasing a person: what goes is listed, the name is asked for, and then it is said what went.
import { h, button, card, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';

// listed are amounts in words: "6 sessions, 9 movies"; none of what there is none of.
/** @param {[key: string, n: number][]} amounts */
const listed = (amounts) =>
  amounts
    .filter(([, n]) => n)
    .map(([key, n]) => t(n === 1 ? `${key}1` : key, { n }))
    .join(t('list.comma'));

// typed is a text as somebody types it: names of other programs may have line breaks, or characters that nobody sees.
/** @param {string} text */
const typed = (text) => text.normalize().replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();

export class Erase {
  #app;
  #person;
  #done;
  el;

  // sessions are the records of the person; done is called with what stands in place of the person then.
  constructor(app, person, sessions, notes, done) {
    this.#app = app;
    this.#person = person;
    this.#done = done;
    const paths = new Set(sessions.map((r) => app.library.path(r)));
    const goes = listed([
      ['erase.sessions', paths.size],
      ['erase.notes', notes()],
    ]);
    this.el = h(
      'section',
      { class: 'erase', 'aria-labelledby': 'people-erase' },
      h('h2', { id: 'people-erase', t: 'erase.title' }),
      h('p', {}, goes ? t('erase.what', { list: goes }) : t('erase.only')),
      button('erase.open', () => this.#ask(goes), { icon: 'bin' }),
    );
  }

  // ask asks for the name, and erases.
  #ask(goes) {
    const { name } = this.#person;
    const input = h('input', {
      label: 'erase.name',
      labelArgs: { name },
      autocomplete: 'off',
      autofocus: true,
      on: {
        input: () => {
          erase.disabled = typed(input.value) !== typed(name);
        },
      },
    });
    const stay = h('input', {
      type: 'checkbox',
      on: {
        change: () => {
          what.replaceChildren(told(), ' ', span('erase.never'));
        },
      },
    });
    const erase = h('button', { type: 'submit', class: 'btn btn--red', disabled: true, t: 'erase.do' });
    const told = () => (stay.checked ? t('erase.person') : t('erase.all', { list: goes || t('erase.profile') }));
    const what = h('p', {}, told(), ' ', span('erase.never'));
    const dialog = h(
      'dialog',
      { class: 'ask', 'aria-labelledby': 'erase-title' },
      h(
        'form',
        { method: 'dialog', on: { submit: () => this.#erase(!stay.checked) } },
        h('h2', { id: 'erase-title', t: 'erase.ask', args: { name } }),
        what,
        goes ? h('label', { class: 'field check' }, span('erase.stay'), stay) : null,
        h('label', { class: 'field' }, span('erase.name', { name }), input),
        h(
          'div',
          { class: 'verdict__a' },
          button('delete.keep', () => dialog.close(), { class: 'btn--line' }),
          erase,
        ),
      ),
    );
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  async #erase(all) {
    const { api, library, fail } = this.#app,
      { id, name } = this.#person;
    try {
      const { records, files, bytes } = await api.delete(`subjects/${id}/${all ? '?all=true' : ''}`);
      library.forget();
      const went = listed([
        ...['movies', 'images', 'keypoints', 'analyses', 'comparisons', 'drawings', 'exercises'].map(
          (kind) => /** @type {[string, number]} */ ([`erased.${kind}`, records[kind] ?? 0]),
        ),
        ['erased.files', files],
      ]);
      this.#done(
        card(
          'erased.title',
          { id: 'people-erased', args: { name } },
          h(
            'p',
            { class: 'say', role: 'status' },
            icon('good'),
            [
              went ? t('erased.what', { list: went, size: (bytes / 1e6).toFixed(1) }) : t('erased.person'),
              all ? t('erased.all') : t('erased.stay'),
            ].join(' '),
          ),
        ),
      );
    } catch (e) {
      fail(e);
    }
  }
}
