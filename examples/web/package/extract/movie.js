// @ts-check
// Reads a movie file: mp4box finds its coded frames, the browser decodes them, and next() gives them upright, one by one.
import { createFile, DataStream, Endianness } from './mp4box.all.mjs';
import { matrixOf, names } from './sps.js';

const piece = 1 << 20; // bytes that are read at a time
const ahead = 6; // frames that the decoder has

/** @typedef {{a: number, b: number, c: number, d: number}} Turn where the axes of the coded picture point */

// index reads what the file says of its frames, without the frames.
/** @param {Blob} file */
async function index(file) {
  const boxes = createFile();
  let info, wrong;
  boxes.onReady = (found) => (info = found);
  boxes.onError = (_, message) => (wrong = message);
  for (let at = 0; at < file.size && !wrong;) {
    const data = await file.slice(at, at + piece).arrayBuffer();
    const next = boxes.appendBuffer(Object.assign(data, { fileStart: at }));
    at = next > at ? next : at + data.byteLength;
  }
  const track = info?.videoTracks[0];
  if (!track) throw new Error('This is no movie that can be read here, MP4 or MOV.');
  return { boxes, track, samples: boxes.getTrackSamplesInfo(track.id), trak: boxes.getTrackById(track.id), scale: info.timescale };
}

// shown are the ticks of the track between which frames are shown.
function shown({ trak, track, scale }) {
  const edits = (trak.edts?.elst?.entries ?? []).filter((e) => e.media_time >= 0);
  if (edits.length > 1) throw new Error('The movie is put together from parts, which is not read here.');
  if (!edits.length) return [-Infinity, Infinity];
  const [{ media_time: from, segment_duration: length }] = edits;
  return [from, length > 0 ? from + (length * track.timescale) / scale : Infinity];
}

// turnOf is how the decoded picture is turned to stand upright.
/** @param {ArrayLike<number>} matrix @returns {Turn} */
function turnOf(matrix) {
  const [a, b, , c, d] = Array.from(matrix, (v) => v / 65536);
  if (![a, b, c, d].every((v) => [-1, 0, 1].includes(v)) || Math.abs(a * d - b * c) !== 1)
    throw new Error('The picture is turned by an angle that is not read here.');
  return { a, b, c, d };
}

// turned puts a plane of pixels of so many bytes upright.
/** @param {Uint8Array} from @param {number} width @param {number} height @param {number} bytes @param {Turn} turn @param {Uint8Array} to */
function turned(from, width, height, bytes, { a, b, c, d }, to) {
  const across = a ? width : height,
    down = a ? height : width;
  const corner = (b + d < 0 ? down - 1 : 0) * across + (a + c < 0 ? across - 1 : 0);
  const dx = b * across + a,
    dy = d * across + c;
  let at = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0, put = (corner + y * dy) * bytes; x < width; x++, put += dx * bytes)
      for (let k = 0; k < bytes; k++) to[put + k] = from[at++];
}

// description is what the decoder has to know of a track: the box of its codec without head.
function description(entry) {
  const box = entry.avcC ?? entry.hvcC ?? entry.vpcC ?? entry.av1C;
  if (!box) return undefined;
  const stream = new DataStream(undefined, 0, Endianness.BIG_ENDIAN);
  box.write(stream);
  return new Uint8Array(stream.buffer, 8, stream.getPosition() - 8);
}

export class Movie {
  /** @type {VideoFrame[]} */
  #ready = [];
  #failed = null;
  #first = NaN; // microseconds
  #frames;
  #entry; // what the file says of its coded frames
  pictured = null; // takes each frame before it is closed

  // open reads the index of a movie.
  /** @param {Blob} file */
  static async open(file) {
    if (!globalThis.VideoDecoder) throw new Error('This browser cannot decode movies for a page, for it has no WebCodecs.');
    const found = await index(file);
    const { track, trak, samples } = found;
    const config = { codec: track.codec, codedWidth: track.video.width, codedHeight: track.video.height };
    const bytes = description(samples[0]?.description ?? {});
    if (bytes) Object.assign(config, { description: bytes });
    const known = await VideoDecoder.isConfigSupported(config).catch(() => null);
    if (!known?.supported)
      throw new Error(`This browser cannot decode this movie. Try another one, or convert the movie to H.264: ${track.codec}`);
    return new Movie(file, config, samples, shown(found), turnOf(trak.tkhd.matrix), track);
  }

  constructor(file, config, samples, [from, to], turn, track) {
    this.turn = turn;
    this.#entry = samples[0].description;
    this.frames = samples.filter(({ cts }) => cts >= from && cts < to).length;
    this.duration = samples.reduce((sum, s) => sum + s.duration, 0) / track.timescale;
    this.rate = this.duration ? samples.length / this.duration : 0;
    const size = [track.video.width, track.video.height];
    [this.width, this.height] = turn.a ? size : size.reverse();
    this.#frames = this.#decode(file, config, samples, (cts) => cts >= from && cts < to, track.timescale);
  }

  // decode gives the frames in order. Frames that are not shown are decoded, for others refer to them.
  async *#decode(file, config, samples, wanted, timescale) {
    const hidden = new Set();
    const decoder = new VideoDecoder({
      output: (frame) => (hidden.has(frame.timestamp) ? frame.close() : this.#ready.push(frame)),
      error: (e) => (this.#failed = e),
    });
    decoder.configure(config);
    try {
      let data = new Uint8Array(),
        begin = 0;
      for (const { offset, size, cts, duration, is_sync: key } of samples) {
        if (offset + size > file.size) throw new Error('The movie is cut off.');
        if (offset < begin || offset + size > begin + data.length) {
          [begin, data] = [offset, new Uint8Array(await file.slice(offset, offset + Math.max(size, piece)).arrayBuffer())];
        }
        const timestamp = Math.round((1e6 * cts) / timescale);
        if (!wanted(cts)) hidden.add(timestamp);
        while (decoder.decodeQueueSize >= ahead && !this.#failed) await new Promise((done) => setTimeout(done, 1));
        if (this.#failed) throw this.#failed;
        decoder.decode(
          new EncodedVideoChunk({
            type: key ? 'key' : 'delta',
            timestamp,
            duration: Math.round((1e6 * duration) / timescale),
            data: data.subarray(offset - begin, offset - begin + size),
          }),
        );
        while (this.#ready.length) yield this.#ready.shift();
      }
      await decoder.flush();
      while (this.#ready.length) yield this.#ready.shift();
    } finally {
      if (decoder.state !== 'closed') decoder.close();
      for (const frame of this.#ready) frame.close();
    }
  }

  // next gives the next picture, or null.
  async next() {
    const { value: frame, done } = await this.#frames.next();
    if (done) return null;
    try {
      if (Number.isNaN(this.#first)) this.#first = frame.timestamp;
      await this.pictured?.(frame);
      return { time: (frame.timestamp - this.#first) / 1e6, ...(await this.#pixels(frame)) };
    } finally {
      frame.close();
    }
  }

  // close ends the decoding.
  close() {
    return this.#frames.return();
  }

  // pixels are the planes of a frame, or its RGBA, upright.
  /** @param {VideoFrame} frame */
  async #pixels(frame) {
    const { visibleRect: rect, colorSpace: colour } = frame;
    const { width: w, height: h } = rect;
    if (Math.abs((frame.displayWidth * h) / (frame.displayHeight * w) - 1) > 0.01)
      throw new Error('The pixels of the movie are not square, which is not read here.');
    const bt709 = this.#bt709(colour.matrix, w, h);
    const planar = ['I420', 'NV12'].includes(frame.format) && bt709 !== null;
    const options = planar ? { rect } : { rect, format: 'RGBA' };
    const data = new Uint8Array(frame.allocationSize(options));
    const layout = await frame.copyTo(data, options);
    const cw = (w + 1) >> 1,
      ch = (h + 1) >> 1;
    const [width, height] = this.turn.a ? [w, h] : [h, w];
    const out = { width, height, rgba: !planar, full: !!colour.fullRange, bt709: !!bt709 };
    const packed = (plane, columns, rows, bytes) => {
      const { offset, stride } = layout[plane];
      if (stride === columns * bytes) return data.subarray(offset, offset + stride * rows);
      const to = new Uint8Array(columns * rows * bytes);
      for (let y = 0; y < rows; y++) to.set(data.subarray(offset + y * stride, offset + y * stride + columns * bytes), y * columns * bytes);
      return to;
    };
    if (!planar) {
      const to = new Uint8Array(w * h * 4);
      turned(packed(0, w, h, 4), w, h, 4, this.turn, to);
      return { ...out, data: to };
    }
    let planes = [packed(0, w, h, 1)];
    if (frame.format === 'NV12') {
      const both = packed(1, cw, ch, 2);
      planes.push(...[0, 1].map((k) => Uint8Array.from({ length: cw * ch }, (_, i) => both[2 * i + k])));
    } else planes.push(packed(1, cw, ch, 1), packed(2, cw, ch, 1));
    const to = new Uint8Array(w * h + 2 * cw * ch);
    turned(planes[0], w, h, 1, this.turn, to.subarray(0, w * h));
    for (const k of [0, 1]) turned(planes[1 + k], cw, ch, 1, this.turn, to.subarray(w * h + k * cw * ch, w * h + (k + 1) * cw * ch));
    return { ...out, data: to };
  }

  // bt709 says which matrix the colours have, null: neither BT.709 nor BT.601. Browsers guess it where H.264 does not say it, and
  // not as players do, who go by the size.
  /** @param {string | null} guess @param {number} w @param {number} h */
  #bt709(guess, w, h) {
    const { avcC, boxes = [] } = this.#entry;
    const colr = boxes.find((box) => box.matrix_coefficients !== undefined);
    const stated = (avcC?.SPS[0] && matrixOf(avcC.SPS[0].data)) ?? names[colr?.matrix_coefficients] ?? (avcC ? null : guess);
    if (!stated) return Math.min(w, h) >= 720;
    return stated === 'bt709' || (['smpte170m', 'bt470bg'].includes(stated) ? false : null);
  }
}
