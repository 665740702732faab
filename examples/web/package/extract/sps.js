// @ts-check
// Reads which matrix the colours of H.264 have from its sequence parameter set (ITU-T H.264, 7.3.2.1.1 and annex E).

// names of matrices by their numbers, as WebCodecs has them.
export const names = { 1: 'bt709', 4: 'fcc', 5: 'bt470bg', 6: 'smpte170m', 7: 'smpte240m', 9: 'bt2020-ncl', 10: 'bt2020-cl' };
const withChroma = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]; // profiles

// matrixOf is its name, or undefined where the set does not say it.
/** @param {Uint8Array} set @returns {string | undefined} */
export function matrixOf(set) {
  const bytes = [...set].filter((v, i) => !(v === 3 && set[i - 1] === 0 && set[i - 2] === 0)); // what keeps start codes out
  let at = 8; // the head of the unit
  const bits = (n) => {
    let v = 0;
    for (; n > 0; n--, at++) v = 2 * v + ((bytes[at >> 3] >> (7 - (at & 7))) & 1);
    return v;
  };
  const ue = () => {
    let zeros = 0;
    while (at < 8 * bytes.length && !bits(1)) zeros++;
    return 2 ** zeros - 1 + bits(zeros);
  };
  const se = () => {
    const v = ue();
    return v & 1 ? (v + 1) / 2 : -v / 2;
  };
  const many = (n, read) => Array.from({ length: n }, read);
  const profile = bits(8);
  bits(16);
  ue();
  if (withChroma.includes(profile)) {
    const chroma = ue();
    if (chroma === 3) bits(1);
    many(2, ue);
    bits(1);
    if (bits(1))
      for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) {
        if (!bits(1)) continue;
        for (let k = list < 6 ? 16 : 64, last = 8, next = 8; k > 0; k--) {
          if (next) next = (last + se() + 256) % 256;
          last = next || last;
        }
      }
  }
  ue();
  const order = ue();
  if (order === 0) ue();
  if (order === 1) {
    bits(1);
    many(2, se);
    many(ue(), se);
  }
  ue();
  bits(1);
  many(2, ue);
  if (!bits(1)) bits(1);
  bits(1);
  if (bits(1)) many(4, ue);
  if (!bits(1)) return undefined;
  if (bits(1) && bits(8) === 255) bits(32);
  if (bits(1)) bits(1);
  if (!bits(1)) return undefined;
  bits(4);
  return bits(1) ? (bits(16), names[bits(8)]) : undefined;
}
