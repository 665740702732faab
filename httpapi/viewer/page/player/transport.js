// @ts-check
// The row of buttons below the picture: play, one frame, loop, speed, full screen; and the keys of the player.
import { h, button } from '../base/dom.js';
import { icon } from '../base/icons.js';
import { label, say } from '../base/i18n.js';

const speeds = [0.1, 0.25, 0.5, 1, 2];

// buttons are those that play and go one frame back or on, which are there while the body is being found, too.
export function buttons(playhead) {
  const play = h('button', { type: 'button', class: 'btn btn--play', on: { click: () => playhead.toggle() } });
  const tell = () => {
    play.replaceChildren(icon(playhead.playing ? 'pause' : 'play'));
    label(play, playhead.playing ? 'player.pause' : 'player.play');
  };
  playhead.addEventListener('state', tell);
  tell();
  return [
    button('player.back', () => playhead.step(-1), { icon: 'back', only: true }),
    play,
    button('player.on', () => playhead.step(1), { icon: 'on', only: true }),
  ];
}

export class Transport {
  #playhead;
  #clock = h('span', { class: 'clock' }, h('b'), h('span'));
  #frame = h('span', { class: 'clock clock--f' });
  #speed = h(
    'select',
    { class: 'speed', label: 'type.speed', on: { change: () => this.#playhead.pace(Number(this.#speed.value)) } },
    ...speeds.map((v) => h('option', { value: v }, `${v}×`)),
  );
  #loop;
  /** @type {() => [number, number][]} */
  repetitions = () => []; // [first, last] frames of the repetitions

  // film is the element that fills the screen; angles is called with whether angles are shown at the joints;
  // null where there are none.
  constructor(playhead, film, angles) {
    this.#playhead = playhead;
    this.#speed.value = '1';
    this.#clock.children[0].style.minWidth = `${playhead.times.at(-1).toFixed(2).length}ch`;
    const degrees = button(
      'player.angles',
      () => {
        const on = degrees.getAttribute('aria-pressed') !== 'true';
        degrees.setAttribute('aria-pressed', String(on));
        angles(on);
      },
      { icon: 'angle', class: 'btn--ghost', 'aria-pressed': 'true', hidden: !angles },
    );
    this.#loop = button('player.loop', () => this.loop(), { icon: 'loop', class: 'btn--ghost', 'aria-pressed': 'false' });
    this.el = h(
      'div',
      { class: 'transport' },
      h('div', { class: 'transport__l' }, ...buttons(playhead), this.#clock, this.#frame),
      h(
        'div',
        { class: 'transport__r' },
        degrees,
        this.#loop,
        this.#speed,
        button('player.full', () => (document.fullscreenElement ? document.exitFullscreen() : film.requestFullscreen()), {
          icon: 'full',
          only: true,
          hidden: !document.fullscreenEnabled,
        }),
      ),
    );
    playhead.addEventListener('frame', () => this.#tell());
    playhead.addEventListener('state', () => this.#state());
    this.#tell();
  }

  #tell() {
    const { time, times, frame, last } = this.#playhead;
    const [now, rest] = this.#clock.children;
    now.textContent = time.toFixed(2);
    rest.textContent = ` / ${times[last].toFixed(2)} s`;
    say(this.#frame, 'player.frame', { frame: frame + 1, frames: last + 1 });
  }

  #state() {
    const { loop, speed } = this.#playhead;
    this.#loop.setAttribute('aria-pressed', String(Boolean(loop)));
    const n = loop ? this.repetitions().findIndex(([a, b]) => a === loop[0] && b === loop[1]) + 1 : 0;
    say(this.#loop.lastChild, n ? 'player.loopOf' : 'player.loop', { n });
    this.#speed.value = speed;
  }

  // loop repeats the repetition that the playhead is in or comes to; or stops doing so.
  loop() {
    const { frame, loop } = this.#playhead;
    if (loop) {
      this.#playhead.repeat(null);
      return;
    }
    const all = this.repetitions();
    this.#playhead.repeat(all.find(([, to]) => to >= frame) ?? all[0] ?? [0, this.#playhead.last]);
  }

  // key handles a key, and reports whether it was one of the player's.
  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey) return false;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ',': -1, '.': 1, PageDown: 10, PageUp: -10 };
    const on = e.target.matches('button, select, input, textarea, a, summary, [role=slider]');
    if (e.target.matches('input:not([type=checkbox]), textarea, select')) return false;
    if (e.key in steps) this.#playhead.step(steps[e.key] * (e.shiftKey ? 10 : 1));
    else if (e.key === 'Home') this.#playhead.step(-this.#playhead.last - 1);
    else if (e.key === 'End') this.#playhead.step(this.#playhead.last + 1);
    else if (e.key === ' ' && !on) this.#playhead.toggle();
    else if (e.key === 'r' || e.key === 'R') this.loop();
    else return false;
    e.preventDefault();
    return true;
  }
}
