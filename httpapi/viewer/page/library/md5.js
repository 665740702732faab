// @ts-check
// MD5 (RFC 1321) of a file, read piece by piece, so that a large movie fits.

const shifts = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];
const sines = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0);

export class MD5 {
  #state = Int32Array.of(0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476);
  #rest = new Uint8Array(64);
  #held = 0;
  #length = 0;

  // update takes the next bytes.
  update(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#held > 0) {
      at = Math.min(64 - this.#held, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#held);
      this.#held += at;
      if (this.#held < 64) return this;
      this.#block(new DataView(this.#rest.buffer), 0);
      this.#held = 0;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (; at + 64 <= bytes.length; at += 64) this.#block(view, at);
    this.#rest.set(bytes.subarray(at));
    this.#held = bytes.length - at;
    return this;
  }

  // hex ends the sum and returns its 32 digits.
  hex() {
    const bits = this.#length * 8;
    const pad = new Uint8Array((this.#held < 56 ? 64 : 128) - this.#held);
    pad[0] = 0x80;
    const tail = new DataView(pad.buffer, pad.length - 8);
    tail.setUint32(0, bits >>> 0, true);
    tail.setUint32(4, Math.floor(bits / 2 ** 32), true);
    this.update(pad);
    const out = new DataView(new ArrayBuffer(16));
    this.#state.forEach((v, i) => out.setInt32(4 * i, v, true));
    return Array.from(new Uint8Array(out.buffer), (b) => b.toString(16).padStart(2, '0')).join('');
  }

  #words = new Int32Array(16);

  #block(view, at) {
    const m = this.#words;
    for (let i = 0; i < 16; i++) m[i] = view.getInt32(at + 4 * i, true);
    let [a, b, c, d] = this.#state;
    for (let i = 0; i < 64; i++) {
      let f, g;
      if (i < 16) {
        f = (b & c) | (~b & d);
        g = i;
      } else if (i < 32) {
        f = (d & b) | (~d & c);
        g = (5 * i + 1) & 15;
      } else if (i < 48) {
        f = b ^ c ^ d;
        g = (3 * i + 5) & 15;
      } else {
        f = c ^ (b | ~d);
        g = (7 * i) & 15;
      }
      const s = shifts[i >> 4][i & 3];
      const x = (a + f + sines[i] + m[g]) | 0;
      a = d;
      d = c;
      c = b;
      b = (b + ((x << s) | (x >>> (32 - s)))) | 0;
    }
    const s = this.#state;
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
  }
}

const piece = 4 << 20;

// md5 returns the MD5 of a file as 32 hexadecimal digits. progress is called with the part
// that is done, 0 to 1.
/** @param {Blob} file @param {{signal?: AbortSignal, progress?: (part: number) => void}} options */
export async function md5(file, { signal, progress = () => {} } = {}) {
  const sum = new MD5();
  for (let at = 0; at < file.size; at += piece) {
    signal?.throwIfAborted();
    sum.update(new Uint8Array(await file.slice(at, at + piece).arrayBuffer()));
    progress(Math.min(1, (at + piece) / file.size));
  }
  return sum.hex();
}
