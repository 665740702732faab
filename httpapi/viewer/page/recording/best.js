// @ts-check
// The outline of the repetition that goes farthest, laid over the others at the same share of their ways out and back. It
// stands where the feet are at the start of each, so that what differs is what the body does.
import { h } from '../base/dom.js';
import { say } from '../base/i18n.js';
import { middle } from '../player/bodies.js';
import { frameAt } from '../player/playhead.js';
import { Skeleton } from '../player/skeleton.js';

export class Best {
  #stage;
  #ghost = new Skeleton('skel--ghost');
  #choice = h('input', {
    type: 'checkbox',
    on: {
      change: () => {
        this.#stage.draw();
        this.#stage.el.scrollIntoView({ block: 'nearest' });
      },
    },
  });
  #words = h('span');
  /** @type {Repetition[]} */
  #list = [];
  /** @type {Repetition | undefined} */
  #best;
  el = h('label', { class: 'switch best', hidden: true }, this.#choice, this.#words);

  /** @param {import('../player/stage.js').Stage} stage @param {import('../numbers/measures.js').Measures} measures */
  constructor(stage, measures) {
    this.#stage = stage;
    stage.above.prepend(this.#ghost.el);
    stage.addEventListener('draw', () => this.#draw());
    measures.addEventListener('results', () => {
      this.#list = measures.overview?.repetitions?.list ?? [];
      const complete = this.#list.filter((one) => one.complete);
      this.#best = complete.length > 1 ? complete.reduce((a, b) => (b.depth > a.depth ? b : a)) : undefined;
      this.el.hidden = !this.#best;
      if (this.#best) say(this.#words, 'repetition.best', { n: this.#list.indexOf(this.#best) + 1 });
      this.#draw();
    });
  }

  #draw() {
    const { frames, playhead, place } = this.#stage,
      { time, times } = playhead,
      best = this.#best;
    const one = this.#choice.checked ? this.#list.find((r) => r.complete && time >= r.start.time && time <= r.end.time) : null;
    if (!best || !one || one === best) {
      this.#ghost.show(null, null, place);
      return;
    }
    const [from, to] = time < one.turn.time ? ['start', 'turn'] : ['turn', 'end'];
    const then = best[from].time + ((best[to].time - best[from].time) * (time - one[from].time)) / (one[to].time - one[from].time);
    const [here, there] = [one, best].map((r) => middle(frames[r.start.frame], 'Ankle') ?? middle(frames[r.start.frame], 'Hip') ?? [0, 0]);
    this.#ghost.show(this.#stage.body(frameAt(times, then)), null, ([x, y]) => place([x + here[0] - there[0], y + here[1] - there[1]]));
  }
}
