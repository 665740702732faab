// @ts-check
// The tools on the picture: select and move, measure an angle or a line, correct a point, choose the person,
// set scale and floor, zoom. One is in use; it may show a panel in place of the numbers.
import { amount } from '../base/amount.js';
import { h } from '../base/dom.js';
import { svg } from '../base/svg.js';
import { icon } from '../base/icons.js';
import { t } from '../base/i18n.js';
import { Problem } from '../base/api.js';

// panels are the tools that are loaded when they are first used: with a panel of their own.
const panels = {
  correct: async () => (await import('./correct.js')).Correct,
  people: async () => (await import('./people.js')).People,
  setup: async () => (await import('./setup.js')).Setup,
  more: async () => (await import('./more.js')).More,
};

// Measure draws a line or an angle by hand: click two or three points, drag any of them.
class Measure {
  #group = svg('g', { class: 'fix' });
  #need;
  /** @type {Place[]} */
  points = [];
  #held = -1;
  quiet = true;

  constructor(view, need) {
    this.view = view;
    this.#need = need;
    view.stage.above.append(this.#group);
    view.stage.addEventListener('draw', () => this.draw());
  }

  enter() {
    this.draw();
  }

  leave() {
    this.#group.replaceChildren();
    this.view.stage.el.querySelector('.measured')?.remove();
  }

  key(e) {
    if (e.key === 'Escape' && this.points.length) {
      this.points = [];
      this.draw();
      return true;
    }
    return false;
  }

  down = (at) => {
    const near = this.points.findIndex((p) => {
      const [a, b] = [this.view.stage.place(p), this.view.stage.place(at)];
      return Math.hypot(a[0] - b[0], a[1] - b[1]) < 18;
    });
    if (near >= 0) {
      this.#held = near;
      return;
    }
    if (this.points.length === this.#need) this.points = [];
    this.points.push(at);
    this.#held = this.points.length - 1;
    this.draw();
  };

  move = (at) => {
    if (this.#held < 0) return;
    this.points[this.#held] = at;
    this.draw();
  };

  up = () => {
    // The second end of a line may be drawn with the first: press, drag, release.
    this.#held = -1;
  };

  // text is what is measured, or '' before it is complete.
  get text() {
    const {
      points,
      view: { recording },
    } = this;
    if (points.length < this.#need) return '';
    if (this.#need === 2) {
      const d = Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1]);
      const m = recording.world?.metresPerPixel;
      return m ? amount(d * m, 'm') : amount(d, 'px');
    }
    const [a, b, c] = points;
    const turn = Math.atan2(c[1] - b[1], c[0] - b[0]) - Math.atan2(a[1] - b[1], a[0] - b[0]);
    return amount(Math.abs((Math.atan2(Math.sin(turn), Math.cos(turn)) * 180) / Math.PI), '°');
  }

  draw() {
    const { stage } = this.view;
    if (this.view.tools?.now !== this) return;
    const at = this.points.map(stage.place);
    const d = at.map((p, i) => `${i ? 'L' : 'M'}${p[0].toFixed(1)} ${p[1].toFixed(1)}`).join('');
    this.#group.replaceChildren(
      svg('path', { class: 'under', d }),
      svg('path', { class: 'move', d }),
      ...at.map((p) => svg('circle', { class: 'ring', cx: p[0], cy: p[1], r: 7 })),
    );
    const words = this.text || t(this.#need === 2 ? 'tool.line.how' : 'tool.angle.how');
    const out = stage.el.querySelector('.measured') ?? stage.el.appendChild(h('output', { class: 'measured toast', role: 'status' }));
    out.textContent = words;
  }
}

export class Tools {
  #app;
  #view;
  #tools;
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
      ['angle', 'angle', 'a'],
      ['line', 'ruler', 'l'],
      ['correct', 'point', 'p'],
      ['people', 'person', 'w'],
      ['setup', 'floor', 's'],
      ['zoom', 'zoom', 'z'],
    ].filter(([name]) => name !== 'people' || !app.library.given(view.recording)); // somebody else is looked for in the picture
    this.#tools = { angle: new Measure(view, 3), line: new Measure(view, 2) };
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
    this.keys = Object.fromEntries(all.map(([name, , key]) => [key, name]));
  }

  // use takes up another tool; "select" puts the one in use away.
  async use(name) {
    this.name = name;
    if (panels[name] && !this.#tools[name]) {
      try {
        const Tool = await panels[name]();
        this.#tools[name] ??= new Tool(this.#app, this.#view);
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
    this.now?.enter?.();
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
    const name = this.keys[e.key.toLowerCase()];
    if (!name) return false;
    if (name === 'zoom') this.#view.stage.zoom(e.shiftKey ? 1 / 1.4 : 1.4);
    else this.use(name);
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
