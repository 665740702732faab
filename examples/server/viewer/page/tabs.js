// Tabs as the ARIA practices say: arrows go from tab to tab.
import { h } from './dom.js';

export class Tabs {
  #tabs = [];

  // panels are elements by the keys of their names.
  constructor(panels) {
    const list = h('div', { role: 'tablist', label: 'tab.list', class: 'tabs' });
    this.el = h('div', {}, list);
    for (const [key, panel] of Object.entries(panels)) {
      const id = key.replace('.', '-'), n = this.#tabs.length;
      const tab = h('button', { type: 'button', role: 'tab', id, t: key, 'aria-controls': `${id}-panel`,
        on: { click: () => this.#choose(n), keydown: (e) => this.#key(e, n) } });
      const box = h('div', { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': id }, panel);
      this.#tabs.push({ tab, box });
      list.append(tab);
      this.el.append(box);
    }
    this.#choose(0);
  }

  #choose(n) {
    this.#tabs.forEach(({ tab, box }, i) => {
      tab.setAttribute('aria-selected', String(i === n));
      tab.tabIndex = i === n ? 0 : -1;
      box.hidden = i !== n;
    });
  }

  #key(e, n) {
    const last = this.#tabs.length - 1;
    const to = { ArrowRight: n === last ? 0 : n + 1, ArrowLeft: n === 0 ? last : n - 1, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    this.#choose(to);
    this.#tabs[to].tab.focus();
  }
}
