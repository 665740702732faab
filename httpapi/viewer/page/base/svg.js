// @ts-check
// Making SVG elements.

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
