// @ts-check
// Which frame of B is shown with a frame of A: by movement, by time, or as both were held by hand.
import { frameAt } from '../player/playhead.js';

export class Pairing {
  #a;
  #b;
  #twins;
  #shift = 0; // seconds that B was moved by hand
  /** @type {number[]} */
  #times = []; // of B by movement, for each frame of A
  /** @type {boolean[]} */
  #known; // whether they are those of a counterpart, or between two within a repetition

  // a and b are the times of the frames. Of the comparison, shift is how much later counterparts come, null without one:
  // there the time runs evenly from the counterpart before to the next one.
  constructor(a = [0], b = [0], { shift = /** @type {Value[]} */ ([]), repetitions = /** @type {any[] | null} */ ([]) } = {}) {
    this.#a = a;
    this.#b = b;
    this.#twins = repetitions ?? [];
    this.#known = a.map((_, i) => typeof shift?.[i] === 'number');
    const to = a.map((time, i) => (this.#known[i] ? time - a[0] + b[0] + (shift[i] ?? 0) : null));
    for (const { source, target } of this.#twins) {
      to[source.from] ??= b[target.from];
      to[source.to] ??= b[target.to];
      for (let i = source.from; i <= source.to; i++) this.#known[i] = true;
    }
    const fixed = to.flatMap((time, i) => (time === null ? [] : [i]));
    this.#times = a.map((time, i) => {
      if (to[i] !== null || !fixed.length) return to[i] ?? time - a[0] + b[0];
      const next = fixed.find((k) => k > i),
        before = fixed.findLast((k) => k < i);
      if (next === undefined || before === undefined) return (to[next ?? before ?? 0] ?? 0) + time - a[next ?? before ?? 0];
      const [from, until] = [to[before] ?? 0, to[next] ?? 0];
      return from + ((until - from) * (time - a[before])) / (a[next] - a[before]);
    });
  }

  // hold notes that a frame of A and one of B show the same moment.
  hold(frame, other) {
    this.#shift = this.#b[other] - this.#b[0] - (this.#a[frame] - this.#a[0]);
  }

  // frame is the frame of B nearest to what belongs to a frame of A.
  frame(sync, frame) {
    const time =
      sync === 'repetition' ? this.#times[frame] : this.#a[frame] - this.#a[0] + this.#b[0] + (sync === 'hand' ? this.#shift : 0);
    const before = frameAt(this.#b, time);
    return this.#b[before + 1] - time < time - this.#b[before] ? before + 1 : before;
  }

  // paired reports whether B shows that moment at all.
  paired(sync, frame) {
    if (sync === 'repetition') return this.#known[frame];
    const time = this.#a[frame] - this.#a[0] + this.#b[0] + (sync === 'hand' ? this.#shift : 0),
      last = this.#b[this.#b.length - 1];
    return time >= this.#b[0] - 0.02 && time <= last + 0.02;
  }

  // spans are the repetitions of A as the time axis shows them: first those that are laid on one of B, then the others of its
  // own list that come after them.
  spans(own) {
    const of = (first, last, turn, one) => ({
      first,
      last,
      from: this.#a[first],
      to: this.#a[last],
      turn,
      flag: Boolean(one && (one.shallow || !one.complete)),
    });
    const twins = this.#twins.map(({ source: { from, to }, at }) => {
      const one = own.find((r) => r.turn.frame >= from && r.turn.frame <= to);
      return of(from, to, this.#a[at?.[0]?.frame ?? one?.turn.frame ?? (from + to) >> 1], one);
    });
    const end = twins.at(-1)?.last ?? -1;
    return [
      ...twins,
      ...own
        .filter((r) => r.start.frame >= end - 1 && (r.complete || !twins.length))
        .map((r) => of(r.start.frame, r.end.frame, r.turn.time, r)),
    ];
  }
}
