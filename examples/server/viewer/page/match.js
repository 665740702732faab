// Which frame of the target a comparison has laid over a frame of the source. The API gives
// the differences, not the frames; but source and difference together say where each part
// of the target was, in torso lengths around the centre of the body, and the frame that has
// its parts there is the one.

import { frameAt } from './stage.js';

const reach = 2.5; // torso lengths of distance 1

const mean = (points) => (points.length ? [0, 1].map((k) => points.reduce((s, p) => s + p[k], 0) / points.length) : null);
const of = (frame, names) => names.map((n) => frame[n]).filter(Boolean);
const hips = ['leftHip', 'rightHip'], shoulders = ['leftShoulder', 'rightShoulder'];

// torso is the median of the way from the shoulders to the hips over a recording.
function torso(frames) {
  const sizes = [];
  for (const f of frames) {
    const s = mean(of(f, shoulders)), p = mean(of(f, hips));
    if (s && p) sizes.push(Math.hypot(s[0] - p[0], s[1] - p[1]));
  }
  sizes.sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
}

// mirrored exchanges left and right.
function mirrored(frame) {
  const other = (n) => (n.startsWith('left') ? n.replace('left', 'right') : n.replace('right', 'left'));
  return Object.fromEntries(Object.entries(frame).map(([n, [x, y]]) => [other(n), [-x, y]]));
}

// matcher returns the function from a frame of the source to the frame of the target.
export function matcher(source, target, { difference, alignment, mirror }) {
  const last = target.frames.length - 1;
  const even = (i) => {
    if (!source.times || last === 0) return 0;
    const [s, t] = [source.times, target.times];
    const part = (s[i] - s[0]) / (s.at(-1) - s[0] || 1);
    const time = t[0] + part * (t[last] - t[0]);
    const j = frameAt(t, time);
    return j < last && t[j + 1] - time < time - t[j] ? j + 1 : j;
  };
  if ((alignment ?? 'linear') === 'linear' || last === 0 || !source.times) return even;
  const frames = mirror ? target.frames.map(mirrored) : target.frames;
  const [ss, st] = [torso(source.frames), torso(frames)];
  const known = new Map();
  const find = (i) => {
    const s = source.frames[i];
    const names = Object.keys(difference[i] ?? {}).filter((n) => difference[i][n].distance < 1);
    let best = even(i), least = Infinity;
    frames.forEach((f, j) => {
      const shared = (list) => list.filter((n) => s[n] && f[n]);
      const set = [hips, shoulders, Object.keys(s)].map(shared).find((l) => l.length);
      if (!set) return;
      const cs = mean(of(s, set)), ct = mean(of(f, set));
      // Of frames that fit alike the one nearest to even time is taken.
      let sum = 1e-7 * Math.abs(j - even(i)), n = 0;
      for (const name of names) {
        if (!f[name]) continue;
        const { distance, direction } = difference[i][name];
        const turn = direction * Math.PI / 180;
        const dx = (s[name][0] - cs[0]) / ss + reach * distance * Math.sin(turn) - (f[name][0] - ct[0]) / st;
        const dy = (s[name][1] - cs[1]) / ss - reach * distance * Math.cos(turn) - (f[name][1] - ct[1]) / st;
        sum += dx * dx + dy * dy;
        n++;
      }
      if (n * 2 >= names.length && n > 0 && sum / n < least) [best, least] = [j, sum / n];
    });
    return best;
  };
  return (i) => {
    if (!known.has(i)) known.set(i, find(i));
    return known.get(i);
  };
}
