// @ts-check
// A report in a window of the page: to read, to write its notes, to print and to save.
import { button, called, field, h, jobButton, save } from './dom.js';
import { label, language, plain, t } from './i18n.js';
import { examiner, lay, written } from './out.js';

/** @typedef {{ api: import('./api.js').API, mended(): void, fail(e: unknown): void }} App
 * @typedef {{ time?: number | null, text: string }} Note */

// showReport opens the report of an analysis or comparison at a path of the API. The notes of a keypoint record can be edited.
/** @param {App} app @param {string} path @param {{ name: string, keypointId?: number, at?: string }} of */
export async function showReport(app, path, { name, keypointId, at }) {
  const frame = h('iframe', { class: 'sheet__f', srcdoc: '<!doctype html>', title: name });
  const who = h('input', { maxLength: 100, value: localStorage.getItem(examiner) ?? '', autocomplete: 'name' });
  const urls = /** @type {string[]} */ ([]);
  let file = new Blob(),
    edited = false;

  // read puts the report into the frame. Before, there is nothing to print or save.
  const read = async () => {
    for (const b of acts) b.disabled = true;
    try {
      await fill();
    } finally {
      for (const b of acts) b.disabled = !file.size;
    }
  };

  const fill = async () => {
    file = await app.api.file(`${path}?${written({ format: 'report' }, who.value.trim())}`);
    urls.push(...lay(frame, plain(await file.text())));
    const page = /** @type {Document} */ (frame.contentDocument);
    page.title = name;
    page.documentElement.lang = language;
  };

  // notes are the paragraphs of the notes, or lines to write on.
  const notes = () => [.../** @type {Document} */ (frame.contentDocument).querySelectorAll('.notes')];

  const edit = button(
    'report.edit',
    async () => {
      if (edited) return keep();
      const [section] = notes();
      if (!section) return;
      const page = /** @type {Document} */ (frame.contentDocument);
      for (const small of section.querySelectorAll('i, small')) small.remove();
      section.append(page.createElement('p'));
      for (const p of section.querySelectorAll('p')) {
        p.contentEditable = 'true';
        p.role = 'textbox';
        label(p, 'report.note');
      }
      const last = /** @type {HTMLElement} */ (section.lastElementChild);
      last.scrollIntoView({ block: 'center' });
      last.focus();
      edited = true;
      edit.querySelector('span')?.replaceWith(h('span', { t: 'report.keep' }));
    },
    { icon: 'pencil', class: 'btn--line', hidden: !keypointId },
  );

  // keep writes the notes to the record, and reads the report with them.
  const keep = async () => {
    edit.disabled = true;
    try {
      /** @type {{ notes?: Note[] }} */
      const { notes: were = [] } = await app.api.get(`keypoints/${keypointId}/`);
      const now = notes()
        .flatMap((section) => [...section.querySelectorAll('p')])
        .map((p) => {
          const k = p.dataset.note,
            text = p.innerText.trim().slice(0, 2000);
          return k === undefined ? { text } : { ...were[Number(k)], text };
        })
        .filter((n) => n.text);
      await app.api.patch(`keypoints/${keypointId}/`, { notes: now });
      await read();
      edited = false;
      edit.querySelector('span')?.replaceWith(h('span', { t: 'report.edit' }));
      app.mended();
    } catch (e) {
      app.fail(e);
    } finally {
      edit.disabled = false;
    }
  };

  const acts = [
    edit,
    jobButton(app, 'report.save', async () => save(called(name, at, t('out.report'), 'html'), 'text/html', file), {
      icon: 'download',
      class: 'btn--line',
    }),
    button('report.print', () => frame.contentWindow?.print(), { icon: 'report', class: 'btn--primary' }),
  ];

  who.addEventListener('change', async () => {
    localStorage.setItem(examiner, who.value.trim());
    try {
      if (edited) await keep();
      else await read();
    } catch (e) {
      app.fail(e);
    }
  });
  const dialog = h(
    'dialog',
    { class: 'sheet', label: 'head.report' },
    h(
      'div',
      { class: 'sheet__b' },
      field('report.examiner', who),
      edit,
      ...acts.slice(1),
      button('page.close', () => dialog.close(), { class: 'btn--line' }),
    ),
    frame,
  );
  const leave = () => dialog.close(); // it is of what the address was
  addEventListener('hashchange', leave);
  dialog.addEventListener('close', () => {
    removeEventListener('hashchange', leave);
    for (const url of urls) URL.revokeObjectURL(url);
    dialog.remove();
  });
  const loaded = new Promise((done) => {
    frame.addEventListener('load', done, { once: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  try {
    await loaded;
    await read();
  } catch (e) {
    if (!dialog.isConnected) return; // it was closed meanwhile
    dialog.close();
    throw e;
  }
}
