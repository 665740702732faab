// @ts-check
// The list of recordings, with a search, and a menu for each.
import { h, button, span } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { say, t, day, hour } from '../base/i18n.js';
import { address } from '../base/route.js';
import { Filter } from './filter.js';

const signs = { good: ['good', 'sign--ok'], usable: ['care', 'sign--warn'], poor: ['care', 'sign--bad'], nobody: ['care', 'sign--bad'] };

// seconds shortens the API's HH:MM:SS to M:SS.
function seconds(clock) {
  const [hours, minutes, rest] = clock.split(':').map(Number);
  return `${hours * 60 + minutes}:${String(rest).padStart(2, '0')}`;
}

export class Rail {
  #app;
  #lists = h('div', { class: 'rail__lists' });
  #filter;
  /** @type {{items: any[], more: boolean, page: number} | null} */
  #found = null; // what the filter selects
  #turn = 0;
  #menu = h('div', { class: 'menu', role: 'menu', popover: 'auto' });
  #rows = new Map(); // by key, so that thumbnails and focus stay
  current = null; // key of the row that is open

  // app has library, uploads, and what the menu does: rename, remove.
  constructor(app, choose) {
    this.#app = app;
    this.#filter = new Filter(app.api, () => this.#seek());
    this.el = h('aside', { class: 'rail', id: 'rail', label: 'list.title' },
      h('div', { class: 'rail__top' }, ...this.#filter.parts, button('list.add', choose, { icon: 'plus', only: true, class: 'btn--line' })), this.#filter.panel,
      this.#lists, h('p', { class: 'rail__foot wide-only', t: 'list.drop' }), this.#menu);
    app.library.addEventListener('change', () => { this.show(); if (this.#found) this.#seek(); });
    app.library.addEventListener('progress', () => this.show());
    app.library.addEventListener('forget', () => { this.#rows.clear(); this.#filter.close(); });
    app.uploads.addEventListener('change', () => this.show());
    document.addEventListener('language', () => { this.#filter.speak(); this.#rows.clear(); this.show(); });
  }

  // mark shows which row is open: a key of an upload or a record.
  mark(key) {
    this.current = key;
    this.show();
  }

  // seek reads what the filter selects, up to a page of it.
  async #seek(pages = this.#filter.query ? this.#found?.page ?? 1 : 0) {
    const turn = ++this.#turn, { query } = this.#filter, found = { items: /** @type {any[]} */ ([]), more: false, page: pages };
    try {
      for (let page = 1; query && page <= pages; page++) {
        const { items, more } = await this.#app.library.search(query, page);
        found.items.push(...items);
        found.more = more;
      }
      if (turn !== this.#turn) return;
      this.#found = query ? found : null;
      this.show();
    } catch (e) { if (turn === this.#turn) this.#app.fail(e); }
  }

  show() {
    const { library, uploads } = this.#app;
    const words = this.#filter.words.toLowerCase(), found = this.#found;
    const groups = new Map();
    const put = (group, row) => groups.set(group, [...(groups.get(group) ?? []), row]);
    for (const u of uploads.list) if (u.name.toLowerCase().includes(words)) put(t('list.uploads'), this.#upload(u));
    for (const item of found?.items ?? library.items) put(day(item.addedAt), this.#record(item));
    const focused = document.activeElement?.closest?.('[data-key]')?.dataset.key;
    const children = [];
    for (const [name, rows] of groups) children.push(h('h2', { class: 'rail__group' }, name), h('ul', { class: 'list' }, ...rows));
    if (library.problem) children.unshift(h('p', { class: 'error', role: 'alert', t: library.problem.key ?? String(library.problem), args: library.problem.args }));
    else if (found ? found.more : library.more) {
      const older = button('list.older', () => { older.disabled = true; (found ? this.#seek(found.page + 1) : library.older()).catch(this.#app.fail); }, { class: 'btn--line rail__more' });
      children.push(older);
    } else if (!children.length && library.read) children.push(h('p', { class: 'rail__foot', t: found ? 'list.nothing' : 'list.empty' }));
    this.#lists.replaceChildren(...children);
    if (focused && !document.activeElement?.closest('[data-key]')) this.#lists.querySelector(`[data-key="${focused}"] a`)?.focus();
  }

  #upload(u) {
    const key = `u${u.n}`;
    const parts = [h('span', { class: 'rec__n' }, u.name)];
    if (u.problem && this.current === key) parts.push(h('span', { class: 'rec__m error', t: 'state.FAILURE' })); // why is told beside it
    else if (u.problem) parts.push(h('span', { class: 'rec__m error', role: 'alert', t: u.problem.key, args: u.problem.args }));
    else parts.push(h('span', { class: 'rec__m', t: u.state, args: { percent: Math.round(100 * u.part) } }), h('progress', { class: 'prog', max: 1, value: u.part, label: 'upload.progress', labelArgs: { name: u.name }, hidden: Boolean(u.movie) }));
    const row = h('li', { 'data-key': key }, h('a', { class: 'rec', href: address(['uploads', u.n]) },
      h('span', { class: 'rec__p' }, icon('upload')), h('span', { class: 'rec__t' }, ...parts)),
    h('button', { type: 'button', class: 'rec__k', label: u.problem ? 'upload.dismissOf' : 'upload.cancelOf', labelArgs: { name: u.name }, on: { click: () => this.#app.uploads.drop(u) } }, icon('close')));
    if (this.current === key) row.firstElementChild?.setAttribute('aria-current', 'true');
    return row;
  }

  #record(item) {
    const key = `r${item.id}`, name = item.media.name || t('list.unnamed');
    const state = `${name} ${item.execStatus} ${item.progress} ${item.verdict}`;
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
      about = h('span', { class: 'rec__m' }, old?.about ?? hour(item.addedAt));
      parts.push(about);
      const [ico, look] = signs[item.verdict] ?? [];
      if (ico) sign = h('span', { class: `sign ${look}`, role: 'img', label: `verdict.${item.verdict}`, title: t(`verdict.${item.verdict}`) }, icon(ico));
    } else if (item.execStatus === 'FAILURE') {
      parts.push(h('span', { class: 'rec__m' }, span('state.FAILURE')));
      sign = h('span', { class: 'sign sign--bad' }, icon('care'));
    } else {
      const percent = Math.round(100 * (item.progress ?? 0));
      parts.push(h('span', { class: 'rec__m' }, span(item.execStatus === 'PROCESSING' ? 'state.finding' : 'state.UNPROCESSED', { percent })),
        h('progress', { class: 'prog', max: 1, value: item.progress ?? 0, label: 'list.progress', labelArgs: { name } }));
    }
    const img = h('img', { alt: '', width: 56, height: 42 });
    if (old?.src) img.src = old.src;
    const row = h('li', { 'data-key': key }, h('a', { class: 'rec', href: address(['recordings', item.id]) }, h('span', { class: 'rec__p' }, img), h('span', { class: 'rec__t' }, ...parts), sign),
      h('button', { type: 'button', class: 'rec__k', label: 'list.menuOf', labelArgs: { name }, 'aria-haspopup': 'menu', on: { click: (e) => this.#open(item, e.currentTarget) } }, icon('dots')));
    this.#rows.set(key, { row, state, img, src: old?.src, about: old?.about, words: about, item });
    if (!old?.src || (about && !old.about)) this.#seen.observe(row);
    else if (old) this.#seen.unobserve(old.row);
    this.#current(row, key);
    return row;
  }

  // seen reads the picture and the length of a recording when its row comes into sight.
  #seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.#look(target.dataset.key);
  }, { rootMargin: '200px' });

  #look(key) {
    const { row, item } = this.#rows.get(key) ?? {};
    if (!row) return;
    this.#seen.unobserve(row);
    const { library } = this.#app;
    // What cannot be read has none, and is not asked for.
    if (item.execStatus === 'SUCCESS' || item.progress > 0) library.picture(item).then((src) => {
      const known = this.#rows.get(key);
      if (src && known) known.img.src = known.src = src;
    });
    library.media(item).then((media) => {
      const known = this.#rows.get(key);
      if (!known) return;
      known.about = [hour(item.addedAt), media.time ? seconds(media.time) : library.given(item) ? '' : t('kind.image')].filter(Boolean).join(' · ');
      if (known.words) known.words.textContent = known.about;
    }, () => {});
  }

  #current(row, key) {
    if (this.current === key) row.firstElementChild.setAttribute('aria-current', 'true');
    else row.firstElementChild.removeAttribute('aria-current');
  }

  // open shows the menu of a recording beside its button.
  #open(item, by) {
    const act = (key, name, click, look = '') => h('button', { type: 'button', role: 'menuitem', class: `menu__i ${look}`, on: { click: () => { this.#menu.hidePopover(); click(); } } }, icon(name), span(key));
    this.#menu.replaceChildren(...(this.#app.library.given(item) ? [] : [act('list.rename', 'pencil', () => this.#app.rename(item))]),
      act('head.share', 'link', () => this.#app.share(address(['recordings', item.id]))),
      act('list.compare', 'side', () => { location.hash = address(['compare', item.id]); }),
      act('list.delete', 'bin', () => this.#app.remove(item), 'menu__i--red'));
    const box = by.getBoundingClientRect();
    this.#menu.style.left = `${Math.min(box.left, innerWidth - 190)}px`;
    this.#menu.style.top = `${Math.min(box.bottom + 4, innerHeight - 190)}px`;
    this.#menu.showPopover();
    const items = [...this.#menu.children];
    items[0].focus();
    this.#menu.onkeydown = (e) => {
      const to = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (to) { e.preventDefault(); items[(items.findIndex((el) => el === document.activeElement) + to + items.length) % items.length].focus(); }
      if (e.key === 'Escape') by.focus();
    };
  }

  // say tells words at the foot.
  say(key) { say(this.el.querySelector('.rail__foot'), key); }
}
