// @ts-check
// What the time axis shows of the measures: the repetitions or strides, and a chart of each choice.
import { amount, number, plusMinus } from '../base/amount.js';
import { t } from '../base/i18n.js';
import { Chart } from '../player/chart.js';
import { frameAt } from '../player/playhead.js';
import { labelOf } from './measures.js';
import { why } from './trust.js';

// spans are the repetitions, or the strides of the side that steps first, for the axis.
/** @param {import('./measures.js').Measures} measures @param {number[]} times */
export function spans(measures, times) {
  const { gait, repetitions } = measures.overview ?? {},
    lead = measures.lead;
  const [there, back] = (measures.overview?.ways ?? ['out', 'back']).map((way) => t(`way.${way}`));
  if (gait?.mode) {
    // strides tell more of walking than how often a knee bends
    const side = gait.cycles[0]?.side;
    return gait.cycles
      .filter((c) => c.side === side)
      .map(({ start, toeOff, end }) => ({
        from: start,
        to: end,
        turn: toeOff,
        first: frameAt(times, start),
        last: frameAt(times, end),
        label: 'gait.cycle',
      }));
  }
  return (repetitions?.list ?? []).map((one) => ({
    from: one.start.time,
    to: one.end.time,
    turn: one.turn.time,
    first: one.start.frame,
    last: one.end.frame,
    flag: one.shallow || !one.complete,
    title: t('repetition.tempo', {
      there,
      way: back.toLowerCase(),
      out: number(one.out, 's'),
      back: number(one.back, 's'),
      sigma: plusMinus(one.timeUncertainty, 's'),
      depth: lead ? amount(one.depth, lead.unit) : number(100 * one.depth, '%'),
    }),
  }));
}

export class Charts {
  /** @type {Map<string, {results: Measure[], chart: Chart}>} */
  #known = new Map(); // by the name of the choice, with the measures that they show

  // forget draws all anew the next time.
  forget() {
    this.#known.clear();
  }

  // show draws what is chosen on an axis, and keeps what stays the same.
  /** @param {import('./measures.js').Measures} measures @param {import('../player/timeline.js').Timeline} timeline */
  show(measures, timeline) {
    timeline.charts(
      measures.chosen.map((name) => {
        const results = measures.results(name),
          known = this.#known.get(name);
        if (known && results.length === known.results.length && results.every((r, i) => r === known.results[i])) return known.chart;
        const chart = new Chart({
          key: labelOf(name),
          unit: results[0]?.unit ?? '°',
          x: timeline.x,
          series: results.map((m) => ({
            side: m.side ?? 'trunk',
            name: m.side ? t(`side.${m.side}`) : '',
            values: m.values,
            uncertainty: m.uncertainty,
            estimated: m.estimated,
            held: m.trust === 'withheld' ? why(m, measures.facing).word : '',
          })),
        });
        this.#known.set(name, { results, chart });
        return chart;
      }),
    );
  }
}
