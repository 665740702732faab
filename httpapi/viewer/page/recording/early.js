// @ts-check
// What the frames that have been found so far tell, marked as preliminary, where the numbers of the whole will be.
import { h, rebuild } from '../base/dom.js';
import { Charts, spans, repetitionCard, Values } from '../numbers/results.js';
import { Measures } from '../numbers/measures.js';
import { verdict } from '../numbers/verdict.js';
import { Timeline } from '../player/timeline.js';

export class Early {
  #api;
  #playhead;
  #values = new Values(true);
  #charts = new Charts();
  #frames = 0; // that it tells of
  timeline;
  el = h('div', { class: 'side early' });

  constructor(api, playhead) {
    this.#api = api;
    this.#playhead = playhead;
    this.timeline = new Timeline(playhead);
  }

  // wants reports whether so many frames are enough to ask again: each time a third more, for all are measured again.
  wants(frames) {
    return frames >= 15 && frames * 3 >= this.#frames * 4;
  }

  // show tells what is known of the first frames of a recording.
  show({ frames, quality, overview }, recording) {
    this.#frames = frames;
    const r = { ...recording, movie: -1, quality, frames: recording.frames.slice(0, frames), span: [0, frames - 1] };
    const measures = new Measures(this.#api, r),
      seek = (time) => {
        this.#playhead.pause();
        this.#playhead.at(time);
      };
    const whole = overview.repetitions?.list.filter((one) => one.complete) ?? []; // of one under way nothing can be told yet
    measures.early({
      ...overview,
      standing: undefined,
      repetitions: whole.length ? { ...overview.repetitions, list: whole, count: whole.length } : undefined,
    });
    measures.chosen = measures.usual();
    this.#values.show(measures);
    rebuild(
      this.el,
      whole.length || overview.gait || overview.jumps
        ? verdict(
            r,
            measures,
            (frame) => seek(recording.times[frame]),
            () => {},
          )
        : h('section', { class: 'verdict verdict--none', role: 'status' }, h('div', {}, h('h2', { t: 'wait.first' }))),
      this.#values.el,
      repetitionCard(measures, seek) ?? '',
    );
    this.timeline.repetitions(spans(measures, recording.times));
    this.#charts.show(measures, this.timeline);
  }
}
