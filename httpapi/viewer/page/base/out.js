// @ts-check
// What is taken out of a recording: its movie, drawn onto, and its tables. Each is a button with a panel under it.
import { h, button, called, card, jobButton, save, span } from './dom.js';
import { language, t } from './i18n.js';

// opener is a button that opens a panel under it, and the panel. A click beside it closes it.
/** @param {string} key @param {string} icon @param {() => HTMLElement} make the panel, when it is first opened
 * @param {boolean} [disabled] */
export function opener(key, icon, make, disabled = false) {
  const panel = h('div', { class: 'menu out', popover: 'auto', role: 'dialog', label: key });
  const by = button(
    key,
    () => {
      if (!panel.firstChild) panel.append(make());
      panel.style.maxHeight = 'none';
      panel.showPopover();
      const box = by.getBoundingClientRect(),
        { width, height } = panel.getBoundingClientRect();
      panel.style.left = `${Math.max(8, Math.min(box.right - width, innerWidth - width - 8))}px`;
      const top = Math.max(8, Math.min(box.bottom + 6, innerHeight - height - 8));
      panel.style.top = `${top}px`;
      panel.style.maxHeight = `${innerHeight - top - 8}px`; // it scrolls if more comes
      panel.querySelector('input')?.focus();
    },
    { icon, disabled, class: 'btn--line', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
  );
  panel.addEventListener('toggle', (e) => by.setAttribute('aria-expanded', String(e.newState === 'open')));
  return h('span', { class: 'out__b' }, by, panel);
}

// tables is the panel for the tables of a recording. id makes the analysis that they are of.
/** @param {any} app @param {() => Promise<number>} id @param {() => [string, string]} of the name and the day of the recording */
export function tables(app, id, of) {
  // A spreadsheet expects semicolons where numbers have a decimal comma.
  const usual = (0.5).toLocaleString(navigator.language).includes(',') ? 'semicolon' : 'comma';
  const choices = ['comma', 'semicolon'].map((value) => h('input', { type: 'radio', name: 'separator', value, checked: value === usual }));
  const name = () => called(...of(), t('out.tables'), 'csv');
  return card(
    'head.csv',
    {},
    h(
      'fieldset',
      { class: 'out__f' },
      h('legend', { t: 'out.between' }),
      ...choices.map((one) =>
        h('label', { class: 'out__r' }, one, span(`out.${one.value}`), h('small', {}, one.value === 'comma' ? '1.5' : '1,5')),
      ),
    ),
    jobButton(
      app,
      'out.save',
      async () => {
        const separator = choices.find((one) => one.checked)?.value ?? usual;
        const query = new URLSearchParams({ format: 'tables', separator, language, utcOffset: String(-new Date().getTimezoneOffset()) });
        save(name(), 'text/csv', await app.api.file(`analyses/${await id()}/?${query}`));
      },
      { icon: 'download', class: 'btn--primary' },
    ),
    h('p', { class: 'foot' }, name()),
  );
}
