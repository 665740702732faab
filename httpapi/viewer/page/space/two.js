// @ts-check
// Two phones: how to film one movement with both, and where to put the two movies.
import { h, button, field, lengthField, span } from '../base/dom.js';
import { icon, svg } from '../base/icons.js';
import { say, t } from '../base/i18n.js';
import { address } from '../base/route.js';
import { Report } from '../base/report.js';
import { kindOf } from '../library/files.js';
import { letters } from './stage.js';

const s = (tag, attributes, ...children) => svg(tag, attributes, ...children);
const p = (cls, d) => s('path', { class: cls, d });
const words = (cls, x, y, anchor, key) => {
  const el = s('text', { class: `pl__t ${cls}`, x, y, 'text-anchor': anchor });
  say(el, key);
  return el;
};

// sight is the gradient of what a phone sees.
const sight = (id, cx) =>
  s(
    'radialGradient',
    { id, gradientUnits: 'userSpaceOnUse', cx, cy: 131.9, r: 255 },
    ...[
      [0, 0.2],
      [0.75, 0.1],
      [1, 0],
    ].map(([offset, opacity]) => s('stop', { offset, class: 'pl__stop', 'stop-opacity': opacity })),
  );
const phone = (x, turn) =>
  s(
    'g',
    { class: 'pl__ink', transform: `translate(${x} 122) rotate(${turn})` },
    s('rect', { x: -20, y: -8, width: 40, height: 16, rx: 5 }),
    s('path', { d: 'M-6 8 0 14 6 8z' }),
  );

// plan is where the phones stand, seen from above.
function plan() {
  const el = s(
    'svg',
    { class: 'pl', viewBox: '24 34 600 352', role: 'img' },
    s('defs', {}, sight('sight-a', 189.9), sight('sight-b', 450.1)),
    s('path', { d: 'M189.9 131.9L455.8 228.1L286.1 397.8z', fill: 'url(#sight-a)' }),
    s('path', { d: 'M450.1 131.9L353.9 397.8L184.2 228.1z', fill: 'url(#sight-b)' }),
    p('pl__ring', 'M124 262A196 196 0 0 1 516 262'),
    p('pl__good', 'M370.7 72.7A196 196 0 0 1 509.3 211.3'),
    p('pl__ray', 'M192.7 134.7L320 262L447.3 134.7'),
    p('pl__ang', 'M226.7 168.7A132 132 0 0 1 413.3 168.7'),
    s('text', { class: 'pl__n', x: 320, y: 122, 'text-anchor': 'middle' }, '90°'),
    s('circle', { class: 'pl__walk', cx: 320, cy: 262, r: 86 }),
    p('pl__arr', 'M227 268l7-9 7 9M399 256l7 9 7-9'),
    p('pl__left', 'M286 262h34'),
    p('pl__right', 'M320 262h34'),
    p('pl__ink', 'M312 249l8-12 8 12z'),
    s('circle', { class: 'pl__ink', cx: 320, cy: 261, r: 15 }),
    phone(180, -45),
    phone(460, 45),
    words('b', 157.4, 99.4, 'end', 'two.a'),
    words('b', 482.6, 99.4, 'start', 'two.b'),
    words('g', 482.6, 118.4, 'start', 'two.apart'),
    words('', 157.4, 118.4, 'end', 'two.away'),
    words('', 320, 372, 'middle', 'two.circle'),
  );
  el.dataset.tLabel = 'two.plan';
  el.setAttribute('aria-label', t('two.plan'));
  return el;
}

const body = (at) =>
  s(
    'g',
    { class: 'hw__body', transform: at },
    s('circle', { cx: 0, cy: -22, r: 4 }),
    s('path', { d: 'M0-15V0M0 0l-6 12 1 13M0 0l6 12-1 13M-9-2l2-11h14l2 11' }),
  );
const box = (x, y, width, height, rx, cls = 'hw__box') => s('rect', { class: cls, x, y, width, height, rx });
const pictures = [
  () => [
    p('hw__thin', 'M14 74h40M20 74v10M48 74v10M70 60h36M76 60v24M100 60v24'),
    box(24, 32, 20, 42, 7),
    box(78, 18, 20, 42, 7),
    ...[
      [34, 39],
      [88, 25],
    ].map(([cx, cy]) => s('circle', { class: 'hw__dot', cx, cy, r: 2.5 })),
  ],
  () => [box(14, 10, 38, 72, 7), body('translate(33 50) scale(1.05)'), box(62, 24, 50, 46, 7), body('translate(87 49) scale(0.72)')],
  () => [
    p('hw__pale', 'M14 32h92M14 62h92'),
    box(14, 24, 74, 16, 5, 'hw__dot'),
    box(34, 54, 72, 16, 5, 'hw__hollow'),
    p('hw__dash', 'M52 14v66'),
  ],
  () => [
    s('ellipse', { class: 'hw__way', cx: 60, cy: 66, rx: 40, ry: 13 }),
    p('hw__thin', 'm94 59 7 6 2-9'),
    body('translate(60 38) scale(1.05)'),
  ],
];

/** @typedef {{name: string, file?: File, id?: number, url: string, note?: HTMLElement}} Put
 * what is in a slot: a file, or a recording that is there */

export class TwoView {
  #app;
  #add;
  #end = new AbortController();
  /** @type {(Put | null)[]} */
  #slots = [null, null];
  #row = h('div', { class: 'hw__slots' });
  #measure;
  #each;
  #height = lengthField({ body: true });
  #report = new Report();
  #input = h('input', {
    type: 'file',
    hidden: true,
    multiple: true,
    accept: 'video/*,.mkv,.avi',
    on: {
      change: () => {
        this.take([.../** @type {FileList} */ (this.#input.files)], this.#into);
        this.#input.value = '';
      },
    },
  });
  #into = 0;

  // add measures movies by themselves.
  constructor(app, add) {
    this.#app = app;
    this.#add = add;
    this.#measure = button('two.measure', () => this.#report.run(this.#measure, 'two.works', (tell) => this.#run(tell)), {
      class: 'btn--primary',
    });
    this.#each = button('two.one', () => this.#alone(), { class: 'btn--ghost hw__one' });
    const key = (cls, name) => h('li', {}, ...cls.map((c) => h('i', { class: c })), span(name));
    const step = (n) =>
      h(
        'li',
        {},
        h('div', { class: 'step__p hw__p' }, s('svg', { viewBox: '0 0 120 92', 'aria-hidden': 'true' }, ...pictures[n - 1]())),
        h(
          'div',
          {},
          h('span', { class: 'step__n', t: 'first.step', args: { n } }),
          h('h2', { t: `two.step${n}` }),
          h('p', { t: `two.step${n}.text` }),
        ),
      );
    this.el = h(
      'main',
      { class: 'first hw', id: 'main', tabIndex: -1 },
      h('header', { class: 'hw__h' }, h('h1', { t: 'two.title' }), h('p', { class: 'first__s', t: 'two.text' })),
      h(
        'div',
        { class: 'hw__g' },
        h(
          'section',
          { class: 'card hw__plan', label: 'two.where' },
          plan(),
          h(
            'ul',
            { class: 'hw__k' },
            key(['hw__i'], 'two.good'),
            key(['hw__i hw__i--w'], 'two.way'),
            key(['dot left', 'dot right'], 'two.sides'),
          ),
        ),
        h('ol', { class: 'hw__s', label: 'help.film' }, step(1), step(2), step(3), step(4)),
      ),
      h(
        'section',
        { class: 'drop hw__drop', 'aria-labelledby': 'two-drop' },
        h(
          'div',
          { class: 'drop__t' },
          icon('upload'),
          h('div', {}, h('h2', { id: 'two-drop', t: 'two.drop' }), span('two.limits')),
          this.#each,
        ),
        this.#row,
        h('div', { class: 'hw__a' }, this.#measure, field('two.height', this.#height), span('two.when')),
        this.#report.el,
      ),
      this.#input,
    );
  }

  close() {
    this.#end.abort();
    for (const slot of this.#slots) if (slot?.file) URL.revokeObjectURL(slot.url);
  }

  // speak is called when the language has changed: what is chosen stays.
  speak() {
    this.#draw();
  }

  // open shows the slots, with recordings that are there already (a and b in the query), or with files.
  async open(query, files) {
    this.#draw();
    const { library } = this.#app;
    await Promise.all(
      ['a', 'b'].map(async (name, i) => {
        const id = Number(query.get(name)) || 0;
        if (id) await this.#there(i, id);
      }),
    );
    this.take(files);
    if (!library.read) library.addEventListener('change', () => this.#draw(), { once: true, signal: this.#end.signal });
  }

  // there puts a recording into a slot; of one that was joined, that of its first camera.
  async #there(i, id) {
    const { api, library } = this.#app,
      record = await api.get(`keypoints/${id}/`, this.#end.signal);
    if (record.keypointIds) {
      await this.#there(i, record.keypointIds[0]);
      return;
    }
    const media = await library.media(record);
    this.#slots[i] = { id: record.id, name: media.name || t('list.unnamed'), url: (await library.picture(record)) ?? '' };
    if (record.scale?.bodyHeight) this.#height.value = record.scale.bodyHeight;
    this.#draw();
  }

  // take puts files into the slots that are empty, from one on.
  /** @param {File[]} files */
  take(files, from = 0) {
    for (const file of files.filter((one) => kindOf(one) === 'movies')) {
      const i = [from, 1 - from].find((k) => !this.#slots[k]);
      if (i !== undefined) this.#slots[i] = { file, name: file.name, url: URL.createObjectURL(file) };
    }
    this.#draw();
  }

  #draw() {
    this.#row.replaceChildren(
      ...this.#slots.map((slot, i) => {
        const badge = h('span', { class: `pl__badge${i ? ' pl__badge--b' : ''}` }, letters[i]);
        if (!slot) return this.#empty(i, badge);
        return h(
          'div',
          { class: 'slot slot--on' },
          h(
            'span',
            { class: 'slot__i' },
            slot.file
              ? h('video', {
                  src: `${slot.url}#t=0.5`,
                  muted: true,
                  playsInline: true,
                  preload: 'metadata',
                  tabIndex: -1,
                  'aria-hidden': 'true',
                })
              : h('img', { src: slot.url, alt: '' }),
            badge,
          ),
          h('div', {}, h('b', {}, slot.name), (slot.note = h('small', { t: slot.file ? 'two.new' : 'two.there' }))),
          button(
            'two.away.of',
            () => {
              if (slot.file) URL.revokeObjectURL(slot.url);
              this.#slots[i] = null;
              this.#draw();
            },
            { icon: 'close', only: true, args: { name: slot.name } },
          ),
        );
      }),
    );
    const full = this.#slots.every(Boolean);
    this.#measure.disabled = !full;
    say(this.#each.lastChild, this.#slots.filter((slot) => slot?.file).length > 1 ? 'two.each' : 'two.one');
  }

  // empty is a slot to drop a movie on, or to choose a file or a recording for.
  #empty(i, badge) {
    const others = this.#app.library.items.filter(
      (item) => item.movie && item.execStatus === 'SUCCESS' && !this.#slots.some((slot) => slot?.id === item.id),
    );
    const known = h(
      'select',
      { label: 'two.known', on: { change: () => this.#there(i, known.value).catch(this.#app.fail) } },
      h('option', { value: '', t: 'two.known' }),
      ...others.map((item) => h('option', { value: item.id }, item.media.name || t('list.unnamed'))),
    );
    return h(
      'div',
      { class: 'slot' },
      h('span', { class: 'slot__i' }, h('span', { class: 'slot__e' }, icon('plus')), badge),
      h('div', {}, h('b', { t: i ? 'two.second' : 'two.first' }), others.length ? known : h('small', { t: 'two.choose' })),
      button(
        'two.file',
        () => {
          this.#into = i;
          this.#input.click();
        },
        { class: 'btn--line', 'data-slot': letters[i] },
      ),
    );
  }

  // alone goes on with each movie by itself.
  #alone() {
    const files = this.#slots.flatMap((slot) => slot?.file ?? []);
    if (files.length) this.#add(files);
    else location.hash = '#/';
  }

  // run sends what is not there yet, waits until the body is found in both, and has them measured together.
  async #run(tell) {
    const { api, library, uploads } = this.#app,
      { signal } = this.#end,
      parts = [0, 0];
    const told = (i, key, part, before = 0) => {
      parts[i] = before + part / 2;
      tell((parts[0] + parts[1]) / 2);
      const note = this.#slots[i]?.note;
      if (note) say(note, key, { percent: Math.round(100 * part) });
    };
    const ids = await Promise.all(
      this.#slots.map(async (slot, i) => {
        if (slot?.file) slot.id ??= await sent(uploads, slot.file, signal, (upload) => told(i, upload.state, upload.part));
        await api.finished(`keypoints/${slot?.id}/`, { signal, tell: (part) => told(i, 'state.finding', part ?? 0, 0.5) });
        return slot?.id;
      }),
    );
    const metres = this.#height.metres();
    const made = await api.post('keypoints/', { keypointIds: ids, ...(metres > 0 ? { scale: { bodyHeight: metres } } : {}) }, signal);
    library.refresh();
    location.hash = address(['recordings', made.id]);
  }
}

// sent uploads a file, and returns the id of its keypoint record. tell is called with the upload as it goes on.
/** @param {any} uploads @param {File} file @param {AbortSignal} signal @param {(upload: any) => void} tell @returns {Promise<number>} */
function sent(uploads, file, signal, tell) {
  const [upload] = uploads.add([file], 0, true);
  return new Promise((done, fail) => {
    const look = () => {
      tell(upload);
      if (upload.id) done(upload.id);
      else if (upload.problem) fail(upload.problem);
      else if (upload.stop.signal.aborted) fail(upload.stop.signal.reason);
      else return;
      uploads.removeEventListener('change', look);
    };
    uploads.addEventListener('change', look);
    signal.addEventListener(
      'abort',
      () => {
        uploads.removeEventListener('change', look);
        fail(signal.reason);
      },
      { once: true },
    );
  });
}
