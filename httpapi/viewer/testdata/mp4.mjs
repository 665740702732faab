// MP4s whose headers are damaged or lie: each is cut, or told to be none that can be, soon and without much memory.
//
// usage: node mp4.mjs MODULE MOVIE
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const { Movie } = await import(pathToFileURL(process.argv[2]));
const movie = fs.readFileSync(process.argv[3]);
const at = (type, from = 0) => movie.indexOf(type, from); // of a box's name
const [start, end] = [at('moov') - 4, at('moov') - 4 + movie.readUInt32BE(at('moov') - 4)];

const whole = await Movie.read(new Blob([movie]));
assert.ok(whole.times.length > 100 && whole.file(whole.cut(1, 2), 'part.mp4').size < movie.length);

// read reads a movie with changed bytes, and cuts it where it can be.
async function read(change) {
  const bytes = Buffer.from(movie);
  change(bytes);
  const found = await Movie.read(new Blob([bytes]));
  if (!found) return false;
  const part = found.cut(found.times[0], found.times[found.times.length - 1] + 1);
  assert.ok(found.file(part, 'part.mp4').size <= 2 * movie.length + 1e6, 'the part is larger than the movie');
  return true;
}

for (const type of ['mvhd', 'tkhd', 'elst', 'mdhd', 'hdlr', 'stsd', 'stts', 'ctts', 'stss', 'stsz', 'stsc', 'stco', 'trak', 'stbl', 'edts'])
  for (const value of [0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff])
    for (let word = -1; word < 12; word++) {
      const place = at(type) + 4 * word;
      if (at(type) > 0 && place + 4 <= end)
        await read((b) => b.writeUInt32BE(value, place)).catch((e) => assert.fail(`${type} ${word} ${value}: ${e.stack}`));
    }

// Samples of one byte each, as many as a header of a few bytes can say.
const before = process.memoryUsage().arrayBuffers;
await read((b) => [1, 15e6].forEach((v, i) => b.writeUInt32BE(v, at('stsz') + 8 + 4 * i)));
const took = process.memoryUsage().arrayBuffers - before;
assert.ok(took < 100e6, `${took} bytes for samples that the file has not`);

// A file of nothing but empty boxes.
let slices = 0;
const empty = new Blob([movie.subarray(0, movie.readUInt32BE(0)), Buffer.alloc(4e6, '\0\0\0\u0008free')]);
empty.slice = (...part) => {
  slices++;
  return Blob.prototype.slice.apply(empty, part);
};
assert.equal(await Movie.read(empty), null);
assert.ok(slices <= 10_001, `${slices} boxes are read`);

let seed = Number(process.argv[4] ?? 1);
const random = (n) => {
  seed = (seed * 48271) % 0x7fffffff;
  return seed % n;
};
let cut = 0;
for (let i = 0; i < 3000; i++)
  if (
    await read((b) => {
      for (let n = 1 + random(8); n > 0; n--) b[start + random(end - start)] = [0, 1, 0x7f, 0x80, 0xff, random(256)][random(6)];
    }).catch((e) => assert.fail(`change ${i}: ${e.stack}`))
  )
    cut++;
console.log(`${cut} of 3000 are cut`);
assert.ok(cut > 0 && cut < 3000);
