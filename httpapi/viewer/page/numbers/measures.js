// @ts-check
// What is measured in a recording: the angles that are chosen, computed by the service, with their repetitions.

// angles are what can be chosen: the analysis types of each choice, with whether they have sides, and
// the parts at whose joint the value stands in the picture.
/** @type {{[name: string]: {type: string, joint: string[], sides?: boolean, feet?: boolean, more?: boolean}}} */
export const angles = {
  knee: { type: 'kneeFlexion', sides: true, joint: ['Hip', 'Knee', 'Ankle'] },
  hip: { type: 'hipFlexion', sides: true, joint: ['Shoulder', 'Hip', 'Knee'] },
  ankle: { type: 'ankleDorsiflexion', sides: true, joint: ['Knee', 'Ankle', 'BigToe'], feet: true },
  elbow: { type: 'elbowFlexion', sides: true, joint: ['Shoulder', 'Elbow', 'Wrist'] },
  shoulder: { type: 'shoulderFlexion', sides: true, joint: ['Hip', 'Shoulder', 'Elbow'] },
  trunk: { type: 'trunkLean', joint: ['Shoulder'] },
  abduction: { type: 'shoulderAbduction', sides: true, joint: ['Hip', 'Shoulder', 'Elbow'], more: true },
  pelvis: { type: 'pelvicTilt', joint: ['Hip'], more: true },
  neck: { type: 'neckFlexion', joint: ['Ear'], more: true },
};

// rulesOf are the rules of some choices, of both sides or one; with what else is asked of them, for a movie what
// its values do over time.
/** @param {string[]} chosen @param {string[]} sides @param {{statistics?: boolean, repetitions?: boolean}} more
 * @returns {{analysisType: string, side?: string, statistics?: boolean, repetitions?: boolean}[]} */
export function rulesOf(chosen, sides = ['left', 'right'], more = { statistics: true, repetitions: true }) {
  return chosen.flatMap((name) => {
    const { type: analysisType, sides: has } = angles[name];
    const rule = { analysisType, ...more };
    return has ? sides.map((side) => ({ ...rule, side })) : [rule];
  });
}

// height is how high the hips are above the feet: what moves in a squat that is seen from the front, where no angle
// of the legs can be told.
const middle = (part) => ({ pointType: 'midpoint', pointName: [`left${part}`, `right${part}`] });
const height = { analysisType: 'verticalDifference', points: [middle('Hip'), middle('Ankle')] };

// computed keeps the results of the recordings that were shown, so that they are not computed again.
const computed = new Map();

// text is the same for values whose members have another order.
const text = (value) => JSON.stringify(value, (_, v) => (v?.constructor === Object ? Object.fromEntries(Object.entries(v).sort()) : v));

const median = (list = []) => {
  const known = list.filter((v) => v !== null).sort((a, b) => a - b);
  return known[known.length >> 1];
};

// viewOf is where the camera stood: 0 in front of the person, 90 degrees beside; null where that is mostly not known.
/** @param {Quality} [quality] @returns {number | null} */
export function viewOf(quality) {
  const { view = [] } = quality ?? {};
  return view.filter((v) => v !== null).length * 2 >= view.length ? median(view) ?? null : null;
}

export class Measures extends EventTarget {
  #api;
  #kept; // what is known of the recording as it is now, and of the part of it
  #asked = new Map(); // promises by the name of the choice
  /** @type {string[]} */
  chosen = [];
  side = 'both';
  part = {}; // {from, to} in seconds where only a part is measured

  /** @param {import('../base/api.js').API} api @param {Recording} recording */
  constructor(api, recording) {
    super();
    this.#api = api;
    this.recording = recording;
    this.#recall();
  }

  get #movie() { return Boolean(this.recording.movie); }

  get #known() { return this.#kept.results; }

  // front is whether the camera sees the person from the front or from behind.
  get #front() {
    const view = viewOf(this.recording.quality);
    return view !== null && (view < 35 || view > 145);
  }

  // recall finds what is computed already of the recording as it is now.
  #recall() {
    const { id, person, updatedAt, edits } = this.recording;
    const key = text([id, person ?? 0, this.part]), state = text([updatedAt, edits]);
    if (computed.get(key)?.state !== state) computed.set(key, { state, results: new Map(), movement: undefined, before: undefined });
    this.#kept = computed.get(key);
    this.#asked.clear();
  }

  // cut measures only a part, {from, to} in seconds; without them all.
  cut(part) {
    this.part = part;
    this.#recall();
  }

  get shownSides() { return this.side === 'both' ? ['left', 'right'] : [this.side]; }

  // choose shows these choices; what is not known yet is computed. It throws what went wrong.
  async choose(chosen, side = this.side) {
    this.chosen = chosen;
    this.side = side;
    const known = this.#known;
    const missing = (names) => names.filter((name) => !known.has(name) && !this.#asked.has(name));
    const ask = (names, job) => {
      if (!names.length) return;
      const work = job(names).finally(() => names.forEach((name) => { if (this.#asked.get(name) === work) this.#asked.delete(name); }));
      names.forEach((name) => this.#asked.set(name, work));
    };
    ask(missing(chosen), async (names) => {
      const results = await this.#results(rulesOf(names, undefined, this.#movie ? undefined : {}));
      for (const name of names) known.set(name, results.filter((r) => r.analysisType === angles[name].type));
    });
    if (this.#movie && this.#front) ask(missing(['hips']), async () => { known.set('hips', await this.#hips()); });
    this.dispatchEvent(new Event('results'));
    const waits = [...chosen, 'hips'].map((name) => this.#asked.get(name)).filter(Boolean);
    if (!waits.length) return;
    await Promise.all(waits);
    this.dispatchEvent(new Event('results'));
  }

  // hips counts by the height of the hips. It falls by less than a fifth where the knees bend by a third, which is
  // what counts as a repetition of angles.
  async #hips() {
    const [{ statistics }] = await this.#results([{ ...height, statistics: true }]);
    if (!statistics?.range) return [];
    this.#kept.height = { ...height, statistics: true, repetitions: { prominence: Math.round(20 * statistics.range) / 100 } };
    return this.#results([this.#kept.height]);
  }

  // before returns the analyses of the recording that were made before and still hold, the newest first.
  async *#before() {
    const { id, person } = this.recording, kept = this.#kept, part = text(this.part);
    kept.before ??= this.#api.get(`analyses/?keypointId=${id}&execStatus=SUCCESS&size=6`).then(({ data }) => data.map((a) => ({ id: a.id })));
    for (const one of await kept.before) {
      one.record ??= this.#api.get(`analyses/${one.id}/`).catch(() => null); // deleted meanwhile
      const r = await one.record;
      if (r?.outdated) return; // and so are those before
      if (r && (r.person ?? 0) === (person || 0) && text({ from: r.from, to: r.to }) === part) yield r;
    }
  }

  // results are those of rules, which may have been computed before.
  async #results(rules) {
    const found = new Map(), all = () => rules.every((rule) => found.has(text(rule)));
    for await (const { rule, result } of this.#before()) {
      rule?.forEach((one, i) => found.set(text(one), result[i]));
      if (all()) break;
    }
    if (all()) return rules.map((rule) => found.get(text(rule)));
    return (await this.#run({ rule: rules })).result;
  }

  // run makes an analysis of the recording and returns its record.
  async #run(body) {
    const { id, person } = this.recording;
    const made = await this.#api.post('analyses/', { keypointId: id, ...(person ? { person } : {}), ...this.part, ...body });
    return this.#api.finished(`analyses/${made.id}/`);
  }

  // movement returns {gait, jumps}, null where they do not apply.
  movement() {
    const kept = this.#kept;
    kept.movement ??= this.#moves().catch((e) => { kept.movement = undefined; throw e; });
    return kept.movement;
  }

  async #moves() {
    for await (const record of this.#before()) if ('gait' in record && 'jumps' in record) return record;
    return this.#run({ gait: true, jump: true });
  }

  // report returns the id of the analysis that a report or a table is made of. Its repetitions are counted as here. What
  // counts them comes first.
  async report() {
    const by = this.repetitions()?.name, chosen = this.chosen.length ? [...this.chosen].sort((a, b) => Number(b === by) - Number(a === by)) : ['knee'];
    const { gait, jumps } = this.#movie ? await this.movement().catch(() => ({})) : {};
    const body = { rule: [...(by === 'hips' ? [this.#kept.height] : []), ...rulesOf(chosen, this.shownSides, this.#movie ? undefined : {})], ...(gait ? { gait: true } : {}), ...(jumps?.length ? { jump: true } : {}) };
    for await (const { id, rule, ...r } of this.#before()) {
      if (text(rule) === text(body.rule) && 'gait' in r === 'gait' in body && 'jumps' in r === 'jump' in body) return id;
    }
    return (await this.#run(body)).id;
  }

  // forget drops what is computed, after the keypoints have changed.
  forget() { this.#recall(); }

  // results are the results of a choice in the order left, right; an empty list before they are known.
  /** @param {string} name @returns {Result[]} */
  results(name) {
    const list = this.#known.get(name) ?? [];
    return angles[name]?.sides ? list.filter((r) => this.shownSides.includes(r.side)) : list;
  }

  // waits reports whether a choice is being computed.
  waits(name) { return this.#asked.has(name); }

  // repetitions are those of what moves most, measured by how sure it is: of the chosen angles or, where the camera
  // sees the person from the front, of the height of the hips. They have the name of the choice, its result and its rule.
  repetitions() {
    const best = [...this.chosen, 'hips'].flatMap((name) => this.results(name).map((result) => ({ name, result })))
      .filter(({ result: r }) => r.repetitions?.count)
      .map((b) => ({ ...b, clear: (b.result.repetitions.depth.mean ?? 0) / (median(b.result.uncertainty) || Infinity) }))
      .filter(({ name, clear }) => name !== 'hips' || clear > 3)
      .sort((a, b) => b.clear - a.clear);
    if (!best.length) return null;
    const [{ name, result }] = best, { analysisType, side } = result;
    return { name, result, rule: name === 'hips' ? height : { analysisType, ...(side ? { side } : {}) }, ...result.repetitions };
  }
}
