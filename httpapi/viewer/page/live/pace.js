// @ts-check
// How well a live session keeps pace: how often answers come, how late, and whether the network, the service or
// this device is what is slow.

const fluent = 8; // answers a second that counting needs
const late = 0.8; // seconds after which an answer is of little use
const span = 3000; // milliseconds that are looked at
const qualities = [0.8, 0.6, 0.4]; // of the JPEG pictures

export class Pace {
  #list = []; // {at, delay, took} of the newest answers, in milliseconds and seconds
  #begun = performance.now();
  #level = 0; // of the quality
  #changed = 0;

  // quality is that of the pictures: less where the network is slow.
  get quality() {
    return qualities[this.#level];
  }

  // clear starts over.
  clear() {
    this.#list = [];
    this.#begun = this.#changed = performance.now();
  }

  // add notes an answer: its delay, and how much of that the service took, in seconds.
  add({ delay, took }) {
    this.#list.push({ at: performance.now(), delay, took });
  }

  // rate is how many answers a second come.
  get rate() {
    return (1000 * this.#list.length) / Math.min(span, performance.now() - this.#begun);
  }

  // slow is network, service or device, or '' while everything is in time.
  slow() {
    const now = performance.now();
    this.#list = this.#list.filter((e) => e.at > now - span);
    if (now - this.#begun < span) return '';
    const mean = (f) => (this.#list.length ? this.#list.reduce((s, e) => s + f(e), 0) / this.#list.length : Infinity);
    const delay = mean((e) => e.delay);
    if (this.rate >= fluent && delay < late) return '';
    // As many pictures are under way as come in a second, times the seconds that one takes: the way is not full.
    if (delay < late && this.rate * delay < 1) return 'device';
    if (mean((e) => e.took) > delay / 2) return 'service';
    if (this.#level < qualities.length - 1 && now - this.#changed > span) {
      this.#level++;
      this.#changed = now;
    }
    return 'network';
  }
}
