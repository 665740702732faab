// @ts-check
// The dialogs of the page: a question, a name, what a file does not say, and the help.
import { h, button, field } from './dom.js';

// show shows a dialog with the heading of this id, and calls closed with what it returns.
/** @param {string} id @param {Node[]} content @param {(value: string) => void} [closed] */
function show(id, content, closed = () => {}) {
  const dialog = h('dialog', { class: 'ask', 'aria-labelledby': id }, ...content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    closed(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
}

// close closes the dialog of a button.
/** @param {Event} e @param {string} [value] */
const close = (e, value) => /** @type {any} */ (e.currentTarget).closest('dialog').close(value);

// ask asks a question with a red answer, and resolves to whether it was given.
/** @param {string} title @param {string} text @param {{[name: string]: any}} args @param {string} answer @returns {Promise<boolean>} */
export function ask(title, text, args, answer) {
  const keep = button('delete.keep', (e) => close(e), { class: 'btn--line', autofocus: true });
  const does = button(answer, (e) => close(e, 'yes'), { class: 'btn--red' });
  return new Promise((done) =>
    show(
      'ask-title',
      [h('h2', { id: 'ask-title', t: title, args }), h('p', { t: text }), h('div', { class: 'verdict__a' }, keep, does)],
      (value) => done(value === 'yes'),
    ),
  );
}

// form asks for what its fields are given, and calls done when it is to be kept, else left.
/** @param {string} title @param {string} answer @param {Node[]} fields @param {() => void} done @param {() => void} [left] */
export function form(title, answer, fields, done, left = () => {}) {
  const act = [
    button('tool.cancel', (e) => close(e), { class: 'btn--line' }),
    h('button', { class: 'btn btn--primary', value: 'yes', t: answer }),
  ];
  show(
    'ask-title',
    [h('form', { method: 'dialog' }, h('h2', { id: 'ask-title', t: title }), ...fields, h('div', { class: 'verdict__a' }, ...act))],
    (value) => (value === 'yes' ? done() : left()),
  );
}

// missing asks for what a file of keypoints does not say: the size [width, height] of its picture, or the frameRate.
/** @param {string} name @returns {Promise<number | number[] | null | undefined>} */
export function missing(name) {
  const [inputMode, placeholder, pattern] =
    name === 'size' ? ['text', '1280 × 720', '\\s*\\d+\\s*[×xX*,]\\s*\\d+\\s*'] : ['decimal', '30', '\\s*\\d+([.,]\\d+)?\\s*'];
  const input = h('input', { inputMode, placeholder, pattern, required: true, autofocus: true });
  return new Promise((done) =>
    form(
      'given.missing',
      'given.go',
      [field(`given.${name}`, input)],
      () => done(name === 'size' ? input.value.match(/\d+/g)?.map(Number) : Number(input.value.replace(',', '.'))),
      () => done(null),
    ),
  );
}

// rename asks for another name, and calls change with one that is not empty.
/** @param {string} name @param {(name: string) => void} change */
export function rename(name, change) {
  const input = h('input', { value: name, maxLength: 200, label: 'list.name' });
  form('list.rename', 'list.keep', [input], () => {
    const given = input.value.trim();
    if (given) change(given);
  });
  input.select();
}

const keys = [
  ['Space', 'keys.play'],
  ['← →', 'keys.step'],
  ['Home End', 'keys.ends'],
  ['R', 'keys.loop'],
  ['[ ]', 'keys.repetition'],
  ['V D A L T P W S', 'keys.tools'],
  ['Z', 'keys.zoom'],
  ['↑ ↓', 'keys.points'],
  ['+ - 0', 'keys.axis'],
  ['I O', 'keys.part'],
  ['↑ ↓ →', 'keys.list'],
  ['Esc', 'keys.escape'],
  ['?', 'keys.help'],
];

// help shows the keys, and how to film.
export function help() {
  const listed = keys.flatMap(([k, key]) => [h('dt', {}, ...k.split(' ').map((x) => h('kbd', {}, x))), h('dd', { t: key })]);
  show('help-title', [
    h('h2', { id: 'help-title', t: 'keys.title' }),
    h('dl', { class: 'keys' }, ...listed),
    h('h2', { t: 'help.film' }),
    h('p', { t: 'help.film.text' }),
    h(
      'div',
      { class: 'verdict__a' },
      button('page.close', (e) => close(e), { class: 'btn--line' }),
    ),
  ]);
}
