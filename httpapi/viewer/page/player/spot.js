// @ts-check
// What a point of the skeleton is: under the mouse, after a tap, or by the keyboard (Tab, then up and down) its name,
// how sure it is, and where it lies in the picture.
import { h } from '../base/dom.js';
import { t } from '../base/i18n.js';
import { parts } from '../base/names.js';

export class Spot {
  #stage;
  #part = ''; // none
  #tip = h('output', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  #ring = h('div', {
    class: 'spot',
    role: 'slider',
    tabIndex: 0,
    label: 'spot.title',
    'aria-orientation': 'vertical',
    'aria-valuemin': 1,
    'aria-valuemax': parts.length,
  });

  // quiet tells whether a tool needs the picture for itself.
  /** @param {import('./stage.js').Stage} stage @param {() => boolean} quiet */
  constructor(stage, quiet) {
    this.#stage = stage;
    /** @type {(e: MouseEvent) => Place} */
    const at = (e) => {
      const box = stage.el.getBoundingClientRect();
      return [e.clientX - box.left, e.clientY - box.top];
    };
    const find = (e, reach) => this.#show(quiet() || e.target.closest('button, .tools') ? '' : (stage.near(at(e), reach) ?? ''));
    let down = [0, 0];
    stage.el.addEventListener('pointermove', (e) => {
      if (e.pointerType === 'mouse' && !e.buttons) find(e, 14);
    });
    stage.el.addEventListener('pointerdown', (e) => {
      down = at(e);
    });
    stage.el.addEventListener('pointerup', (e) => {
      const [x, y] = at(e);
      if (e.pointerType !== 'mouse' && Math.hypot(x - down[0], y - down[1]) < 10) find(e, 28);
    });
    stage.el.addEventListener('pointerleave', (e) => {
      if (e.pointerType === 'mouse' && document.activeElement !== this.#ring) this.#show('');
    });
    this.#ring.addEventListener('focus', () => {
      if (this.#ring.matches(':focus-visible')) this.#show(this.#part || this.#found[0] || '');
    });
    this.#ring.addEventListener('blur', () => this.#show(''));
    this.#ring.addEventListener('keydown', (e) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[e.key],
        all = this.#found;
      if (!step || !all.length) return;
      e.preventDefault();
      e.stopPropagation();
      this.#show(all[(all.indexOf(this.#part) + step + all.length) % all.length]);
    });
    stage.el.append(this.#ring, this.#tip);
    stage.addEventListener('draw', () => this.#draw());
    this.#draw();
  }

  // found are the parts of this frame, from head to foot.
  get #found() {
    const points = this.#stage.frames[this.#stage.playhead.frame] ?? {};
    return parts.filter((part) => points[part]);
  }

  #show(part) {
    if (part === this.#part) return;
    this.#part = part;
    this.#draw();
  }

  #draw() {
    const {
        frames,
        scores,
        playhead: { frame },
        width,
        height,
      } = this.#stage,
      p = frames[frame]?.[this.#part];
    this.#tip.hidden = !p;
    this.#ring.classList.toggle('spot--on', Boolean(p));
    if (!p) {
      this.#ring.setAttribute('aria-valuenow', '1');
      this.#ring.setAttribute('aria-valuetext', t(this.#part ? 'value.none' : 'correct.choose'));
      return;
    }
    const score = scores?.[frame]?.[this.#part],
      [x, y] = this.#stage.place(p);
    const words = [
      t(`part.${this.#part}`),
      ...(score === undefined ? [] : [t('person.sure', { percent: Math.round(100 * score) })]),
      t('spot.at', { x: Math.round(p[0]), y: Math.round(p[1]) }),
    ];
    this.#tip.textContent = words.join(' · ');
    this.#ring.setAttribute('aria-valuenow', String(1 + parts.indexOf(this.#part)));
    this.#ring.setAttribute('aria-valuetext', words.join(', '));
    this.#ring.style.translate = `${x}px ${y}px`;
    this.#tip.style.translate = `${Math.min(width - 110, Math.max(110, x))}px ${y > 60 || y > height - 40 ? y - 32 : y + 32}px`;
  }
}
