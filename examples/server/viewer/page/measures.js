// What is measured in a recording: the angles that are chosen, computed by the service, with their repetitions.

// angles are what can be chosen: the analysis types of each choice, with whether they have sides, and
// the parts at whose joint the value stands in the picture.
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
export function rulesOf(chosen, sides = ['left', 'right'], more = { statistics: true, repetitions: true }) {
  return chosen.flatMap((name) => {
    const { type: analysisType, sides: has } = angles[name];
    const rule = { analysisType, ...more };
    return has ? sides.map((side) => ({ ...rule, side })) : [rule];
  });
}

// computed keeps the results of the recordings that were shown, so that they are not computed again.
const computed = new Map();

export class Measures extends EventTarget {
  #api;
  #known; // results by the name of the choice
  #asked = new Map(); // promises by the name of the choice
  chosen = [];
  side = 'both';

  // recording is {id, movie, person, updatedAt, edits}.
  constructor(api, recording) {
    super();
    this.#api = api;
    this.recording = recording;
    this.#recall();
  }

  get #movie() { return Boolean(this.recording.movie); }

  // recall finds what is computed already of the recording as it is now.
  #recall() {
    const { id, person, updatedAt, edits } = this.recording;
    const key = `${id} ${person ?? 0}`, state = `${updatedAt} ${JSON.stringify(edits ?? [])}`;
    if (computed.get(key)?.state !== state) computed.set(key, { state, results: new Map(), movement: undefined });
    this.#kept = computed.get(key);
    this.#known = this.#kept.results;
    this.#asked.clear();
  }

  #kept;

  get shownSides() { return this.side === 'both' ? ['left', 'right'] : [this.side]; }

  // choose shows these choices; what is not known yet is computed. It throws what went wrong.
  async choose(chosen, side = this.side) {
    this.chosen = chosen;
    this.side = side;
    const missing = chosen.filter((name) => !this.#known.has(name) && !this.#asked.has(name));
    if (missing.length) {
      const known = this.#known;
      const work = this.#run({ rule: rulesOf(missing, undefined, this.#movie ? undefined : {}) }).then((record) => {
        for (const name of missing) known.set(name, record.result.filter((r) => r.analysisType === angles[name].type));
      }).finally(() => missing.forEach((name) => { if (this.#asked.get(name) === work) this.#asked.delete(name); }));
      missing.forEach((name) => this.#asked.set(name, work));
    }
    this.dispatchEvent(new Event('results'));
    const waits = chosen.map((name) => this.#asked.get(name)).filter(Boolean);
    if (!waits.length) return;
    await Promise.all(waits);
    this.dispatchEvent(new Event('results'));
  }

  // run makes an analysis of the recording and returns its record.
  async #run(body) {
    const { id, person } = this.recording;
    const made = await this.#api.post('analyses/', { keypointId: id, ...(person ? { person } : {}), ...body });
    return this.#api.finished(`analyses/${made.id}/`);
  }

  // movement returns {gait, jumps}, null where they do not apply.
  movement() {
    const kept = this.#kept;
    kept.movement ??= this.#run({ gait: true, jump: true }).catch((e) => { kept.movement = undefined; throw e; });
    return kept.movement;
  }

  // report makes the analysis that a report or a table is made of, and returns its id.
  async report() {
    const chosen = this.chosen.length ? this.chosen : ['knee'];
    const { gait, jumps } = this.#movie ? await this.movement().catch(() => ({})) : {};
    const record = await this.#run({ rule: rulesOf(chosen, this.shownSides, this.#movie ? undefined : {}), ...(gait ? { gait: true } : {}), ...(jumps?.length ? { jump: true } : {}) });
    return record.id;
  }

  // forget drops what is computed, after the keypoints have changed.
  forget() { this.#recall(); }

  // results are the results of a choice in the order left, right; an empty list before they are known.
  results(name) {
    const list = this.#known.get(name) ?? [];
    return angles[name].sides ? list.filter((r) => this.shownSides.includes(r.side)) : list;
  }

  // waits reports whether a choice is being computed.
  waits(name) { return this.#asked.has(name); }

  // repetitions are those of the chosen angle that moves most: its name, its result, and what the result says of them.
  repetitions() {
    const best = this.chosen.flatMap((name) => this.results(name).map((r) => ({ name, r })))
      .filter(({ r }) => r.repetitions?.count)
      .sort((a, b) => (b.r.repetitions.depth.mean ?? 0) - (a.r.repetitions.depth.mean ?? 0));
    if (!best.length) return null;
    const [{ name }] = best;
    const ofName = best.filter((b) => b.name === name);
    const first = ofName[0].r;
    return { name, result: first, ...first.repetitions };
  }
}

