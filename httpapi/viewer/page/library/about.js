// @ts-check
// What is known of a recording besides its picture: whose it is, when it was filmed, its tags, and notes at moments.
import { h, button, card, field, span } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { address } from '../base/route.js';

// local is a moment as a field of date and time takes it.
const local = (time) => new Date(Date.parse(time) - 60_000 * new Date(time).getTimezoneOffset()).toISOString().slice(0, 16);

export class About {
  #app;
  #record;
  #seek;
  #now;
  #list = h('ul', { class: 'nt' });
  #link = h('a', { class: 'about__l' }, span('about.open'));
  #person = h('select', {}, h('option', { value: '0', t: 'people.free' }));
  #tags = h('input', { value: '', maxLength: 700, autocomplete: 'off', placeholder: t('about.tags.some') });
  #filmed = h('input', { type: 'datetime-local' });

  // seek goes to a time in seconds, now is that of the playhead; a picture has none.
  /** @param {any} app @param {any} record @param {{seek?: ((time: number) => void) | null, now?: () => number | null}} at */
  constructor(app, record, { seek = null, now = () => null } = {}) {
    this.#app = app;
    this.#record = record;
    this.#seek = seek;
    this.#now = now;
    const text = h('input', {
      type: 'text',
      maxLength: 2000,
      placeholder: t(seek ? 'about.write' : 'people.write'),
      label: seek ? 'about.write' : 'people.write',
    });
    const write = h(
      'form',
      {
        class: 'nt__f',
        on: {
          submit: async (e) => {
            e.preventDefault();
            const words = text.value.trim(),
              time = this.#now();
            if (
              words &&
              (await this.#note([
                ...(record.notes ?? []),
                { text: words, ...(time === null ? {} : { time: Math.round(time * 1000) / 1000 }) },
              ]))
            )
              text.value = '';
          },
        },
      },
      text,
    );
    if (record.recordedAt) this.#filmed.value = local(record.recordedAt);
    this.#tags.value = (record.tags ?? []).join(', ');
    this.#person.addEventListener('change', () => this.#change({ subjectId: Number(this.#person.value) }));
    let was = this.#filmed.value;
    this.#filmed.addEventListener('blur', () => {
      // a year changes with each digit that is typed
      if (this.#filmed.value !== was) this.#change({ recordedAt: this.#filmed.value ? new Date(this.#filmed.value).toISOString() : '' });
      was = this.#filmed.value;
    });
    this.#tags.addEventListener('change', () =>
      this.#change({
        tags: this.#tags.value
          .split(/[,、]/)
          .map((word) => word.trim())
          .filter(Boolean),
      }),
    );
    this.el = card(
      'about.title',
      { note: this.#link },
      field('about.person', this.#person),
      field('about.filmed', this.#filmed),
      field('about.tags', this.#tags),
      h('h3', { class: 'about__h', t: 'about.notes' }),
      this.#list,
      write,
    );
    this.el.addEventListener('keydown', (e) => {
      if (e.target?.matches('input, select')) e.stopPropagation();
    }); // which are no keys of the player
    this.#draw();
    this.#linked();
    this.#people();
  }

  async #people() {
    const { data } = await this.#app.api.get('subjects/?size=1000').catch(() => ({ data: [] }));
    this.#person.append(...data.map((p) => h('option', { value: p.id }, p.name)));
    this.#person.value = String(this.#record.subjectId ?? 0);
  }

  #linked() {
    this.#link.hidden = !this.#record.subjectId;
    this.#link.href = address(['people', this.#record.subjectId]);
  }

  async #change(changes) {
    try {
      const made = await this.#app.library.change(this.#record, changes);
      Object.assign(this.#record, changes);
      this.#linked();
      this.#app.mended();
      if (made) location.hash = address(['recordings', made.id]);
    } catch (e) {
      this.#app.fail(e);
    }
  }

  // note keeps the notes, and returns whether that worked.
  async #note(notes) {
    try {
      this.#record.notes = (await this.#app.api.patch(`keypoints/${this.#record.id}/`, { notes })).notes ?? [];
      this.#draw();
      this.#app.mended();
      return true;
    } catch (e) {
      this.#app.fail(e);
      return false;
    }
  }

  #draw() {
    const notes = this.#record.notes ?? [];
    this.#list.replaceChildren(
      ...notes.map(({ time, text }, i) =>
        h(
          'li',
          {},
          h('p', {}, text),
          h(
            'small',
            {},
            typeof time === 'number' && this.#seek
              ? h(
                  'button',
                  { type: 'button', class: 'jump', on: { click: () => this.#seek?.(time) } },
                  t('head.seconds', { s: time.toFixed(2) }),
                )
              : null,
            button('about.forget', () => this.#note(notes.filter((_, k) => k !== i)), {
              icon: 'bin',
              only: true,
              class: 'nt__x',
              args: { text: text.slice(0, 40) },
            }),
          ),
        ),
      ),
    );
  }
}
