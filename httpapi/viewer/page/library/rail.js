// @ts-check
// The list of recordings, with a search, and a menu for each.
import { h, button, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { say, t, date, day, hour } from '../base/i18n.js';
import { address } from '../base/route.js';
import { Filter } from './filter.js';
import { menu } from './menu.js';

const signs = {
  good: ['good', 'sign--ok'],
  usable: ['care', 'sign--warn'],
  poor: ['care', 'sign--bad'],
  nobody: ['nobody', 'sign--held'],
  held: ['hidden', 'sign--held'],
};

// signOf is what the sign of a record tells: its verdict, or that what should lead is withheld.
const signOf = ({ verdict, lead }) => (verdict === 'usable' && lead?.analysisType === 'hipHeight' ? 'held' : verdict);

// seconds shortens the API's HH:MM:SS to M:SS.
function seconds(clock) {
  const [hours, minutes, rest] = clock.split(':').map(Number);
  return `${hours * 60 + minutes}:${String(rest).padStart(2, '0')}`;
}

export class Rail {
  #app;
  #lists = h('div', { class: 'rail__lists', on: { keydown: (e) => this.#step(e) } });
  #filter;
  /** @type {{items: any[], more: boolean, page: number} | null} */
  #found = null; // what the filter selects
  #turn = 0;
  #menu = menu();
  #foot = h('p', { class: 'rail__foot wide-only', t: 'list.drop' });
  /** @type {any} */
  #picking = null; // the choice of several
  #rows = new Map(); // by key, so that thumbnails and focus stay
  current = null; // key of the row that is open

  // app has library, uploads, and what the menu does: rename, remove.
  constructor(app, choose) {
    this.#app = app;
    this.#filter = new Filter(app, () => this.#seek());
    this.el = h(
      'aside',
      { class: 'rail', id: 'rail', label: 'list.title' },
      h('div', { class: 'rail__top' }, this.#filter.search, button('list.add', choose, { icon: 'plus', only: true, class: 'btn--line' })),
      this.#filter.el,
      this.#lists,
      this.#foot,
      this.#menu.el,
    );
    app.library.addEventListener('change', () => {
      this.show();
      if (this.#found) this.#seek();
    });
    app.library.addEventListener('progress', () => this.show());
    app.library.addEventListener('forget', () => {
      this.#rows.clear();
      this.#filter.close();
    });
    app.uploads.addEventListener('change', () => this.show());
    document.addEventListener('language', () => {
      this.#filter.speak();
      this.#rows.clear();
      this.show();
    });
  }

  // step goes from row to row with the arrows, and from a row to its menu and back: a row is one stop of the Tab key.
  #step(e) {
    const row = e.target?.closest('[data-key]'),
      rows = [...this.#lists.querySelectorAll('[data-key]')],
      by = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: 0, ArrowRight: 0 }[e.key];
    if (!row || by === undefined) return;
    e.preventDefault();
    const to = by ? rows[rows.indexOf(row) + by] : row;
    to?.querySelector(e.key === 'ArrowRight' ? 'button, input' : 'a')?.focus();
  }

  // mark shows which row is open: a key of an upload or a record.
  mark(key) {
    this.current = key;
    this.show();
  }

  // seek reads what the filter selects, up to a page of it.
  async #seek(pages = this.#filter.query ? (this.#found?.page ?? 1) : 0) {
    const turn = ++this.#turn,
      { query } = this.#filter,
      found = { items: /** @type {any[]} */ ([]), more: false, page: pages };
    try {
      for (let page = 1; query && page <= pages; page++) {
        const { items, more } = await this.#app.library.search(query, page);
        found.items.push(...items);
        found.more = more;
      }
      if (turn !== this.#turn) return;
      this.#found = query ? found : null;
      this.show();
    } catch (e) {
      if (turn === this.#turn) this.#app.fail(e);
    }
  }

  show() {
    const { library, uploads } = this.#app;
    const words = this.#filter.words.toLowerCase(),
      found = this.#found;
    const groups = new Map();
    const put = (group, row) => groups.set(group, [...(groups.get(group) ?? []), row]);
    for (const u of uploads.list) if (u.name.toLowerCase().includes(words)) put(t('list.uploads'), this.#upload(u));
    this.#shown = (found?.items ?? library.items).filter(this.#filter.takes);
    for (const item of this.#shown) put(day(item.addedAt), this.#record(item));
    const focused = document.activeElement?.closest?.('[data-key]')?.dataset.key;
    const children = [];
    for (const [name, rows] of groups) children.push(h('h2', { class: 'rail__group' }, name), h('ul', { class: 'list' }, ...rows));
    if (library.problem)
      children.unshift(
        h('p', { class: 'error', role: 'alert', t: library.problem.key ?? String(library.problem), args: library.problem.args }),
      );
    else if (found ? found.more : library.more) {
      const older = button(
        'list.older',
        () => {
          older.disabled = true;
          (found ? this.#seek(found.page + 1) : library.older()).catch(this.#app.fail);
        },
        { class: 'btn--line rail__more' },
      );
      children.push(older);
    } else if (!children.length && library.read)
      children.push(h('p', { class: 'rail__foot', t: found || this.#filter.careful ? 'list.nothing' : 'list.empty' }));
    this.#lists.replaceChildren(...children);
    if (focused && !document.activeElement?.closest('[data-key]')) this.#lists.querySelector(`[data-key="${focused}"] a`)?.focus();
  }

  /** @type {any[]} */
  #shown = []; // recordings, in their order

  #upload(u) {
    const key = `u${u.n}`;
    const parts = [h('span', { class: 'rec__n' }, u.name)];
    if (u.problem && this.current === key)
      parts.push(h('span', { class: 'rec__m error', t: 'state.FAILURE' })); // why is told beside it
    else if (u.problem) parts.push(h('span', { class: 'rec__m error', role: 'alert', t: u.problem.key, args: u.problem.args }));
    else
      parts.push(
        h('span', { class: 'rec__m', t: u.state, args: { percent: Math.round(100 * u.part) } }),
        ...(u.shrunk ? [h('span', { class: 'rec__m', t: 'upload.shrunk', args: u.shrunk })] : []),
        h('progress', {
          class: 'prog',
          max: 1,
          value: u.part,
          label: 'upload.progress',
          labelArgs: { name: u.name },
          hidden: Boolean(u.movie),
        }),
      );
    const row = h(
      'li',
      { 'data-key': key },
      h(
        'a',
        { class: 'rec', href: address(['uploads', u.n]) },
        h('span', { class: 'rec__p' }, icon('upload')),
        h('span', { class: 'rec__t' }, ...parts),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'rec__k',
          tabIndex: -1,
          label: u.problem ? 'upload.dismissOf' : 'upload.cancelOf',
          labelArgs: { name: u.name },
          on: { click: () => this.#app.uploads.drop(u) },
        },
        icon('close'),
      ),
    );
    if (this.current === key) row.firstElementChild?.setAttribute('aria-current', 'true');
    return row;
  }

  #record(item) {
    const key = `r${item.id}`,
      name = item.media.name || t('list.unnamed'),
      { library } = this.#app,
      person = library.person(item),
      tags = [...(item.keypointIds ? [t('list.space')] : []), ...(item.tags ?? [])],
      mark = signOf(item);
    const state = JSON.stringify([name, item.execStatus, item.progress, mark, person, tags, item.recordedAt, Boolean(this.#picking)]);
    const old = this.#rows.get(key);
    if (old && old.state === state) {
      this.#current(old.row, key);
      return old.row;
    }
    const parts = [h('span', { class: 'rec__n' }, name)];
    /** @type {HTMLElement | null} */
    let sign = null;
    /** @type {HTMLElement | null} */
    let about = null;
    if (item.execStatus === 'SUCCESS') {
      about = h('span', { class: 'rec__m' });
      parts.push(about);
      const [ico, look] = signs[mark] ?? [];
      if (ico) sign = h('span', { class: `sign ${look}`, role: 'img', label: `verdict.${mark}`, title: t(`verdict.${mark}`) }, icon(ico));
    } else if (item.execStatus === 'FAILURE') {
      parts.push(h('span', { class: 'rec__m' }, span('state.FAILURE')));
      sign = h('span', { class: 'sign sign--bad' }, icon('care'));
    } else {
      const percent = Math.round(100 * (item.progress ?? 0));
      parts.push(
        h('span', { class: 'rec__m' }, span(item.execStatus === 'PROCESSING' ? 'state.finding' : 'state.UNPROCESSED', { percent })),
        h('progress', { class: 'prog', max: 1, value: item.progress ?? 0, label: 'list.progress', labelArgs: { name } }),
      );
    }
    if (tags.length)
      parts.push(
        h(
          'span',
          { class: 'rec__g' },
          ...tags.slice(0, 2).map((tag) => h('span', { class: 'tagx' }, tag)),
          tags.length > 2 ? h('span', { class: 'tagx tagx--n' }, `+${tags.length - 2}`) : null,
        ),
      );
    const title = [name, item.recordedAt ? `${t('about.filmed')} ${date(item.recordedAt)} ${hour(item.recordedAt)}` : '', tags.join(', ')]
      .filter(Boolean)
      .join('\n');
    const img = h('img', { alt: '', width: 48, height: 60 });
    if (old?.src) img.src = old.src;
    const row = h(
      'li',
      { 'data-key': key },
      h(
        'a',
        { class: 'rec', href: address(['recordings', item.id]), title, on: { click: (e) => this.#pick(item, e) } },
        h('span', { class: 'rec__p' }, img),
        h('span', { class: 'rec__t' }, ...parts),
        sign,
      ),
      this.#picking?.box(item, name) ??
        h(
          'button',
          {
            type: 'button',
            class: 'rec__k',
            tabIndex: -1,
            label: 'list.menuOf',
            labelArgs: { name },
            'aria-haspopup': 'menu',
            on: { click: (e) => this.#open(item, e.currentTarget) },
          },
          icon('dots'),
        ),
    );
    if (old) this.#seen.unobserve(old.row);
    const length = old?.length ?? library.known(item).time;
    this.#rows.set(key, { row, state, img, src: old?.done ? old.src : undefined, done: old?.done, about, item, length });
    if (old?.src) img.src = old.src;
    this.#about(key);
    if (!old?.done || old.length === undefined) this.#seen.observe(row);
    this.#current(row, key);
    return row;
  }

  // about tells of whom a recording is, or when it was added, and how long it is.
  #about(key) {
    const { about, item, length } = this.#rows.get(key);
    if (about)
      about.textContent = [
        this.#app.library.person(item) || hour(item.addedAt),
        length ? seconds(length) : item.image ? t('kind.image') : '',
      ]
        .filter(Boolean)
        .join(' · ');
  }

  #visible = new Set(); // keys of rows in sight

  // seen reads the picture and the length of a recording when its row comes into sight.
  #seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const { key } = target.dataset;
        if (!isIntersecting) this.#visible.delete(key);
        else {
          this.#visible.add(key);
          this.#look(key);
        }
      }
    },
    { rootMargin: '200px' },
  );

  #look(key) {
    const { item } = this.#rows.get(key) ?? {};
    if (!item) return;
    const { library } = this.#app,
      done = item.execStatus === 'SUCCESS' || item.execStatus === 'FAILURE';
    // What cannot be read has no picture, and is not asked for.
    if (item.execStatus === 'SUCCESS' || item.progress > 0)
      library
        .portrait(item, () => this.#visible.has(key))
        .then((src) => {
          const known = this.#rows.get(key);
          if (!src || !known) return;
          known.img.src = known.src = src;
          if (done) known.done = true;
          if (done && known.length !== undefined) this.#seen.unobserve(known.row);
        });
    library.media(item).then(
      (media) => {
        const known = this.#rows.get(key);
        if (!known) return;
        known.length = media.time ?? '';
        this.#about(key);
      },
      () => {},
    );
  }

  #current(row, key) {
    if (this.current === key) row.firstElementChild.setAttribute('aria-current', 'true');
    else row.firstElementChild.removeAttribute('aria-current');
  }

  // open shows the menu of a recording beside its button.
  #open(item, by) {
    this.#menu.open(by, [
      ...(this.#app.library.given(item) ? [] : [{ key: 'list.rename', icon: 'pencil', act: () => this.#app.rename(item) }]),
      { key: 'head.share', icon: 'link', act: () => this.#app.share(address(['recordings', item.id])) },
      {
        key: 'list.compare',
        icon: 'side',
        act: () => {
          location.hash = address(['compare', item.id]);
        },
      },
      { key: 'list.select', icon: 'check', act: () => this.#several(item) },
      { key: 'list.delete', icon: 'bin', act: () => this.#app.remove([item]), look: 'menu__i--red' },
    ]);
  }

  // pick chooses a recording among several, where they are chosen, or begins to with Control.
  #pick(item, e) {
    if (!this.#picking && !e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    if (this.#picking) this.#picking.toggle(item, e.shiftKey);
    else this.#several(item);
  }

  // several begins to choose several recordings.
  async #several(item) {
    const { Picking } = await import('./picking.js');
    this.#picking = new Picking(
      this.#app,
      () => this.#shown,
      () => {
        this.#picking.el.replaceWith(this.#foot);
        this.#picking = null;
        this.show();
      },
    );
    this.#foot.replaceWith(this.#picking.el);
    this.show();
    this.#picking.toggle(item);
    this.#lists.querySelector(`[data-key="r${item.id}"] input`)?.focus();
  }

  // say tells words at the foot.
  say(key) {
    say(this.el.querySelector('.rail__foot'), key);
  }
}
