// Making elements. Words are given as keys of the dictionaries, so that a change of the
// language reaches what is already on the page.
import { say, label } from './i18n.js';

const svgSpace = 'http://www.w3.org/2000/svg';

// h makes an HTML element. Of its properties, t is a key of its text (with args), label of
// its name for screen readers, on its listeners, class its classes.
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  const { t, args, label: name, labelArgs, on = {}, class: classes, ...rest } = props;
  if (classes) el.className = classes;
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined || value === null) continue;
    if (key in el && !key.includes('-')) el[key] = value;
    else el.setAttribute(key, value);
  }
  for (const [event, f] of Object.entries(on)) el.addEventListener(event, f);
  if (t) say(el, t, args);
  if (name) label(el, name, labelArgs);
  el.append(...children.filter((c) => c !== null && c !== undefined));
  return el;
}

// svg makes an SVG element with attributes.
export function svg(tag, attributes = {}, ...children) {
  const el = document.createElementNS(svgSpace, tag);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

// select makes a choice of values, each with a key of its words.
export function select(name, values, prefix, { value = values[0], ...props } = {}) {
  const el = h('select', { label: name, ...props }, ...values.map((v) => h('option', { value: v, t: prefix + v })));
  el.value = value; // which takes only what it has
  return el;
}

// field puts words before a control.
export function field(key, control, props = {}) {
  return h('label', { class: 'field', ...props }, h('span', { t: key }), control);
}

// button makes a button.
export function button(key, click, props = {}) {
  return h('button', { type: 'button', t: key, on: { click }, ...props });
}

// save offers text as a file.
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// csv writes rows of cells as RFC 4180 says, null as an empty cell.
export function csv(rows) {
  const cell = (v) => {
    const s = v === null || v === undefined ? '' : String(v);
    return /[",\r\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s;
  };
  return rows.map((r) => r.map(cell).join(',') + '\r\n').join('');
}
