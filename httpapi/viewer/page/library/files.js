// @ts-check
// The files that the user has opened, by MD5. The API takes media and does not give them
// back, so that the player needs the user's own.
import { md5 } from './md5.js';

const held = new Map(); // File by hexadecimal MD5

const endings = {
  images: /\.(jpe?g|png|webp|bmp|tiff?|gif)$/i,
  movies: /\.(mp4|mov|m4v|webm|mkv|avi)$/i,
  keypoints: /\.(jsonl?|csv|trc)$/i, // of other programs
};

// kindOf returns images, movies or keypoints, or null for what is none of them.
export function kindOf(file) {
  if (endings.keypoints.test(file.name)) return 'keypoints';
  if (endings.images.test(file.name)) return 'images';
  if (endings.movies.test(file.name)) return 'movies';
  if (file.type.startsWith('image/')) return 'images';
  return file.type.startsWith('video/') ? 'movies' : null;
}

// hold keeps a file under its MD5.
export const hold = (sum, file) => held.set(sum, file);

// hexOf spells an MD5, which is base64 or hexadecimal, in hexadecimal.
export function hexOf(sum) {
  if (/^[0-9a-f]{32}$/i.test(sum)) return sum.toLowerCase();
  return Array.from(atob(sum), (c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

// held returns the file of a media record, or undefined.
export const fileOf = (media) => held.get(hexOf(media.contentMd5));

// attach keeps a file if it is the one of the media record.
export async function attach(media, file) {
  const sum = await md5(file);
  if (sum !== hexOf(media.contentMd5)) return false;
  hold(sum, file);
  return true;
}
