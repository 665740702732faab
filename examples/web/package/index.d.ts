/** load starts the analysis, once. source is the module motion.wasm.gz, packed or not, where it does not lie beside index.js. */
export function load(source?: BufferSource): Promise<Motion>;

export interface Motion {
  /** read reads keypoints as other programs write them. A Recording takes memory until it is freed or forgotten. */
  read(data: string | ArrayBuffer | Uint8Array, options?: ReadOptions): Recording;
  /** clean returns the recording cleaned anew from the keypoints as they were read; true, the default, takes all steps. */
  clean(recording: Recording, options?: boolean | CleanOptions): Recording;
  /** judge says what the keypoints are good for. */
  judge(recording: Recording): Quality;
  /** analyse answers what POST /analyses/ of the service does, without keypointId and person. */
  analyse(recording: Recording, request: Request): Analysis;
  /** study says what the recording shows: every measure with its trust, repetitions, gait or jumps. */
  study(recording: Recording, part?: Part): Study;
  /** compare says how far the target is from the source. */
  compare(source: Recording, target: Recording, options?: CompareOptions): Comparison;
  /** report returns an HTML page that needs nothing else and prints on A4. */
  report(recording: Recording, options?: ReportOptions): string;
}

export interface Recording {
  readonly handle: number;
  /** free gives the memory back. */
  free(): void;
  toJSON(): { sequence: Sequence; quality: Quality; changes: { [part: string]: string[] }[] };
}

/** Every mistake is a MotionError; places are those that it names in what was passed. */
export class MotionError extends Error {
  constructor(message: string, places: Place[]);
  readonly places: Place[];
}
export interface Place {
  pointer: string;
  detail: string;
}

export interface ReadOptions {
  /** Left out, the beginning of the data shows it. */
  format?: 'json' | 'csv' | 'jsonl' | 'coco' | 'openpose' | 'mediapipe' | 'trc';
  /** Frames per second, of data without times. */
  rate?: number;
  /** Width and height of the picture in pixels, of data without. */
  size?: [width: number, height: number];
  /** Of the person, in metres, for lengths in metres. */
  bodyHeight?: number;
  /** The picture was mirrored, as selfie cameras do. */
  mirrored?: boolean;
}

export interface CleanOptions {
  swaps?: boolean;
  coincident?: boolean;
  outliers?: boolean | { window?: number; threshold?: number };
  /** Seconds of the longest gap to fill. */
  gaps?: boolean | number | { max?: number; method?: 'pchip' | 'linear' };
  smooth?: boolean | { method?: string; order?: number; cutoff?: number; beta?: number; window?: number };
}

export interface Part {
  /** Seconds. */
  from?: number;
  to?: number;
  /** Angles against quiet standing. */
  neutral?: 'auto' | { from: number; to: number };
}

export interface Request extends Part {
  rule?: Rule | Rule[];
  gait?: boolean | { [option: string]: unknown };
  jump?: boolean;
  overview?: boolean;
  /** The name of a shipped exercise, or a definition. */
  exercise?: string | object;
}

/** A rule of analysis, as the API documents it. */
export interface Rule {
  analysisType: string;
  side?: 'left' | 'right';
  points?: unknown[];
  repetitions?: boolean | object;
  [member: string]: unknown;
}

export interface CompareOptions {
  alignment?: 'linear' | 'dtw' | 'offset';
  mirror?: boolean;
  angles?: boolean;
  score?: boolean;
  repetitions?: Rule;
}

export interface ReportOptions {
  title?: string;
  text?: string;
  language?: 'en' | 'ja';
  /** When the report was made: RFC 3339. */
  made?: string;
}

/** Absent values are null. */
export type Value = number | null;
export type Trust = 'good' | 'care' | 'withheld';
export type Verdict = 'good' | 'usable' | 'poor' | 'nobody';
export interface Warning {
  code: string;
  detail: string;
  from: number;
  to: number;
  parts: string[];
}
export interface Quality {
  verdict: Verdict;
  warnings: Warning[];
  view: Value[];
}

export interface Sequence {
  keypoint: { [part: string]: [x: number, y: number] }[];
  scores: { [part: string]: number }[];
  timestamps?: number[];
  width?: number;
  height?: number;
  [member: string]: unknown;
}

export interface Analysis {
  result: Result[] | null;
  gait?: object;
  jumps?: object[];
  overview?: Study;
  neutral?: { from: number; to: number };
  warnings?: { code: string; detail: string }[];
  exercise?: object;
}
export interface Result {
  analysisType?: string;
  name: string;
  side?: 'left' | 'right';
  unit: string;
  values: Value[];
  uncertainty?: Value[];
  [member: string]: unknown;
}

export interface Words {
  en: string;
  ja: string;
}

/** From where the person is seen, in degrees: 0 from the front, 90 from either side, 180 from behind. */
export interface Facing {
  view: number;
  direction: 'front' | 'side' | 'back' | 'oblique';
}

export interface Study {
  movement: 'squat' | 'sitToStand' | 'lunge' | 'hinge' | 'pushUp' | 'curl' | 'raise' | 'jump' | 'walking' | 'running' | 'still' | 'other';
  verdict: Verdict;
  /** Absent if that is not known, or in space. */
  facing?: Facing;
  lead: { analysisType: string; side?: 'left' | 'right' } | null;
  measures: Measure[];
  estimates?: Measure[];
  repetitions: { count: number; complete: number; list: Repetition[]; [member: string]: unknown } | null;
  gait: object | null;
  jumps: object[] | null;
  standing: { from: number; to: number } | null;
  notes: Warning[];
  /** What to tell first, in words. */
  summary: { title: Words; tempo?: Words; limit?: Words; do?: Words; tells?: Words[]; hides?: Words[] };
  /** The measures to show first. */
  show: string[];
  /** What the ways of a repetition are, such as down and up. */
  ways?: string[];
}
export interface Measure {
  analysisType: string;
  side?: 'left' | 'right';
  name: string;
  unit: string;
  trust: Trust;
  why: string[];
  values: Value[];
  uncertainty: Value[];
  min: Value;
  max: Value;
  range: Value;
  rangeUncertainty: Value;
  /** Degrees that all values may be off by alike, besides their uncertainty. */
  constant?: number;
  /** Withheld measures that depth lets estimate. */
  estimated?: boolean;
  peak: { frame: number; time: number; value: number; uncertainty: number } | null;
}
export interface Moment {
  frame: number;
  time: number;
  value: number;
}
export interface Repetition {
  start: Moment;
  turn: Moment;
  end: Moment;
  depth: number;
  out: number;
  hold: number;
  back: number;
  complete: boolean;
  shallow: boolean;
  [member: string]: unknown;
}

export interface Comparison {
  difference: object[];
  score?: { overall: number; [member: string]: unknown } | null;
  angles?: object[];
  largest?: object[];
  /** The difference to read first, in words. */
  answer?: { angle: string; repetition?: number; frame: number; title: Record<string, string>; text: Record<string, string> } | null;
  repetitions?: object[];
  warnings?: object[];
  shift?: Value[];
  /** Pairs of frames, of alignment dtw. */
  path?: [source: number, target: number][];
}
