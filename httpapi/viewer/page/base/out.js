// @ts-check
// What is taken out of a recording: links to its report, its movie, drawn onto, and its tables. Each is a button with a panel under it.
import { root } from './api.js';
import { h, button, called, card, jobButton, rebuild, save, segments, span } from './dom.js';
import { date, language, plain, say, t } from './i18n.js';

export const examiner = 'examiner'; // what this browser keeps the name of who writes reports under

// written says how a report or table is to be written.
/** @param {Record<string, string>} more @param {string | null} [by] the examiner */
export function written(more, by) {
  const query = new URLSearchParams({ ...more, language, utcOffset: String(-new Date().getTimezoneOffset()) });
  if (by) query.set('examiner', by);
  return query;
}

// opener is a button that opens a panel under it, and the panel. A click beside it closes it.
/** @param {string} key @param {string} icon @param {() => HTMLElement} make the panel, when it is first opened
 * @param {boolean} [disabled] */
export function opener(key, icon, make, disabled = false) {
  const panel = h('div', { class: 'menu out', popover: 'auto', role: 'dialog', label: key });
  const place = () => {
    if (!panel.matches(':popover-open')) return;
    panel.style.maxHeight = 'none';
    const box = by.getBoundingClientRect(),
      { width, height } = panel.getBoundingClientRect();
    panel.style.left = `${Math.max(8, Math.min(box.right - width, innerWidth - width - 8))}px`;
    const top = Math.max(8, Math.min(box.bottom + 6, innerHeight - height - 8));
    panel.style.top = `${top}px`;
    panel.style.maxHeight = `${innerHeight - top - 8}px`;
  };
  const grown = new ResizeObserver(place); // more may come
  const by = button(
    key,
    () => {
      if (!panel.firstChild) {
        const content = make();
        panel.append(content);
        grown.observe(content);
      }
      panel.showPopover();
      place();
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
        const query = written({ format: 'tables', separator: choices.find((one) => one.checked)?.value ?? usual });
        save(name(), 'text/csv', await app.api.file(`analyses/${await id()}/?${query}`));
      },
      { icon: 'download', class: 'btn--primary' },
    ),
    h('p', { class: 'foot' }, name()),
  );
}

// links is the panel for the links to the report of keypoints. id makes the analysis that the report is of.
/** @param {any} app @param {{ id: number, movie?: any, person?: number }} of @param {() => Promise<number>} id */
export function links(app, of, id) {
  const path = `keypoints/${of.id}/links/`;
  const toggle = () => h('input', { type: 'checkbox', on: { change: () => look().catch(app.fail) } });
  const name = toggle(),
    movie = toggle();
  const also = (input, key) => h('label', { class: 'switch' }, input, span(key));
  const until = h('small');
  const open = h('ul', { class: 'links' });
  const told = h('p', { class: 'foot', role: 'status' });
  const caption = h('figcaption', { class: 'foot' });
  /** @type {string[]} */
  const pictures = []; // of the report that is shown
  let days = '30';
  const tellUntil = () => say(until, 'link.until', { day: date(Date.now() + Number(days) * 86_400_000) });
  const copy = async (url) => {
    try {
      await navigator.clipboard.writeText(url);
      say(told, 'link.copied');
    } catch {
      say(told, 'head.copy', { url });
    }
  };
  const opens = h('iframe', { srcdoc: '<!doctype html>', tabIndex: -1, inert: true, label: 'link.shown' });
  const loaded = new Promise((done) => opens.addEventListener('load', done, { once: true }));
  const query = (more) => written(more, localStorage.getItem(examiner));
  // look shows what the next link opens.
  const look = async () => {
    const named = name.checked;
    say(caption, named ? 'link.opens.named' : 'link.opens');
    const file = await app.api.file(`analyses/${await id()}/?${query({ format: 'report', name: String(named) })}`),
      html = await file.text();
    await loaded;
    if (named !== name.checked) return;
    for (const old of pictures.splice(0)) URL.revokeObjectURL(old);
    pictures.push(...lay(opens, plain(html)));
    if (movie.checked) opens.contentDocument?.querySelector('.lead')?.after(h('video'));
  };
  const read = async () => {
    const { data } = await app.api.get(path);
    rebuild(
      open,
      ...data.reverse().map((l) =>
        h(
          'li',
          {},
          h(
            'span',
            {},
            span('link.until', { day: date(l.until) }),
            ...['name', 'drawingId'].map((more) => (l[more] ? span(`link.${more}`, {}, { class: 'links__n' }) : null)),
          ),
          button('link.again', () => copy(l.url), { class: 'btn--line btn--small' }),
          jobButton(
            app,
            'link.withdraw',
            async () => {
              await app.api.delete(`${path}${l.id}/`);
              say(told, 'link.withdrawn');
              await read();
            },
            { class: 'btn--line btn--small' },
          ),
        ),
      ),
    );
  };
  // draws makes the movie of a link: the skeleton on it, no numbers.
  const draws = async () => {
    const rule = [{ drawingType: 'body', size: 2, legend: true }],
      made = await app.api.post('drawings/', { keypointId: of.id, person: of.person || undefined, shrink: true, rule });
    say(told, 'draw.works');
    await app.api.finished(`drawings/${made.id}/`);
    return made.id;
  };
  const make = async () => {
    const link = await app.api.post(`${path}?${query({})}`, {
      analysisId: await id(),
      days: Number(days),
      name: name.checked,
      drawingId: movie.checked ? await draws() : null,
    });
    await copy(link.url);
    await read();
  };
  tellUntil();
  look().catch(app.fail);
  read().catch(app.fail);
  const row = (key, ...what) => h('div', {}, h('dt', { t: key }), h('dd', {}, ...what));
  const choice = segments(
    'link.days',
    ['7', '30', '90'].map((n) => [n, `link.days${n}`]),
    days,
    (n) => {
      days = n;
      tellUntil();
    },
  );
  return card(
    'link.title',
    {},
    h(
      'div',
      { class: 'links__g' },
      h(
        'div',
        {},
        h('p', { t: 'link.what' }),
        /^(localhost|127\.|\[::1\])/.test(root.hostname) ? h('p', { t: 'link.here' }) : null,
        h(
          'dl',
          {},
          row('link.shows', span('link.shown')),
          row('link.also', also(name, 'link.name.on'), of.movie ? also(movie, 'link.movie') : null),
          row('link.days', choice, until),
        ),
        jobButton(app, 'link.make', make, { icon: 'link', class: 'btn--primary' }),
        told,
        open,
      ),
      h('figure', {}, h('div', {}, opens), caption),
    ),
  );
}

// lay shows the HTML of a report in a frame that is in the page. The page allows no style and no picture inside a document: both are
// handed over. It returns the object URLs of the pictures, to be revoked when the frame is gone.
/** @param {HTMLIFrameElement} frame @param {string} html */
export function lay(frame, html) {
  const [before, css, after] = html.split(/<\/?style>/),
    report = new DOMParser().parseFromString(before + after, 'text/html'),
    page = /** @type {Document} */ (frame.contentDocument),
    style = new /** @type {any} */ (frame.contentWindow).CSSStyleSheet();
  style.replaceSync(css);
  const urls = [...report.querySelectorAll('image[href^="data:"]')].map((img) => {
    const bytes = Uint8Array.from(atob((img.getAttribute('href') ?? '').split(',')[1]), (c) => c.charCodeAt(0)),
      url = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }));
    img.setAttribute('href', url);
    return url;
  });
  page.adoptedStyleSheets = [style];
  page.body.replaceChildren(...report.body.children);
  return urls;
}
