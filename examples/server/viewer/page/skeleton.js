// The body: its parts, the lines between them, and painting both on a canvas. Only some recordings have
// the last six parts, those of the feet.

export const parts = ['nose', 'leftEye', 'rightEye', 'leftEar', 'rightEar', 'leftShoulder', 'rightShoulder',
  'leftElbow', 'rightElbow', 'leftWrist', 'rightWrist', 'leftHip', 'rightHip', 'leftKnee', 'rightKnee', 'leftAnkle', 'rightAnkle',
  'leftBigToe', 'rightBigToe', 'leftSmallToe', 'rightSmallToe', 'leftHeel', 'rightHeel'];

// listed is what a table of frames lists: the parts of the body, and those of the feet that it has.
export const listed = (frames) => parts.filter((part, i) => i < 17 || frames.some((f) => f?.[part]));

const edges = [['nose', 'leftEye'], ['nose', 'rightEye'], ['leftEye', 'leftEar'], ['rightEye', 'rightEar'],
  ['leftHip', 'rightHip'], ['leftShoulder', 'rightShoulder'],
  ['leftShoulder', 'leftElbow'], ['leftElbow', 'leftWrist'], ['rightShoulder', 'rightElbow'], ['rightElbow', 'rightWrist'],
  ['leftHip', 'leftKnee'], ['leftKnee', 'leftAnkle'], ['rightHip', 'rightKnee'], ['rightKnee', 'rightAnkle'],
  ['leftShoulder', 'leftHip'], ['rightShoulder', 'rightHip'],
  ['leftAnkle', 'leftHeel'], ['leftAnkle', 'leftBigToe'], ['leftHeel', 'leftBigToe'],
  ['rightAnkle', 'rightHeel'], ['rightAnkle', 'rightBigToe'], ['rightHeel', 'rightBigToe']];

const side = (part) => (part.startsWith('left') ? '#46a2ff' : part.startsWith('right') ? '#ff8f33' : '#ffffff');

// sides colours the person's left blue, the right orange, the middle white.
export const sides = { part: side, edge: (a, b) => (side(a) === side(b) ? side(a) : '#ffffff') };

// paint draws the points of a frame, scaled from the picture's pixels to the canvas's.
// Lines and dots have a dark rim, so that they are seen on any picture, and are the fainter the less
// sure the parts are.
export function paint(ctx, points, scores, scale, colours = sides) {
  const opacity = (...of) => Math.min(1, ...of.map((part) => Math.max(1 / 3, (1 + ((scores?.[part] ?? 1) - 0.2) * 5) / 3)));
  const at = (part) => points[part]?.map((v) => v * scale);
  const size = Math.max(ctx.canvas.width, ctx.canvas.height);
  const line = Math.max(3, size / 220), dot = Math.max(4, size / 130);
  ctx.lineCap = 'round';
  for (const rim of [true, false]) {
    for (const [a, b] of edges) {
      const p = at(a), q = at(b);
      if (!p || !q) continue;
      ctx.globalAlpha = opacity(a, b);
      ctx.strokeStyle = rim ? '#000000a0' : colours.edge(a, b);
      ctx.lineWidth = rim ? line * 1.8 : line;
      ctx.beginPath();
      ctx.moveTo(...p);
      ctx.lineTo(...q);
      ctx.stroke();
    }
  }
  for (const part of parts) {
    const p = at(part);
    if (!p) continue;
    ctx.globalAlpha = opacity(part);
    ctx.fillStyle = colours.part(part);
    ctx.strokeStyle = '#000000c0';
    ctx.lineWidth = line / 2;
    ctx.beginPath();
    ctx.arc(...p, dot, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}

// heat is the colour of a distance: blue where equal, over yellow to red at 0.3, which also
// those tell apart who see no red or green.
export function heat(distance) {
  const stops = [[0, [44, 123, 182]], [0.1, [171, 217, 233]], [0.15, [255, 255, 191]], [0.2, [253, 174, 97]], [0.3, [215, 25, 28]]];
  let i = stops.findIndex(([d]) => d >= distance);
  if (i < 0) i = stops.length - 1;
  if (i === 0) i = 1;
  const [[d0, c0], [d1, c1]] = [stops[i - 1], stops[i]];
  const u = Math.min(1, Math.max(0, (distance - d0) / (d1 - d0)));
  return `rgb(${c0.map((v, k) => Math.round(v + u * (c1[k] - v))).join(' ')})`;
}

// heats colours a frame by a frame of a comparison; what could not be compared is grey.
export function heats(difference) {
  const of = (part) => difference?.[part]?.distance;
  const colour = (d) => (d === undefined ? '#909090' : heat(d));
  return {
    part: (p) => colour(of(p)),
    edge: (a, b) => (of(a) === undefined && of(b) === undefined ? colour(undefined) : colour(Math.max(of(a) ?? 0, of(b) ?? 0))),
  };
}
