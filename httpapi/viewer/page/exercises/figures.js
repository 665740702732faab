// @ts-check
// The little figures of the exercises, 44 by 44: the lines of the body, and the head.
import { svg } from '../base/icons.js';

/** @type {{[name: string]: [lines: string, x: number, y: number]}} */
const figures = {
  squat: [
    'M23.9 21L31.2 28.4M23.9 21L18.9 23.2L13.1 24.1M31.2 28.4L22.7 31.8L28.5 39.7L24.1 40.9M23.9 21L18.5 23.2L12.7 24.1' +
      'M31.2 28.4L22.4 31.8L28.2 39.7L23.7 40.9',
    20.9,
    16.9,
  ],
  lunge: [
    'M23 21L24.5 31.3M23 21L23.4 26.3L21.8 30.9M24.5 31.3L22 39.4L30.6 37.9L28.4 41M23 21L23.4 26.3L21.9 30.9' +
      'M24.5 31.3L15.8 31L15.8 39.7L11.9 41',
    22.3,
    16.2,
  ],
  hinge: [
    'M20.1 20.3L29.7 23.5M20.1 20.3L19.6 25.6L18.6 30.3M29.7 23.5L25.7 31.1L25.9 39.7L22.1 41M20.1 20.3L20 25.6L19.1 30.3' +
      'M29.7 23.5L26 31.1L26.2 39.7L22.4 41',
    15.7,
    18.5,
  ],
  pushUp: [
    'M10.7 29.5L20.6 32M10.7 29.5L10.9 34.8L9.9 40.5M20.6 32L29.2 35.4L38.2 37.6L36.4 41M10.7 29.5L11.5 34.8L10.6 40.5' +
      'M20.6 32L29.4 35.4L38.4 37.6L36.6 41',
    5.7,
    27.9,
  ],
  curl: [
    'M22.7 10.3L23.4 20.6M22.7 10.3L22.4 15.9L19.6 21.4M23.4 20.6L22.6 29.6L23.5 39.7L19.1 41M22.7 10.3L22.5 15.9L19.7 21.4' +
      'M23.4 20.6L22.7 29.6L23.5 39.7L19.1 41',
    22.3,
    5.3,
  ],
  shoulderRaise: [
    'M22 11.5L22 22.3M25.6 11.5L30.8 12.4L35.4 13.2M24.2 22.3L24.7 31L24.9 39.7L25.2 41M18.4 11.5L13.2 12.4L8.6 13.2' +
      'M19.8 22.3L19.4 31L19.2 39.7L18.8 41M25.6 11.5L18.4 11.5M24.2 22.3L19.8 22.3',
    22,
    7.2,
  ],
  singleLegStance: [
    'M21.6 11.7L22.6 21.9M21.6 11.7L20.1 16.8L16.4 21.1M22.6 21.9L22.2 30.3L29.2 37.7L26.5 41M21.6 11.7L23.5 16.7L24 22.3' +
      'M22.6 21.9L19 29.6L17.8 39.7L13.4 40.8',
    21.1,
    7,
  ],
  countermovementJump: [
    'M23.3 16.2L27.7 25.7M23.3 16.2L20.4 20.9L15.6 24.1M27.7 25.7L20.9 32.3L27.2 39.7L22.8 40.9M23.3 16.2L20.2 20.9L15.4 24.1' +
      'M27.7 25.7L20.8 32.3L27.1 39.7L22.7 40.9',
    21.5,
    11.5,
  ],
  fiveTimesSitToStand: [
    'M26.9 19.6L27.7 29.7M26.9 19.6L26.5 24.2L22.5 21.5M27.7 29.7L19.6 29.9L21.1 39.7L16.7 41M26.9 19.6L25.5 24.2L21.7 21.5' +
      'M27.7 29.7L19 29.9L20.5 39.7L16.1 41',
    26.1,
    15,
  ],
  chairStand30: [
    'M23.4 11.3L24.7 21.4M23.4 11.3L22.5 15.9L18.6 13.2M24.7 21.4L23.6 29.8L24.3 39.7L19.9 41M23.4 11.3L22.4 15.9L18.5 13.2' +
      'M24.7 21.4L23.6 29.8L24.2 39.7L19.8 41',
    22.6,
    6.7,
  ],
};

// moving names the figure that stands for a movement.
/** @type {{[movement: string]: string}} */
const moving = { raise: 'shoulderRaise', jump: 'countermovementJump', sitToStand: 'fiveTimesSitToStand', still: 'singleLegStance' };

// figure draws the figure of an exercise.
/** @param {Exercise} exercise */
export function figure({ name, movement = '', test = '' }) {
  const [lines, cx, cy] = figures[name] ?? figures[test] ?? figures[movement] ?? figures[moving[movement]] ?? figures.singleLegStance;
  return svg(
    'svg',
    { class: 'ex__s', viewBox: '0 0 44 44', 'aria-hidden': 'true' },
    svg('path', { d: lines }),
    svg('circle', { cx, cy, r: 2.5 }),
  );
}
