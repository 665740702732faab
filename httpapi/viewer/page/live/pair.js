// @ts-check
// A second phone: both have one code, under which the first finds the recording of the second and has both measured together.
import { h, button, card, span } from '../base/dom.js';
import { address } from '../base/route.js';
import { picture } from './qr.js';

// here are the names of the machine itself, whose addresses no phone can open.
const here = ['localhost', '127.0.0.1', '[::1]'];

export class Pair extends EventTarget {
  code = ''; // six digits; '' is filming with one
  second = false; // this is the second phone
  el = card('film.two');

  // take becomes the second phone with a code, the first with a new one, or neither.
  /** @param {string} code @param {boolean} [second] */
  take(code, second = Boolean(code)) {
    this.code = code;
    this.second = second;
    this.dispatchEvent(new Event('change'));
  }

  // ending stands at the end of the name of the second recording.
  get ending() {
    return `B ${this.code}`;
  }

  // show draws the card, for an exercise that the second phone is to film.
  /** @param {string} exercise */
  show(exercise) {
    const [head] = this.el.children,
      spaced = this.code.replace(/(...)/, '$1 ');
    const off = () => button('film.one', () => this.take(''), { class: 'btn--line' });
    if (this.second) {
      this.el.replaceChildren(head, h('p', { class: 'say', t: 'film.two.second', args: { code: spaced } }), off());
      return;
    }
    if (this.code) {
      const link = new URL(address(['film', exercise], { with: this.code }), location.href).href;
      const drawn = here.includes(location.hostname) || link.length > 180 ? null : picture(link);
      this.el.replaceChildren(
        head,
        h('p', { class: 'fi__2' }, drawn, h('b', { class: 'code' }, spaced), h('a', { href: link, t: 'film.two.link' })),
        h('p', { class: 'foot', t: 'film.two.how' }),
        off(),
      );
      return;
    }
    const typed = h('input', { inputMode: 'numeric', autocomplete: 'off', maxLength: 7, size: 7 });
    typed.addEventListener('input', () => {
      const code = typed.value.replace(/\D/g, '');
      if (code.length === 6) this.take(code);
    });
    const fresh = () => String(crypto.getRandomValues(new Uint32Array(1))[0] % 1e6).padStart(6, '0');
    this.el.replaceChildren(
      head,
      h(
        'div',
        { class: 'fi__2' },
        button('film.two.use', () => this.take(fresh(), false), { class: 'btn--line' }),
      ),
      h('label', { class: 'field' }, span('film.two.type'), typed),
    );
  }
}
