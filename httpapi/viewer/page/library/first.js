// @ts-check
// The first visit: what the page is for, in three steps, a place to drop movies, and a sample to try.
import { h, button } from '../base/dom.js';
import { icon, svg } from '../base/icons.js';
import { Skeleton } from '../player/skeleton.js';
import { legend } from '../player/stage.js';

const s = (tag, attributes, ...children) => svg(tag, attributes, ...children);

// wave is two curves of three repetitions, as a chart shows them.
const wave = (low, high, height) => {
  let d = '';
  for (let i = 0; i <= 120; i++) {
    const u = Math.min(1, Math.max(0, 2.2 * Math.abs(((i / 40) % 1) - 0.5) - 0.1));
    d += `${i ? 'L' : 'M'}${(i * 1.1).toFixed(1)} ${(height - low - (high - low) * (0.5 + 0.5 * Math.cos(Math.PI * u))).toFixed(1)}`;
  }
  return d;
};

const pictures = [
  () => [
    s('path', { class: 'p-good', d: 'M34 56 104 24v64z' }),
    s('path', { class: 'p-line', d: 'M90 38V13M84.5 19 90 13l5.5 6' }),
    s('path', { class: 'p-left', d: 'M72 56h18' }),
    s('path', { class: 'p-right', d: 'M90 56h18' }),
    s('path', { class: 'p-ink', d: 'M84 47 90 39l6 8z' }),
    s('circle', { class: 'p-ink', cx: 90, cy: 55, r: 10 }),
    s('rect', { class: 'p-ink', x: 12, y: 46, width: 20, height: 20, rx: 4 }),
    s('path', { class: 'p-ink', d: 'M32 53l8-4.5v15L32 59z' }),
  ],
  () => [
    s('rect', { class: 'p-box', x: 22, y: 16, width: 104, height: 80, rx: 10 }),
    s(
      'g',
      { transform: 'rotate(-5 74 56)' },
      s('rect', { class: 'p-ink', x: 46, y: 34, width: 56, height: 42, rx: 6 }),
      s('path', { class: 'p-paper', d: 'M68 47v16l14-8z' }),
    ),
    s('path', { class: 'p-hand', d: 'M96 68l4 18 4-7 8-1z' }),
  ],
  () => [
    ...[16, 56, 96].map((x) => s('rect', { class: 'p-band', x, y: 14, width: 30, height: 84, rx: 4 })),
    s('path', { class: 'p-grid', d: 'M8 90h132M8 60h132M8 30h132' }),
    s(
      'g',
      { transform: 'translate(8 14)' },
      s('path', { class: 'p-curve left', d: wave(8, 72, 84) }),
      s('path', { class: 'p-curve right', d: wave(4, 58, 84) }),
    ),
  ],
];

// body is what the service finds in the picture of the sample; the left shoulder and hip are hidden by the trunk.
const body = {
  leftShoulder: [320, 183],
  leftElbow: [387, 216],
  leftWrist: [456, 230],
  leftHip: [228, 285],
  leftKnee: [334, 330],
  leftAnkle: [266, 417],
  leftHeel: [255, 425],
  leftBigToe: [315, 440],
  rightShoulder: [270, 191],
  rightElbow: [334, 229],
  rightWrist: [403, 248],
  rightHip: [194, 295],
  rightKnee: [275, 357],
  rightAnkle: [214, 445],
  rightHeel: [204, 453],
  rightBigToe: [258, 477],
};

// drawn is the sample with its skeleton and the bend of both knees.
function drawn() {
  const skeleton = new Skeleton(),
    arc = (side, wedge, ext, curve) =>
      s(
        'g',
        { class: `arc ${side}` },
        s('path', { class: 'wedge', d: wedge }),
        s('path', { class: 'ext', d: ext }),
        s('path', { class: 'curve', d: curve }),
      );
  skeleton.show(body, { leftShoulder: 0, leftHip: 0 }, (p) => p);
  const tag = (side, left, top, text) => h('span', { class: `tag ${side}`, style: { left, top } }, text);
  return h(
    'span',
    { class: 'try__p', 'aria-hidden': 'true' },
    h('img', { src: 'viewer/sample.jpg', alt: '', width: 580, height: 500 }),
    s(
      'svg',
      { viewBox: '0 0 580 500' },
      skeleton.el,
      arc('left', 'M334 330L362 342A30 30 0 0 1 316 354Z', 'M334 330L388 353', 'M362 342A30 30 0 0 1 316 354'),
      arc('right', 'M275 357L299 375A30 30 0 0 1 258 381Z', 'M275 357L321 392', 'M299 375A30 30 0 0 1 258 381'),
    ),
    tag('left', '67.3%', '61.3%', '105°'),
    tag('right', '38.4%', '76.5%', '87°'),
  );
}

// first makes the view. choose opens the file chooser, sample opens the sample.
export function first(choose, sample) {
  const step = (n) =>
    h(
      'li',
      { class: 'step' },
      h('div', { class: 'step__p' }, svg('svg', { viewBox: '0 0 148 112', 'aria-hidden': 'true' }, ...pictures[n - 1]())),
      h(
        'div',
        {},
        h('span', { class: 'step__n', t: 'first.step', args: { n } }),
        h('h2', { t: `first.step${n}` }),
        h('p', { t: `first.step${n}.text` }),
      ),
    );
  return h(
    'main',
    { class: 'first', id: 'main', tabIndex: -1 },
    h(
      'div',
      { class: 'first__h' },
      h(
        'div',
        {},
        h('h1', { t: 'first.title' }),
        h('p', { class: 'first__s', t: 'first.text' }),
        h(
          'div',
          { class: 'drop' },
          h(
            'div',
            { class: 'drop__t' },
            icon('upload'),
            h('div', {}, h('span', { class: 'drop__h', t: 'first.drop' }), h('span', { t: 'first.limits' })),
          ),
          h(
            'div',
            { class: 'drop__b' },
            button('first.choose', choose, { class: 'btn--primary btn--big' }),
            button('first.sample', sample, { icon: 'play', class: 'btn--line btn--big' }),
            h('a', { class: 'btn btn--big', href: '#/two', t: 'two.link' }),
          ),
        ),
      ),
      h(
        'button',
        { type: 'button', class: 'try', on: { click: sample } },
        drawn(),
        h('span', { 'aria-hidden': 'true' }, legend()),
        h(
          'span',
          { class: 'try__c' },
          h('span', { class: 'play' }, icon('play')),
          h('span', { class: 'vh', t: 'first.sample' }),
          h('span', {}, h('b', { t: 'first.name' }), h('small', { t: 'first.about' })),
        ),
      ),
    ),
    h('ol', { class: 'steps', label: 'first.steps' }, step(1), step(2), step(3)),
    h(
      'ul',
      { class: 'first__f' },
      ...['first.stay', 'first.nothing', 'first.results'].map((key) => h('li', {}, icon('check'), h('span', { t: key }))),
    ),
  );
}
