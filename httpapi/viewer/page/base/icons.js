// @ts-check
// Making SVG elements, and the icons: 20 by 20, drawn with one line width.

const svgSpace = 'http://www.w3.org/2000/svg';

// svg makes an SVG element with attributes.
/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {{[name: string]: string | number}} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const el = document.createElementNS(svgSpace, tag);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, String(value));
  el.append(...children);
  return el;
}

const f = (d) => ({ d, class: 'f' });
const shapes = {
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  moon: 'M16 12A6.5 6.5 0 0 1 8 4a6.5 6.5 0 1 0 8 8Z',
  help: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM8 8a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M10 13.6v.2',
  search: 'M14.2 9a5.2 5.2 0 1 1-10.4 0 5.2 5.2 0 0 1 10.4 0ZM13 13l4 4',
  plus: 'M10 4v12M4 10h12',
  good: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM6.8 10.2 9 12.4l4.2-4.6',
  care: 'M10 3.4 17.4 16.2H2.6zM10 8.2v3.6M10 13.9v.2',
  hidden: 'M3.2 10S5.6 5.6 10 5.6 16.8 10 16.8 10 14.4 14.4 10 14.4 3.2 10 3.2 10ZM4.5 15.5l11-11',
  dots: f([5, 10, 15].map((x) => `M${x} 8.7a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6Z`).join('')),
  people:
    'M10.1 7a2.6 2.6 0 1 1-5.2 0 2.6 2.6 0 0 1 5.2 0ZM2.6 16a5 5 0 0 1 9.8 0M12.6 4.8a2.5 2.5 0 0 1 0 4.5M14.4 11.8a4.7 4.7 0 0 1 3 4.2',
  pencil: 'm4 16 .8-3.4 8.6-8.6 2.6 2.6-8.6 8.6zM11.6 5.8l2.6 2.6',
  link:
    'M8.4 11.6a3.2 3.2 0 0 0 4.6 0l2.6-2.6a3.25 3.25 0 0 0-4.6-4.6l-1 1' +
    'M11.6 8.4a3.2 3.2 0 0 0-4.6 0L4.4 11a3.25 3.25 0 0 0 4.6 4.6l1-1',
  download: 'M10 3.5V13M6.2 9.3 10 13l3.8-3.7M3.5 13v1.7a1.8 1.8 0 0 0 1.8 1.8h9.4a1.8 1.8 0 0 0 1.8-1.8V13',
  upload: 'M10 13V3.5M6.2 7.2 10 3.5l3.8 3.7M3.5 12.5v2.2a1.8 1.8 0 0 0 1.8 1.8h9.4a1.8 1.8 0 0 0 1.8-1.8v-2.2',
  report: 'M5 2.8h6.5L15.5 7v10.2H5zM11.2 3v4.2h4.2M7.7 10.7h5M7.7 13.5h5',
  move: 'm5 3.8 10.6 5.4-4.6 1.3-1.9 4.5z',
  angle: 'M16.5 15.5h-13l9-11.5M9.6 15.3a6 6 0 0 0-2.3-4.6',
  line: 'm3 13.5 10.5-10.5 3.5 3.5L6.5 17zM7.2 9.3 9 11.1M9.8 6.7l1.8 1.8M5 11.8 6.2 13',
  word: 'M4.5 6V4.5h11V6M10 4.5v11M8 15.5h4',
  point: 'M12.2 10a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0ZM10 2.5v3M10 14.5v3M2.5 10h3M14.5 10h3',
  person: 'M13 6.3a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM4.2 16.8a5.8 5.8 0 0 1 11.6 0',
  nobody: 'M13 6.3a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM4.2 16.8a5.8 5.8 0 0 1 11.6 0M3.5 17l13-14',
  tag: 'M3.5 3.5h6l7 7-6 6-7-7zM7 7v.1',
  zoom: 'M14.2 9a5.2 5.2 0 1 1-10.4 0 5.2 5.2 0 0 1 10.4 0ZM13 13l4 4M9 6.8v4.4M6.8 9h4.4',
  floor: 'M2.5 15.5h15M4 18l2-2.5M9 18l2-2.5M14 18l2-2.5M10 3v8M7 8.2 10 11l3-2.8',
  back: 'M12.5 5 7.5 10l5 5',
  on: 'm7.5 5 5 5-5 5',
  play: f('M6 4.2v11.6a.7.7 0 0 0 1.1.6l8.6-5.8a.7.7 0 0 0 0-1.2L7.1 3.6A.7.7 0 0 0 6 4.2Z'),
  pause: f('M6 4h2.6v12H6zM11.4 4H14v12h-2.6z'),
  stop: f('M5 5h10v10H5z'),
  record: f('M15 10a5 5 0 1 1-10 0 5 5 0 0 1 10 0Z'),
  loop: 'M4 9.5a4 4 0 0 1 4-4h8M13.4 2.8 16 5.5l-2.6 2.7M16 10.5a4 4 0 0 1-4 4H4M6.6 17.2 4 14.5l2.6-2.7',
  down: 'm5.5 8 4.5 4.5L14.5 8',
  away: 'M10 16.5v-11M5.5 10 10 5.5l4.5 4.5',
  near: 'M10 3.5v11M5.5 10l4.5 4.5 4.5-4.5',
  full: 'M7.5 3.5h-4v4M12.5 3.5h4v4M7.5 16.5h-4v-4M12.5 16.5h4v-4',
  check: 'm4.5 10.5 3.7 3.7 7.3-8',
  undo: 'M7.5 4.5 4 8l3.5 3.5M4.3 8h7.2a4 4 0 0 1 0 8H8',
  redo: 'M12.5 4.5 16 8l-3.5 3.5M15.7 8H8.5a4 4 0 0 0 0 8H12',
  swap: 'M4 7h11M12.3 4l3 3-3 3M16 13H5M7.7 10l-3 3 3 3',
  side: 'M3 4.5h6v11H3zM11 4.5h6v11h-6z',
  mirror: 'M10 3v14M7.5 6v8.5H3zM12.5 6v8.5H17z',
  ghost: 'M5 16.5V9a5 5 0 0 1 10 0v7.5l-2.5-1.7-2.5 1.7-2.5-1.7zM8.2 8.7v.6M11.8 8.7v.6',
  camera: 'M2.8 6h9.4v8H2.8zM12.2 9l5-2.6v7.2l-5-2.6',
  bin: 'M4 5.5h12M8 5.5V3.8h4v1.7M5.5 5.5l.8 11h7.4l.8-11M8.5 8.5v5M11.5 8.5v5',
  leave: 'M8 3.5H4v13h4M12.5 6.5 16 10l-3.5 3.5M15.5 10H8',
  close: 'm5 5 10 10M15 5 5 15',
};

// icon makes an icon. Screen readers do not see it: its button has a name.
export function icon(name, small = false) {
  const shape = shapes[name];
  return svg(
    'svg',
    { class: small ? 'i s' : 'i', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    svg('path', shape.d ? shape : { d: shape }),
  );
}
