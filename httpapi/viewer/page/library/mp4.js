// @ts-check
// Cutting MP4 and MOV movies (ISO/IEC 14496-12) without decoding them: the pictures stay as they were filmed, and
// what is not wanted, with the sound, never leaves the browser.

/** @typedef {{type: string, at: number, body: number, end: number}} Box where it begins, its content begins, and ends
 * @typedef {{size: Uint32Array, offset: Float64Array, delta: Uint32Array, dts: Float64Array, pts: Float64Array,
 *   sync: Uint8Array}} Samples in the order of the file's times
 * @typedef {{first: number, samples: number[], from: number, to: number, frames: number, bytes: number}} Cut
 *   from and to are seconds, to without the last picture's own */

const most = 64e6; // bytes of headers: those of hours of film

// boxes returns the boxes of a part of the headers.
/** @param {DataView} view @returns {Box[]} */
function boxes(view, at = 0, end = view.byteLength) {
  const list = [];
  while (at + 8 <= end) {
    let size = view.getUint32(at),
      body = at + 8;
    if (size === 1) {
      size = Number(view.getBigUint64(body));
      body += 8;
    } else if (size === 0) size = end - at;
    if (size < body - at || at + size > end) throw new RangeError('a box of a wrong size');
    list.push({ type: String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(at + i))), at, body, end: at + size });
    at += size;
  }
  return list;
}

// headers reads the boxes ftyp and moov of a file, wherever they stand, and where the latter begins.
/** @param {Blob} file */
async function headers(file) {
  /** @type {{[type: string]: DataView}} */
  const found = {};
  let place = 0;
  for (let at = 0, n = 0; at + 8 <= file.size && !found.moov && n < 10_000; n++) {
    const view = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(i)));
    const size = view.getUint32(0) === 1 ? Number(view.getBigUint64(8)) : view.getUint32(0) || file.size - at;
    if (
      size < 8 ||
      (at === 0 && type !== 'ftyp' && type !== 'wide' && type !== 'mdat' && type !== 'moov') ||
      (type === 'moov' && size > most)
    )
      return null;
    if (type === 'moov') place = at;
    if (type === 'ftyp' || type === 'moov') found[type] = new DataView(await file.slice(at, at + size).arrayBuffer());
    at += size;
  }
  return found.moov ? { ...found, moov: found.moov, place } : null;
}

// Movie is an MP4 or MOV file whose pictures are known.
export class Movie {
  #file;
  #view;
  #ftyp;
  #moov;
  #trak;
  /** @type {{[type: string]: any}} */
  #boxes = {};
  #scale = 1; // of the track: units a second
  #shift = 0; // seconds from the track's times to those that are shown
  /** @type {Samples} */
  #samples;
  #shown; // samples in the order in which they are shown
  /** @type {number[]} */
  times; // seconds of the pictures, as a player shows them

  // read returns the movie in a file, or null where it cannot be cut: another format, or one in fragments.
  /** @param {Blob} file @returns {Promise<Movie | null>} */
  static async read(file) {
    try {
      const found = await headers(file);
      const movie = found && new Movie(file, found);
      movie?.file(movie.cut(movie.times[0], movie.times[0]), ''); // which tells whether it can be
      return movie;
    } catch (e) {
      if (e instanceof RangeError || e instanceof DOMException) return null; // what the headers say cannot be
      throw e;
    }
  }

  /** @param {Blob} file @param {{ftyp?: DataView, moov: DataView}} found */
  constructor(file, { ftyp, moov }) {
    this.#file = file;
    this.#ftyp = ftyp;
    this.#view = moov;
    const [root] = boxes(moov),
      inside = (box, type, skip = 0) => boxes(moov, box.body + skip, box.end).find((b) => b.type === type);
    const need = (box, ...path) =>
      path.reduce((b, type) => {
        const found = inside(b, type);
        if (!found) throw new RangeError(`no box ${type}`);
        return found;
      }, box);
    this.#moov = root;
    if (inside(root, 'mvex')) throw new RangeError('fragments');
    const name = (box) => moov.getUint32(need(box, 'mdia', 'hdlr').body + 8);
    const trak = boxes(moov, root.body, root.end).find((b) => b.type === 'trak' && name(b) === 0x76696465); // vide
    if (!trak) throw new RangeError('no pictures');
    this.#trak = trak;
    const stbl = need(trak, 'mdia', 'minf', 'stbl');
    for (const type of ['stsd', 'stts', 'stsz', 'stsc']) this.#boxes[type] = need(stbl, type);
    for (const type of ['ctts', 'stss', 'stco', 'co64']) this.#boxes[type] = inside(stbl, type);
    if (!this.#boxes.stco && !this.#boxes.co64) throw new RangeError('no places');
    this.#boxes.mdhd = need(trak, 'mdia', 'mdhd');
    this.#boxes.mvhd = need(root, 'mvhd');
    if (moov.getUint32(this.#boxes.stsd.body + 4) !== 1) throw new RangeError('pictures of several kinds');
    this.#scale = clock(moov, this.#boxes.mdhd);
    this.#samples = this.#table();
    const { pts } = this.#samples,
      edts = inside(trak, 'edts');
    const seen = this.#edits(edts && inside(edts, 'elst'), clock(moov, this.#boxes.mvhd));
    this.#shown = Array.from(pts.keys())
      .filter((i) => pts[i] >= seen.from && pts[i] < seen.to)
      .sort((a, b) => pts[a] - pts[b]);
    this.times = this.#shown.map((i) => this.#time(i));
    if (!this.starts.length || this.times.length < 2 || !(this.#scale > 0)) throw new RangeError('no movement');
  }

  #time(i) {
    return this.#samples.pts[i] / this.#scale + this.#shift;
  }

  // edits reads which part of the track is shown, in its units, and when. More than one part cannot be cut.
  /** @param {Box | undefined} elst @param {number} units a second of the whole movie */
  #edits(elst, units) {
    const view = this.#view,
      seen = { from: -Infinity, to: Infinity };
    if (!elst) return seen;
    const long = view.getUint8(elst.body),
      n = view.getUint32(elst.body + 4);
    for (let k = 0, at = elst.body + 8, before = 0; k < n; k++, at += long ? 20 : 12) {
      const length = long ? Number(view.getBigUint64(at)) : view.getUint32(at),
        from = long ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
      if (from < 0 && k === 0) {
        before = length / units;
        continue;
      }
      if (from < 0 || seen.from >= 0 || view.getInt16(at + (long ? 16 : 8)) !== 1) throw new RangeError('several parts');
      Object.assign(seen, { from, to: length ? from + Math.ceil((length / units) * this.#scale) : Infinity });
      this.#shift = before - from / this.#scale;
    }
    return seen;
  }

  // table reads where the samples are, and when.
  #table() {
    const view = this.#view,
      { stts, ctts, stss, stsz, stsc, stco, co64 } = this.#boxes;
    const word = (box, k) => view.getUint32(box.body + 4 * k);
    const same = word(stsz, 1),
      n = word(stsz, 2);
    if (n > Math.min(4e6, this.#file.size)) throw new RangeError('too many samples'); // a day of film has fewer
    const s = {
      size: new Uint32Array(n),
      offset: new Float64Array(n),
      delta: new Uint32Array(n),
      dts: new Float64Array(n),
      pts: new Float64Array(n),
      sync: new Uint8Array(n).fill(stss ? 0 : 1),
    };
    for (let i = 0; i < n; i++) s.size[i] = same || word(stsz, 3 + i);
    for (let k = 0, i = 0, now = 0; k < word(stts, 1); k++) {
      for (let left = word(stts, 2 + 2 * k); left > 0 && i < n; left--, i++) {
        s.dts[i] = s.pts[i] = now;
        now += s.delta[i] = word(stts, 3 + 2 * k);
      }
    }
    for (let k = 0, i = 0; ctts && k < word(ctts, 1); k++) {
      for (let left = word(ctts, 2 + 2 * k); left > 0 && i < n; left--, i++) s.pts[i] += view.getInt32(ctts.body + 4 * (3 + 2 * k));
    }
    for (let k = 0; stss && k < word(stss, 1); k++) s.sync[word(stss, 2 + k) - 1] = 1;
    const chunks = co64 ?? stco,
      where = (c) => (co64 ? Number(view.getBigUint64(co64.body + 8 + 8 * c)) : word(stco, 2 + c));
    for (let c = 0, k = 0, i = 0; i < n && c < word(chunks, 1); c++) {
      while (k + 1 < word(stsc, 1) && word(stsc, 2 + 3 * (k + 1)) <= c + 1) k++;
      for (let left = word(stsc, 3 + 3 * k), at = where(c); left > 0 && i < n; left--, i++) {
        s.offset[i] = at;
        at += s.size[i];
      }
    }
    if (s.offset.some((at, i) => at + s.size[i] > this.#file.size)) throw new RangeError('the end is missing');
    return s;
  }

  // seconds is how long the pictures are shown.
  get seconds() {
    const [last] = this.#shown.slice(-1);
    return this.#time(last) + this.#samples.delta[last] / this.#scale - this.times[0];
  }

  // starts are the seconds at which a cut can begin: pictures that need none before them.
  get starts() {
    const { sync } = this.#samples;
    return this.#shown.filter((i) => sync[i]).map((i) => this.#time(i));
  }

  // cut returns what is kept of a stretch of seconds: from the last start before it to the last picture in it after
  // which none is missing that others need.
  /** @returns {Cut} */
  cut(from, to) {
    const { pts, sync, size } = this.#samples,
      n = pts.length,
      eps = 1e-6;
    const starts = this.#shown.filter((i) => sync[i]),
      first = starts.findLast((i) => this.#time(i) <= from + eps) ?? starts[0];
    const least = new Float64Array(n + 1).fill(Infinity); // of the pictures from each on
    for (let i = n - 1; i >= first; i--) least[i] = pts[i] < pts[first] ? least[i + 1] : Math.min(pts[i], least[i + 1]);
    let end = first,
      latest = -Infinity;
    for (let i = first; i < n; i++) {
      latest = Math.max(latest, pts[i]);
      if (latest / this.#scale + this.#shift >= to - eps && i > first) break;
      if (latest < least[i + 1]) end = i;
    }
    const samples = [];
    for (let i = first; i <= end; i++) if (pts[i] >= pts[first]) samples.push(i); // those before need the pictures before
    const times = samples.map((i) => this.#time(i)),
      last = samples.reduce((a, b) => (pts[b] > pts[a] ? b : a), first);
    return {
      first,
      samples,
      from: times[0],
      to: this.#time(last) + this.#samples.delta[last] / this.#scale,
      frames: samples.length,
      bytes: samples.reduce((sum, i) => sum + size[i], 0),
    };
  }

  // file returns the part as a movie of its own, whose pictures are those of the file.
  /** @param {Cut} cut @param {string} name */
  file({ first, samples }, name) {
    const { size, offset, dts, pts, delta, sync } = this.#samples,
      view = this.#view,
      { mvhd, stsd, ctts } = this.#boxes;
    const bytes = (b) => new Uint8Array(view.buffer, b.at, b.end - b.at),
      of = (b) => boxes(view, b.body, b.end);
    const steps = samples.map((i, k) => (k + 1 < samples.length ? dts[samples[k + 1]] - dts[i] : delta[i]));
    const length = steps.reduce((sum, v) => sum + v, 0),
      whole = Math.round((length / this.#scale) * clock(view, mvhd));
    const late = samples.map((i) => pts[i] - dts[i]),
      lead = late.reduce((a, b) => Math.min(a, b), 0);
    const keys = samples.flatMap((i, k) => (sync[i] ? [k + 1] : []));
    /** @type {number[][]} begin, end, samples */
    const chunks = [];
    for (const i of samples) {
      const now = chunks[chunks.length - 1];
      if (now && now[1] === offset[i]) {
        now[1] += size[i];
        now[2]++;
      } else chunks.push([offset[i], offset[i] + size[i], 1]);
    }
    const stbl = (places) =>
      box(
        'stbl',
        bytes(stsd),
        box('stts', runs(steps)),
        ...(ctts ? [box('ctts', runs(late.map((v) => v - lead)))] : []),
        ...(keys.length < samples.length ? [box('stss', words([0, keys.length, ...keys]))] : []),
        box('stsz', words([0, 0, samples.length, ...samples.map((i) => size[i])])),
        box('stsc', words([0, chunks.length, ...chunks.flatMap((c, k) => [k + 1, c[2], 1])])),
        box('stco', words([0, places.length, ...places])),
      );
    // kept is a box from before with its old content, except for the children that are new, or null.
    const kept = (b, made) =>
      box(
        b.type,
        ...of(b)
          .map((c) => (made[c.type] ?? bytes)(c))
          .filter(Boolean),
      );
    const lasting =
        (units, ...places) =>
        (b) =>
          timed(bytes(b), units, places),
      none = () => null;
    const edit = box('edts', box('elst', words([0, 1, whole, pts[first] - dts[first] - lead, 0x10000])));
    const trak = (places) => (b) =>
      b.at !== this.#trak.at
        ? null
        : kept(b, {
            tref: none,
            edts: none,
            tkhd: lasting(whole, 28, 36),
            mdia: (m) => joined([edit, kept(m, { mdhd: lasting(length, 24, 32), minf: (d) => kept(d, { stbl: () => stbl(places) }) })]),
          });
    const moov = (places) => kept(this.#moov, { mvhd: lasting(whole, 24, 32), trak: trak(places) });
    const ftyp = this.#ftyp ? new Uint8Array(this.#ftyp.buffer) : new Uint8Array(0);
    let at = ftyp.length + moov(chunks.map(() => 0)).length + 8;
    const begin = at,
      places = chunks.map(([from, to]) => (at += to - from) - (to - from));
    const mdat = joined([words([at - begin + 8]), letters('mdat')]);
    return new File([ftyp, moov(places), mdat, ...chunks.map(([from, to]) => this.#file.slice(from, to))], name, { type: this.#file.type });
  }
}

// turned is an MP4 or MOV movie that players show turned by a quarter, clockwise or the other way; null of another format. Its pictures
// stay as they are: players turn them by a matrix in the headers, which takes a row [x y 1].
/** @param {Blob} file @param {boolean} clockwise @param {string} name */
export async function turned(file, clockwise, name) {
  try {
    const found = await headers(file),
      view = found?.moov;
    if (!view) return null;
    const inside = (b, type) => boxes(view, b.body, b.end).find((c) => c.type === type);
    const [root] = boxes(view),
      traks = boxes(view, root.body, root.end).filter((b) => b.type === 'trak');
    const pictures = (b) => {
      const hdlr = inside(inside(b, 'mdia') ?? b, 'hdlr');
      return hdlr && view.getUint32(hdlr.body + 8) === 0x76696465; // vide
    };
    const trak = traks.find(pictures),
      tkhd = trak && inside(trak, 'tkhd');
    if (!tkhd) return null;
    const at = tkhd.body + (view.getUint8(tkhd.body) ? 52 : 40),
      of = (k) => view.getInt32(at + 4 * k);
    const [a, b, c, d, x, y] = [0, 1, 3, 4, 6, 7].map(of),
      [w, hh] = [9, 10].map(of),
      [width, height] = a || d ? [w, hh] : [hh, w]; // as they are shown
    const rows = clockwise ? [-b, a, -d, c, height - y, x] : [b, -a, d, -c, y, width - x];
    const matrix = new Uint8Array(view.buffer, at, 36).slice(),
      put = new DataView(matrix.buffer);
    [0, 1, 3, 4, 6, 7].forEach((k, i) => put.setInt32(4 * k, rows[i]));
    const from = found.place + at;
    return new File([file.slice(0, from), matrix, file.slice(from + 36)], name, { type: file.type });
  } catch (e) {
    if (e instanceof RangeError || e instanceof DOMException) return null; // what the headers say cannot be
    throw e;
  }
}

// clock is the units a second that a box of headers counts in.
const clock = (view, box) => view.getUint32(box.body + (view.getUint8(box.body) ? 20 : 12));

const letters = (type) => Uint8Array.from(type, (c) => c.charCodeAt(0));

function words(values) {
  const d = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((v, i) => d.setUint32(4 * i, v));
  return new Uint8Array(d.buffer);
}

function joined(parts) {
  const out = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  parts.reduce((at, p) => {
    out.set(p, at);
    return at + p.length;
  }, 0);
  return out;
}

const box = (type, ...parts) => joined([words([parts.reduce((sum, p) => sum + p.length, 8)]), letters(type), ...parts]);

// runs are values as a table counts them: how often, and which.
function runs(values) {
  /** @type {number[]} */
  const list = [];
  for (const v of values)
    if (list.length && list[list.length - 1] === v) list[list.length - 2]++;
    else list.push(1, v);
  return words([0, list.length / 2, ...list]);
}

// timed is a box of headers with another duration, which stands at one of two places: the box has two versions.
function timed(bytes, units, places) {
  const out = bytes.slice(),
    d = new DataView(out.buffer);
  if (out[8]) d.setBigUint64(places[1], BigInt(units));
  else d.setUint32(places[0], units);
  return out;
}
