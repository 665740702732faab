// @ts-check
// Several recordings that are chosen in the list, and what is done with all of them.
import { h, button, field } from '../base/dom.js';
import { form } from '../base/dialogs.js';
import { say, t } from '../base/i18n.js';
import { address } from '../base/route.js';
import { onDay } from './sessions.js';

export class Picking {
  #app;
  #shown;
  #end;
  #boxes = new Map(); // by id
  #picked = new Map(); // recordings by id
  #last = 0; // the id that was chosen last
  #count = h('b', { role: 'status' });
  #compare = button('pick.compare', () => this.#go(), { icon: 'side', only: true, class: 'btn--line' });

  // shown returns the recordings of the list, end puts this away.
  constructor(app, shown, end) {
    this.#app = app;
    this.#shown = shown;
    this.#end = end;
    const some = [
      this.#compare,
      button('pick.person', () => this.#person(), { icon: 'person', only: true, class: 'btn--line' }),
      button('pick.tag', () => this.#tag(), { icon: 'tag', only: true, class: 'btn--line' }),
      button('list.delete', () => this.#delete(), { icon: 'bin', only: true, class: 'btn--line' }),
    ];
    for (const b of some) b.title = t(b.dataset.tLabel ?? '');
    this.el = h(
      'div',
      { class: 'rail__x', role: 'toolbar', label: 'pick.title' },
      this.#count,
      button('pick.end', () => end(), { class: 'btn--ghost btn--small' }),
      h('div', {}, ...some),
    );
    this.el.addEventListener('keydown', (e) => {
      if (e.key === 'Escape') end();
    });
    this.#tell();
  }

  // box is the check box of a recording.
  box(item, name) {
    const box = h('input', {
      type: 'checkbox',
      class: 'rec__x',
      label: 'pick.of',
      labelArgs: { name },
      checked: this.#picked.has(item.id),
      on: {
        click: (e) => {
          e.preventDefault();
          setTimeout(() => this.toggle(item, e.shiftKey));
        },
      },
    });
    this.#boxes.set(item.id, box);
    return box;
  }

  // toggle chooses a recording, or leaves it out; with a range, all from the one before.
  toggle(item, range = false) {
    const all = this.#shown(),
      on = !this.#picked.has(item.id),
      ends = [item.id, range ? this.#last : item.id].map((id) => all.findIndex((i) => i.id === id)).sort((a, b) => a - b);
    for (const one of ends[0] < 0 ? [item] : all.slice(ends[0], ends[1] + 1)) {
      if (on) this.#picked.set(one.id, one);
      else this.#picked.delete(one.id);
      const box = this.#boxes.get(one.id);
      if (box) box.checked = on;
    }
    this.#last = item.id;
    this.#tell();
  }

  #tell() {
    const n = this.#picked.size;
    say(this.#count, n === 1 ? 'pick.one' : 'pick.some', { n });
    for (const b of this.el.querySelectorAll('div > .btn')) b.disabled = n === 0;
    this.#compare.disabled = n !== 2;
  }

  #go() {
    const [a, b] = [...this.#picked.keys()].sort((x, y) => x - y);
    location.hash = address(['compare', a, b]);
    this.#end();
  }

  // each changes all that are chosen. It tells that, with a way back to what before returns.
  async #each(changes, before) {
    const all = [...this.#picked.values()].map((item) => ({ item, to: changes(item), back: before(item) })),
      { library, toast, mended, fail } = this.#app,
      n = all.length;
    try {
      for (const { item, to } of all) await library.change(item, to);
      mended();
      this.#end();
      const undo = async () => {
        for (const { item, back } of all) await library.change(item, back);
      };
      toast('pick.done', { what: t(n === 1 ? 'pick.one' : 'pick.some', { n }) }, { undo: () => undo().then(mended, fail) });
    } catch (e) {
      fail(e);
    }
  }

  // person asks for a person and a day of filming; what is left open stays. Each keeps its time of the day.
  async #person() {
    const people = await this.#app.library.everybody(),
      items = [{ id: '', name: t('pick.stays') }, { id: 0, name: t('people.free') }, ...people],
      whom = h('select', {}, ...items.map(({ id, name }) => h('option', { value: String(id) }, name))),
      day = h('input', { type: 'date' });
    const keep = () => {
      if (!whom.value && !day.value) return;
      this.#each(
        (item) => ({
          ...(whom.value ? { subjectId: Number(whom.value) } : {}),
          ...onDay(item, day.value),
        }),
        (item) => ({
          ...(whom.value ? { subjectId: item.subjectId ?? 0 } : {}),
          ...(day.value ? { recordedAt: item.recordedAt ?? '' } : {}),
        }),
      );
    };
    form('pick.person', 'list.keep', [field('about.person', whom), field('pick.day', day)], keep);
  }

  // tag asks for a tag, which all get besides their own.
  #tag() {
    const input = h('input', { maxLength: 40, autocomplete: 'off', required: true });
    input.setAttribute('list', 'pick-tags'); // which as a property can only be read
    const keep = () => {
      const tag = input.value.trim();
      if (!tag) return;
      this.#each(
        ({ tags = [] }) => ({ tags: [...new Set([...tags, tag])] }),
        ({ tags = [] }) => ({ tags }),
      );
    };
    const known = h('datalist', { id: 'pick-tags' }, ...this.#app.library.tags().map((value) => h('option', { value })));
    form('pick.tag', 'list.keep', [field('filter.tag', input), known], keep);
  }

  async #delete() {
    if (await this.#app.remove([...this.#picked.values()])) this.#end();
  }
}
