// @ts-check
// A QR code of a text (ISO/IEC 18004): bytes, versions 1 to 9, error correction M, mask 0.
import { svg } from '../base/icons.js';

// By version: the words for correction of a block, and how many blocks there are.
const corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22],
  blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5];

// The field of 256 elements, by the powers of 2.
const power = new Uint8Array(510),
  log = new Uint8Array(256);
for (let i = 0, v = 1; i < 255; i++) {
  power[i] = power[i + 255] = v;
  log[v] = i;
  v = (v << 1) ^ (v > 127 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? power[log[a] + log[b]] : 0);

// correct are n words that correct those of a block: the remainder of its division by the product of x + 2^i.
/** @param {number[]} block @param {number} n */
function correct(block, n) {
  let by = [1];
  for (let i = 0; i < n; i++) by = [...by, 0].map((c, k) => c ^ times(by[k - 1] ?? 0, power[i]));
  const rest = Array(n).fill(0);
  for (const word of block) {
    const factor = word ^ rest.shift();
    rest.push(0);
    for (let k = 0; k < n; k++) rest[k] ^= times(by[k + 1], factor);
  }
  return rest;
}

// align is how many rows and columns of small squares a version has.
const align = (version) => (version < 2 ? 0 : Math.floor(version / 7) + 2);

// room is how many words a version has in all.
function room(version) {
  const n = align(version);
  return Math.floor(((16 * version + 128) * version + 64 - (n && (25 * n - 10) * n - 55) - (version < 7 ? 0 : 36)) / 8);
}

// words are those of a text and of its correction in the order in which they are drawn.
/** @param {Uint8Array} text @param {number} version */
function words(text, version) {
  const n = corrections[version - 1],
    count = blocks[version - 1],
    all = room(version),
    free = all - n * count;
  let bits = [4, text.length, ...text].map((v, i) => v.toString(2).padStart(i ? 8 : 4, '0')).join('') + '0000';
  for (let pad = 0xec; bits.length < 8 * free; pad ^= 0xec ^ 0x11) bits += pad.toString(2).padStart(8, '0');
  const data = Array.from({ length: free }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8), 2));
  const lists = Array.from({ length: count }, (_, k) => data.splice(0, Math.floor((all + k) / count) - n));
  const mixed = (of) => Array.from({ length: Math.max(...of.map((l) => l.length)) }, (_, i) => of.flatMap((l) => l[i] ?? [])).flat();
  return [...mixed(lists), ...mixed(lists.map((list) => correct(list, n)))];
}

// qr are the rows of a code, true where it is dark. It throws where the text has more than 180 bytes.
/** @param {string} text @returns {boolean[][]} */
export function qr(text) {
  const bytes = new TextEncoder().encode(text),
    at = corrections.findIndex((n, i) => bytes.length + 2 <= room(i + 1) - n * blocks[i]);
  if (at < 0) throw new RangeError(`${bytes.length} bytes are too many for the code`);
  const version = at + 1,
    size = 17 + 4 * version;
  /** @type {boolean[][]} */
  const dark = Array.from({ length: size }, () => Array(size).fill(false)),
    fixed = dark.map((row) => [...row]);
  const set = (x, y, on) => {
    if (dark[y]?.[x] === undefined) return;
    dark[y][x] = Boolean(on);
    fixed[y][x] = true;
  };
  const square = (cx, cy, reach, light) => {
    for (let y = -reach; y <= reach; y++)
      for (let x = -reach; x <= reach; x++) set(cx + x, cy + y, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    square(x, y, 4, [2, 4]);
  const n = align(version),
    gap = 2 * Math.floor((8 * version + 3 * n + 5) / (4 * n - 4)),
    places = n ? [6, ...Array.from({ length: n - 1 }, (_, i) => size - 7 - (n - 2 - i) * gap)] : [];
  const corner = (x, y) => Math.min(x, y) === 6 && [6, size - 7].includes(Math.max(x, y)); // where a large square is
  for (const x of places) for (const y of places) if (!corner(x, y)) square(x, y, 2, [1]);
  const format = (i) => (0x5412 >> i) & 1; // correction M, mask 0
  for (let i = 0; i < 15; i++) {
    set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, format(i));
    set(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8, format(i));
  }
  set(8, size - 8, true);
  if (version > 6) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    for (let i = 0; i < 18; i++) {
      const [a, b, on] = [size - 11 + (i % 3), Math.floor(i / 3), (((version << 12) | rest) >> i) & 1];
      set(a, b, on);
      set(b, a, on);
    }
  }
  const drawn = words(bytes, version);
  let i = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2)
    for (let k = 0; k < size; k++)
      for (const x of [right, right - 1]) {
        const y = (right + (right < 6 ? 2 : 1)) & 2 ? k : size - 1 - k;
        if (fixed[y][x]) continue;
        dark[y][x] = Boolean(((drawn[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) !== ((x + y) % 2 === 0);
        i++;
      }
  return dark;
}

// picture draws a code with the light rim that readers need.
/** @param {string} text */
export function picture(text) {
  const rows = qr(text),
    d = rows.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return svg('svg', { class: 'qr', viewBox: `-4 -4 ${rows.length + 8} ${rows.length + 8}`, 'aria-hidden': 'true' }, svg('path', { d }));
}
