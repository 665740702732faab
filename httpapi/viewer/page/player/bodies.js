// @ts-check
// How the body of one recording is laid over that of another: by the middle of the hips, in the same size.

// middle is the place between both sides of a part, or of the one that is there.
/** @param {Frame | undefined} points @param {string} part @returns {Place | undefined} */
export function middle(points, part) {
  const [a, b] = [points?.[`left${part}`], points?.[`right${part}`]];
  return a && b ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : (a ?? b);
}

// bodyOf is where the body of a frame is, and how large: the middle of the hips, and the way from there to the shoulders.
function bodyOf(points) {
  const hips = middle(points, 'Hip'),
    shoulders = middle(points, 'Shoulder');
  return hips && shoulders ? { hips, size: Math.hypot(hips[0] - shoulders[0], hips[1] - shoulders[1]) } : null;
}

// usual is the size of the body in most frames.
/** @param {Frame[]} frames */
export function usual(frames) {
  const sizes = frames
    .map((f) => bodyOf(f)?.size ?? 0)
    .filter(Boolean)
    .sort((a, b) => a - b);
  return sizes[sizes.length >> 1] || 1;
}

// laid gives the place of a point of one frame in the picture of another; null where one of them shows no body.
/** @param {Frame} from @param {Frame} to @param {number} k how many times larger the other body is
 * @returns {((at: Place) => Place) | null} */
export function laid(from, to, k) {
  const a = bodyOf(from),
    b = bodyOf(to);
  return a && b && (([x, y]) => [b.hips[0] + (x - a.hips[0]) * k, b.hips[1] + (y - a.hips[1]) * k]);
}

// flipped is a frame as a mirror shows it, in a picture of that width; the sides keep their names.
/** @type {(frame: Frame, width: number) => Frame} */
export const flipped = (frame, width) => frame && Object.fromEntries(Object.entries(frame).map(([part, [x, y]]) => [part, [width - x, y]]));
