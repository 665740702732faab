// @ts-check
// The tools on the picture: select and move, draw angles, lines and words, correct a point, choose the person,
// set scale and floor, zoom. One is in use; it may show a panel in place of the numbers.
import { h } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';
import { Problem } from '../base/api.js';

// panels are the tools that are loaded when they are first used.
const panels = {
  draw: async () => (await import('./sketch.js')).Sketch,
  correct: async () => (await import('./correct.js')).Correct,
  people: async () => (await import('./people.js')).People,
  setup: async () => (await import('./setup.js')).Setup,
  more: async () => (await import('./more.js')).More,
};

export class Tools {
  #app;
  #view;
  #tools = {};
  #buttons = new Map();
  /** @type {Tool | null} */
  now = null; // the tool in use; null selects and moves
  name = 'select';

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    view.tools = this;
    const all = [
      ['select', 'move', 'v'],
      ['draw', 'pencil', 'd'],
      ['correct', 'point', 'p'],
      ['people', 'person', 'w'],
      ['setup', 'floor', 's'],
      ['zoom', 'zoom', 'z'],
    ].filter(([name]) => name !== 'people' || !app.library.given(view.recording)); // somebody else is looked for in the picture
    this.el = h(
      'div',
      { class: 'tools', role: 'toolbar', label: 'tool.title', 'aria-orientation': 'vertical', on: { keydown: (e) => this.#arrows(e) } },
      ...all.map(([name, ico, key], i) => {
        const b = h(
          'button',
          {
            type: 'button',
            class: 'tool',
            'aria-pressed': String(i === 0),
            tabIndex: i ? -1 : 0,
            label: `tool.${name}`,
            title: `${t(`tool.${name}`)} (${key.toUpperCase()})`,
            on: { click: () => (name === 'zoom' ? view.stage.zoom(1.4) : this.use(name)) },
          },
          icon(ico),
        );
        this.#buttons.set(name, b);
        return b;
      }),
    );
    // On a phone the tools stand in a row, below the picture.
    new ResizeObserver(() => {
      this.el.setAttribute('aria-orientation', this.#row ? 'horizontal' : 'vertical');
      view.stage.inset = this.#row ? 0 : 58;
      view.stage.draw();
    }).observe(this.el);
    this.keys = { a: 'draw', l: 'draw', t: 'draw', ...Object.fromEntries(all.map(([name, , key]) => [key, name])) };
    if (view.recording.sketches) this.#load('draw').catch(() => {}); // to show them
  }

  async #load(name) {
    const Tool = await panels[name]();
    this.#tools[name] ??= new Tool(this.#app, this.#view);
    this.#view.stage.draw();
  }

  // use takes up another tool, with the key if it was one; "select" puts the one in use away.
  async use(name, key = '') {
    this.name = name;
    if (panels[name] && !this.#tools[name]) {
      try {
        await this.#load(name);
      } catch {
        throw new Problem('error.network');
      }
      if (this.name !== name) return; // another one was taken up meanwhile
    }
    const old = this.now;
    this.now = this.#tools[name] ?? null;
    old?.leave?.();
    const { stage } = this.#view;
    stage.tool = this.now?.down ? this.now : null;
    for (const [n, b] of this.#buttons) if (n !== 'zoom') b.setAttribute('aria-pressed', String(n === name));
    stage.el.classList.toggle('stage--aim', Boolean(this.now?.down));
    this.now?.enter?.(key);
    this.#view.panel();
    stage.draw();
  }

  // panel is what the tool in use shows in place of the numbers, or null.
  panel() {
    return this.now?.panel?.() ?? null;
  }

  // key handles a key, and reports whether it was one of a tool's.
  key(e) {
    if (this.now?.key?.(e)) return true;
    if (e.key === 'Escape' && this.name !== 'select') {
      // also one that is still being loaded
      this.use('select');
      return true;
    }
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
      return false;
    const key = e.key.toLowerCase(),
      name = this.keys[key];
    if (!name) return false;
    if (name === 'zoom') this.#view.stage.zoom(e.shiftKey ? 1 / 1.4 : 1.4);
    else this.use(name, key);
    return true;
  }

  get #row() {
    return this.el.offsetWidth > this.el.offsetHeight;
  }

  #arrows(e) {
    const step = (this.#row ? { ArrowRight: 1, ArrowLeft: -1 } : { ArrowDown: 1, ArrowUp: -1 })[e.key];
    if (!step) return;
    const all = [...this.#buttons.values()];
    const to = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    all.forEach((b) => {
      b.tabIndex = b === to ? 0 : -1;
    });
    to.focus();
    e.preventDefault();
    e.stopPropagation();
  }
}
