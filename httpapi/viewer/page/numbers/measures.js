// @ts-check
// What is measured in a recording, as the service studies it: every measure of both sides with what it is worth, the
// one to read first, repetitions, steps and jumps.
import { unitOf } from '../base/amount.js';
import { types } from '../base/names.js';

/** @typedef {{type: string, joint: string[], sides?: boolean, feet?: boolean, more?: boolean}} Choice */

// all are the choices: the type of each, whether it has sides, and the parts at whose joint the value stands in the
// picture.
/** @type {{[name: string]: Choice}} */
const all = {
  knee: { type: 'kneeFlexion', sides: true, joint: ['Hip', 'Knee', 'Ankle'] },
  hip: { type: 'hipFlexion', sides: true, joint: ['Shoulder', 'Hip', 'Knee'] },
  ankle: { type: 'ankleDorsiflexion', sides: true, joint: ['Knee', 'Ankle', 'BigToe'], feet: true },
  elbow: { type: 'elbowFlexion', sides: true, joint: ['Shoulder', 'Elbow', 'Wrist'] },
  shoulder: { type: 'shoulderFlexion', sides: true, joint: ['Hip', 'Shoulder', 'Elbow'] },
  trunk: { type: 'trunkLean', joint: ['Shoulder'] },
  hips: { type: 'hipHeight', joint: ['Hip'], more: true },
  abduction: { type: 'shoulderAbduction', sides: true, joint: ['Hip', 'Shoulder', 'Elbow'], more: true },
  pelvis: { type: 'pelvicTilt', joint: ['Hip'], more: true },
  neck: { type: 'neckFlexion', joint: ['Ear'], more: true },
  valgus: { type: 'kneeValgus', sides: true, joint: ['Knee'], more: true },
  leg: { type: 'hipAbduction', sides: true, joint: ['Hip'], more: true },
  lean: { type: 'trunkSideLean', joint: ['Shoulder'], more: true },
  shoulders: { type: 'shoulderLevel', joint: ['Shoulder'], more: true },
  step: { type: 'stepWidth', joint: ['Ankle'], more: true },
  knees: { type: 'kneeSeparation', joint: ['Knee'], more: true },
  hand: { type: 'handHeight', sides: true, joint: ['Wrist'], more: true },
};

// joints are the choices that are called as their joint is.
const joints = ['knee', 'hip', 'ankle', 'elbow', 'shoulder', 'trunk', 'pelvis', 'neck'];

// angles are those that the service knows.
/** @type {{[name: string]: Choice}} */
export const angles = Object.fromEntries(Object.entries(all).filter(([, { type }]) => types.some((t) => t.name === type)));

// labelOf is the key of the words for a choice: those of its joint, or of its type.
/** @param {string} name */
export const labelOf = (name) => (angles[name] && !joints.includes(name) ? `type.${angles[name].type}` : `angle.${name}`);

// choiceOf is the name of the choice of a type, undefined if there is none.
/** @param {string} type */
export const choiceOf = (type) => Object.keys(angles).find((name) => angles[name].type === type);

// rulesOf are the rules of some choices, of both sides or one, with what else is asked of them.
/** @param {string[]} chosen @param {string[]} sides @param {{repetitions?: boolean}} more
 * @returns {{analysisType: string, side?: string, repetitions?: boolean}[]} */
export function rulesOf(chosen, sides = ['left', 'right'], more = {}) {
  return chosen
    .filter((name) => name in angles)
    .flatMap((name) => {
      const { type: analysisType, sides: has } = angles[name];
      const rule = { analysisType, ...more };
      return has ? sides.map((side) => ({ ...rule, side })) : [rule];
    });
}

// studied keeps what is known of the recordings that were shown, so that they are not studied again.
const studied = new Map();

// text is the same for values whose members have another order.
const text = (value) => JSON.stringify(value, (_, v) => (v?.constructor === Object ? Object.fromEntries(Object.entries(v).sort()) : v));

// said gives the measures of an overview the units in which they are said.
/** @param {Overview} overview */
function said(overview) {
  for (const m of [...overview.measures, ...(overview.estimates ?? [])]) m.unit = unitOf(m.analysisType, m.unit);
  return overview;
}

export class Measures extends EventTarget {
  #api;
  #kept; // what is known of the recording as it is now, and of the part of it
  /** @type {string[]} */
  chosen = [];
  side = 'both';
  part = {}; // {from, to} in seconds where only a part is measured
  neutral = false; // whether angles are against quiet standing

  /** @param {import('../base/api.js').API} api @param {Recording} recording */
  constructor(api, recording) {
    super();
    this.#api = api;
    this.recording = recording;
    this.forget();
  }

  // forget drops what is known of the recording as it was, after the keypoints have changed.
  forget() {
    const { id, person, updatedAt, edits } = this.recording;
    const key = text([id, person ?? 0, this.part, this.neutral]),
      state = text([updatedAt, edits]);
    if (studied.get(key)?.state !== state) studied.set(key, { state, record: null, asked: null });
    this.#kept = studied.get(key);
  }

  // cut measures only a part, {from, to} in seconds; without them all.
  cut(part) {
    this.part = part;
    this.forget();
  }

  // against gives angles against quiet standing, or as they are.
  against(neutral) {
    this.neutral = neutral;
    this.forget();
  }

  // overview is what the recording shows, null before it is known.
  /** @returns {Overview | null} */
  get overview() {
    return this.#kept.record?.overview ?? null;
  }

  // facing is from where the recording is seen, null where that is not known.
  /** @returns {Facing | null} */
  get facing() {
    return this.overview?.facing ?? null;
  }

  get shownSides() {
    return this.side === 'both' ? ['left', 'right'] : [this.side];
  }

  // study asks for the overview, also of a server that is away for a while. It throws what went wrong.
  async study() {
    await this.#read();
    this.dispatchEvent(new Event('results'));
  }

  async #read() {
    const kept = this.#kept;
    if (kept.record) return;
    kept.asked ??= this.#api
      .patiently(() => this.#study())
      .catch((e) => {
        kept.asked = null;
        throw e;
      });
    kept.record = await kept.asked;
    said(kept.record.overview);
  }

  // study finds the newest study that still holds, or has one made.
  async #study() {
    const { id, person } = this.recording,
      part = text(this.part);
    const { data } = await this.#api.get(`analyses/?keypointId=${id}&execStatus=SUCCESS&size=6`);
    for (const { id: made } of data) {
      const r = await this.#api.get(`analyses/${made}/`).catch(() => null); // deleted meanwhile
      if (r?.outdated) break; // and so are those before
      if (
        r?.overview &&
        Boolean(r.neutral) === this.neutral &&
        (r.person ?? 0) === (person || 0) &&
        text({ from: r.from, to: r.to }) === part
      )
        return r;
    }
    const made = await this.#api.post('analyses/', {
      keypointId: id,
      ...(person ? { person } : {}),
      ...this.part,
      overview: true,
      ...(this.neutral ? { neutral: 'auto' } : {}),
    });
    return this.#api.finished(`analyses/${made.id}/`);
  }

  // early takes an overview of what has been found so far.
  early(overview) {
    this.#kept = { record: { overview: said(overview) } };
  }

  // choose shows these choices.
  choose(chosen, side = this.side) {
    this.chosen = chosen;
    this.side = side;
    this.dispatchEvent(new Event('results'));
  }

  // usual are the choices to begin with, in the order in which they are offered.
  usual() {
    const { show } = this.overview ?? { show: ['kneeFlexion', 'hipFlexion'] };
    return Object.keys(angles).filter((name) => show.includes(angles[name].type));
  }

  // report returns the id of the analysis that a report or a table is made of.
  async report() {
    await this.#read();
    return this.#kept.record.id;
  }

  // of are the measures of a choice. What the view withholds and depth lets estimate is the estimate.
  /** @param {string} name @returns {Measure[]} */
  #of(name) {
    const { measures = [], estimates = [] } = this.overview ?? {};
    return measures
      .filter((m) => m.analysisType === angles[name]?.type)
      .map((m) => (m.trust === 'withheld' && estimates.find((e) => e.analysisType === m.analysisType && e.side === m.side)) || m);
  }

  // results are the measures of a choice in the order left, right; an empty list before they are known.
  /** @param {string} name @returns {Measure[]} */
  results(name) {
    const list = this.#of(name);
    return angles[name]?.sides ? list.filter((m) => this.shownSides.includes(m.side ?? '')) : list;
  }

  // withheld is the first measure of a choice if no side of it can be told, with the reasons.
  /** @param {string} name @returns {Measure | null} */
  withheld(name) {
    const list = this.#of(name);
    return list.length && list.every((m) => m.trust === 'withheld') ? list[0] : null;
  }

  // lead is the measure to read first, null if there is none.
  /** @returns {Measure | null} */
  get lead() {
    const { lead = null, measures = [] } = this.overview ?? {};
    return measures.find((m) => m.analysisType === lead?.analysisType && m.side === lead?.side) ?? null;
  }
}
