// The verdict on a recording, and a strip below the player's slider that shows where it is
// doubtful and what cleaning has changed.
import { h, button } from './dom.js';
import { label } from './i18n.js';

// The changes by the kind that is shown; smoothing changes every point.
const kinds = { swapped: ['swapped'], rejected: ['rejected', 'coincident'], filled: ['filled'] };

// runs returns the runs of frames, each first and last, for which test holds.
function runs(n, test) {
  const list = [];
  for (let i = 0; i < n; i++) {
    if (!test(i)) continue;
    if (list.at(-1)?.[1] === i - 1) list.at(-1)[1] = i;
    else list.push([i, i]);
  }
  return list;
}

// strip shows the frames of warnings and changes. seek is called with a frame that is clicked.
function strip({ frames, changes, quality }, seek) {
  const n = frames.length;
  const el = h('div', { class: 'strip', role: 'img', on: { click: (e) => {
    const box = el.getBoundingClientRect();
    seek(Math.min(n - 1, Math.max(0, Math.floor((e.clientX - box.left) / box.width * n))));
  } } });
  const mark = (kind, [from, to]) => {
    const m = h('i', { class: kind });
    m.style.left = `${100 * from / n}%`;
    m.style.width = `${100 * (to + 1 - from) / n}%`;
    el.append(m);
  };
  for (const { from, to } of quality?.warnings ?? []) {
    if (from > 0 || to < n - 1) mark('doubtful', [from, to]); // the list alone has those of the whole recording
  }
  for (const [kind, names] of Object.entries(kinds)) {
    runs(n, (i) => changes && Object.values(changes[i]).some((c) => names.some((name) => c.includes(name)))).forEach((r) => mark(kind, r));
  }
  label(el, 'quality.strip');
  return el.childElementCount ? el : null;
}

// Quality stands above the values of a recording.
export class Quality {
  #seek;

  // seek is called with the frame that the user chooses.
  constructor(seek) {
    this.#seek = seek;
    this.el = h('section', { class: 'quality', label: 'quality.title' });
    this.strip = h('div', {});
  }

  load(recording) {
    const { quality, cleaned, times } = recording;
    this.strip.replaceChildren(...[times && strip(recording, this.#seek)].filter(Boolean));
    const rows = [];
    if (quality) {
      rows.push(h('p', { class: `verdict ${quality.verdict}`, role: 'status' }, h('strong', { t: `verdict.${quality.verdict}` })));
      const codes = [...new Set(quality.warnings.map((w) => w.code))];
      if (codes.length) rows.push(h('ul', {}, ...codes.map((code) => this.#warnings(code, quality.warnings.filter((w) => w.code === code), times))));
    }
    if (cleaned) {
      const counts = [...Object.keys(kinds), 'smoothed'].filter((kind) => cleaned[kind] > 0);
      rows.push(h('p', { class: 'note' }, h('span', { t: counts.length ? 'quality.cleaned' : 'quality.unchanged' }),
        ...counts.map((kind) => h('span', { class: `key ${kind}`, t: `cleaned.${kind}`, args: { n: cleaned[kind] } }))));
    }
    this.el.replaceChildren(...rows);
    this.el.hidden = rows.length === 0;
  }

  // warnings is one line for all warnings with the same code: where they are and, if they are few, the parts concerned.
  #warnings(code, list, times) {
    const when = ({ from, to }) => (from === to ? `${times[from].toFixed(2)} s` : `${times[from].toFixed(2)} – ${times[to].toFixed(2)} s`);
    const go = times ? list.map((w) => button(when(w), () => this.#seek(w.from), { class: 'link' })) : [];
    const parts = [...new Set(list.flatMap((w) => w.parts ?? []))];
    const named = parts.length > 8 ? [] : parts.flatMap((part, i) => [i ? ', ' : ' ', h('span', { t: `part.${part}` })]);
    return h('li', {}, h('span', { t: `warning.${code}` }), ' ', ...go, h('span', { class: 'note' }, ...named));
  }
}
