// Making SVG elements.

const svgSpace = 'http://www.w3.org/2000/svg';

// svg makes an SVG element with attributes.
export function svg(tag, attributes = {}, ...children) {
  const el = document.createElementNS(svgSpace, tag);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}
