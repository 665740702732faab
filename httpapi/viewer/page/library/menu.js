// @ts-check
// A menu beside its button, which the arrow keys go through.
import { h, span } from '../base/dom.js';
import { icon } from '../base/icons.js';

/** @typedef {{key?: string, name?: string, icon?: string, look?: string, chosen?: boolean, act: () => void}} Item of a menu: the key
 * of its words or a name; chosen says whether it is the one of several */

// menu makes a menu. open shows items beside a button.
export function menu() {
  const el = h('div', { class: 'menu', role: 'menu', popover: 'auto' });
  /** @param {HTMLElement} by @param {Item[]} items */
  const open = (by, items) => {
    el.replaceChildren(
      ...items.map(({ key, name, icon: ico, look = '', chosen, act }) =>
        h(
          'button',
          {
            type: 'button',
            role: chosen === undefined ? 'menuitem' : 'menuitemradio',
            'aria-checked': chosen === undefined ? null : String(chosen),
            class: `menu__i ${look}`,
            on: {
              click: () => {
                el.hidePopover();
                act();
              },
            },
          },
          ico ? icon(ico) : chosen === undefined ? null : h('span', { class: 'menu__c' }, chosen ? icon('check', true) : ''),
          key ? span(key) : h('span', {}, name ?? ''),
        ),
      ),
    );
    el.showPopover();
    const box = by.getBoundingClientRect(),
      size = el.getBoundingClientRect();
    el.style.left = `${Math.max(4, Math.min(box.left, innerWidth - size.width - 8))}px`;
    el.style.top = `${Math.max(4, Math.min(box.bottom + 4, innerHeight - size.height - 8))}px`;
    const all = [...el.children];
    (all.find((b) => b.getAttribute('aria-checked') === 'true') ?? all[0])?.focus();
    el.onkeydown = (e) => {
      const at = all.findIndex((b) => b === document.activeElement),
        to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[e.key];
      if (to !== undefined) {
        e.preventDefault();
        all[to % all.length].focus();
      }
      if (e.key === 'Escape') by.focus();
    };
  };
  return { el, open };
}
