// @ts-check
// Making elements. Words are given as keys of the dictionaries, so that a change of the
// language reaches what is already on the page.
import { say, label, t } from './i18n.js';
import { icon } from './icons.js';

/** @typedef {{[name: string]: any}} Props of an element
 * @typedef {Node | string | null | undefined} Child of an element */

// h makes an HTML element. Of its properties, t is a key of its text (with args), label of its
// name for screen readers (with labelArgs), on its listeners, class its classes, style its styles.
// Children that are null or undefined are left out.
/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} props
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  const { t, args, label: name, labelArgs, on = {}, class: classes, style, ...rest } = props;
  if (classes) el.className = classes;
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined || value === null) continue;
    if (key in el && !key.includes('-')) el[key] = value;
    else el.setAttribute(key, value);
  }
  for (const [key, value] of Object.entries(style ?? {})) el.style.setProperty(key, value);
  for (const [event, f] of Object.entries(on)) el.addEventListener(event, f);
  if (t) say(el, t, args);
  if (name) label(el, name, labelArgs);
  el.append(...children.filter((c) => c !== null && c !== undefined));
  return el;
}

// span puts words into an element of their own.
/** @type {(key: string, args?: Props, props?: Props) => HTMLSpanElement} */
export const span = (key, args, props = {}) => h('span', { t: key, args, ...props });

// button makes a button with words, an icon, or both. With an icon alone the words are its name.
/** @param {string} key @param {(event: Event) => void} click @param {Props} options */
export function button(key, click, { icon: name, only = false, class: classes = '', args, ...props } = {}) {
  return h(
    'button',
    {
      type: 'button',
      class: `btn ${only ? 'btn--icon ' : ''}${classes}`,
      on: { click },
      ...(only ? { label: key, labelArgs: args } : {}),
      ...props,
    },
    name ? icon(name) : null,
    only ? null : span(key, args),
  );
}

// whole is a button that shows an element in full screen, and puts it back.
/** @param {HTMLElement} el */
export const whole = (el) =>
  button('player.full', () => (document.fullscreenElement ? document.exitFullscreen() : el.requestFullscreen()), {
    icon: 'full',
    only: true,
    hidden: !document.fullscreenEnabled,
  });

// jobButton is a button of a job that takes a while: it is disabled until the job ends. The app says what failed.
/** @param {{ mended(): void, fail(e: unknown): void }} app @param {string} key @param {() => Promise<void>} job @param {Props} options */
export function jobButton(app, key, job, options) {
  const b = button(
    key,
    async () => {
      b.disabled = true;
      try {
        await job();
        app.mended();
      } catch (e) {
        app.fail(e);
      } finally {
        b.disabled = false;
      }
    },
    options,
  );
  return b;
}

// select makes a choice of values. The keys of their words begin with a prefix, or are by a function.
/** @param {string} name @param {string[]} values @param {string | ((value: string) => string)} key @param {Props} options */
export function select(name, values, key, { value = values[0], ...props } = {}) {
  const el = h(
    'select',
    { label: name, ...props },
    ...values.map((v) => h('option', { value: v, t: typeof key === 'string' ? key + v : key(v) })),
  );
  el.value = value; // which takes only what it has
  return el;
}

// field puts words before a control.
/** @param {string} key @param {HTMLElement} control @param {Props} props */
export function field(key, control, props = {}) {
  return h('label', { class: 'field', ...props }, h('span', { t: key }), control);
}

// segments is a row of buttons of which one is pressed. chosen is called with its value.
/** @param {string} name @param {[value: string, key: string, icon?: string][]} values @param {string} value
 * @param {(value: string) => void} chosen */
export function segments(name, values, value, chosen) {
  const el = Object.assign(h('div', { class: 'seg', role: 'group', label: name }), {
    /** @param {string} v */
    choose: (v) => {
      for (const b of el.children) b.setAttribute('aria-pressed', String(b.dataset.value === String(v)));
    },
  });
  for (const [v, key, ico] of values) {
    el.append(
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(v === value),
          'data-value': v,
          on: {
            click: () => {
              el.choose(v);
              chosen(v);
            },
          },
        },
        ico ? icon(ico) : null,
        span(key),
      ),
    );
  }
  return el;
}

// card is a box of the results with a title; note stands at its right.
/** @param {string} key @param {Props} options @param {...Child} children */
export function card(key, { args, note, noteArgs, after, id = key.replaceAll('.', '-') } = {}, ...children) {
  const title = h('h2', { id }, h('b', { t: key, args }), after ? ' ' : null, after);
  return h(
    'section',
    { class: 'card', 'aria-labelledby': id },
    h('div', { class: 'card__h' }, title, note instanceof Node ? note : note ? span(note, noteArgs, { class: 'card__n' }) : null),
    ...children,
  );
}

// rebuild replaces the children of an element. The focus stays on the control of the same name; where there is none
// any more, it goes to the first that can be used.
/** @param {HTMLElement} root @param {...(Node | string)} children */
export function rebuild(root, ...children) {
  const name = (el) => el.dataset.tLabel ?? el.querySelector('[data-t]')?.dataset.t;
  const alike = (el) => [...root.querySelectorAll('button, input, select, textarea')].filter((o) => name(o) === name(el));
  const had = root.contains(document.activeElement) ? document.activeElement : null;
  const n = had ? alike(had).indexOf(had) : 0;
  root.replaceChildren(...children);
  if (!had || had === document.activeElement) return;
  const same = alike(had).filter((el) => !el.disabled);
  (same[Math.min(n, same.length - 1)] ?? root.querySelector('select:enabled, button:enabled, input:enabled'))?.focus({
    preventScroll: true,
  });
}

// metresIn reads a length in metres: "1.7", "1,7 m", "170 cm". NaN is no length.
/** @param {string} text */
export function metresIn(text) {
  const [, n, unit] = /^(\d+(?:[.,]\d*)?)\s*(cm|m|センチ|メートル)?$/.exec(text.normalize('NFKC').trim().toLowerCase()) ?? [];
  return n ? Number(n.replace(',', '.')) / (['cm', 'センチ'].includes(unit) ? 100 : 1) : NaN;
}

// lengthField is a field for a length, which its function metres returns, NaN without. Of a body, 30 and more are centimetres.
/** @param {{body?: boolean, value?: number | string}} options */
export function lengthField({ body = false, value = '' } = {}) {
  const el = h('input', { placeholder: body ? '1.75' : '1.00', inputMode: 'decimal', autocomplete: 'off', value }),
    metres = () => {
      let m = metresIn(el.value);
      if (body && m >= 30) m /= 100;
      return m >= (body ? 0.3 : 0.01) && !(body && m > 2.6) ? m : NaN;
    };
  el.addEventListener('input', () => el.setCustomValidity(el.value.trim() && !metres() ? t('length.wrong') : ''));
  el.addEventListener('change', () => {
    if (metres()) el.value = body ? metres().toFixed(2) : String(Math.round(1000 * metres()) / 1000);
    else el.reportValidity();
  });
  return Object.assign(el, { metres });
}

// called returns the name of a file. It names the recording or person, the day, and the content: "Squats 2026-11-28 report.html".
/** @param {string} name @param {string | undefined} at @param {string} what @param {string} ending */
export const called = (name, at, what, ending) =>
  `${[name, (at ? new Date(at) : new Date()).toLocaleDateString('sv'), what].join(' ').replace(/[^\p{L}\p{N} _.,-]/gu, '_')}.${ending}`;

// save offers a Blob, or text, as a file.
/** @param {string} name @param {string} type @param {Blob | string} content */
export function save(name, type, content) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// release lets go of what a video element plays, or it goes on reading what is not there any more.
/** @param {any} media */
export function release(media) {
  if (!(media instanceof HTMLVideoElement)) return;
  media.removeAttribute('src');
  media.load();
}
