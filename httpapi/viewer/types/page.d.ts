// What the compiler cannot know of the page's elements and events.

// Elements are of HTML or SVG. A selector does not tell of which kind, nor that the page has just made it.
interface Element {
  readonly dataset: DOMStringMap;
  focus(options?: FocusOptions): void;
  readonly style: CSSStyleDeclaration;
}
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Document {
  getElementById(id: string): any;
}

// Events come from elements. Those of the page's own carry a detail.
interface EventTarget {
  closest(selectors: string): any;
  matches(selectors: string): boolean;
}
interface Event {
  readonly detail: any;
}

// What the modules hand to one another, of what the service answers as far as they read it.

type Place = [number, number]; // in pixels
type Frame = { [part: string]: Place };
type Value = number | null;
interface Warning {
  code: string;
  from: number;
  to: number;
  of?: string;
  parts?: string[];
}
/** From where the person is seen: 0 from the front, 90 from either side, 180 from behind. */
interface Facing {
  view: number;
  direction?: 'front' | 'side' | 'back' | 'oblique';
}
interface Quality {
  verdict: 'good' | 'usable' | 'poor';
  view?: Value[];
  warnings?: Warning[];
}
interface Media {
  name?: string;
  width: number;
  height: number;
  fps?: number;
  time?: string;
  createdAt?: string;
}
interface Edit {
  frame: number;
  part: string;
  point?: Place;
  undo?: boolean;
  updatedAt?: string;
}

/** What is drawn by hand. n is how many points it is to have, of one that was drawn now. */
interface Sketched {
  frame: number;
  last?: number;
  points: Place[];
  text?: string;
  color?: string;
  n?: number;
}

/** A keypoint record with its media, as the views hold it. */
interface Recording {
  id: number;
  createdAt: string;
  recordedAt?: string;
  newer?: { id: number; createdAt: string };
  updatedAt: string;
  movie?: number;
  image?: number;
  media: Media;
  quality?: Quality;
  frames: Frame[];
  times: number[];
  scores?: { [part: string]: number }[];
  hidden?: string[][];
  span: [first: number, last: number];
  person: number;
  subjectId?: number;
  people?: any[];
  candidates?: any[];
  changes?: { [part: string]: string[] }[];
  edits?: Edit[];
  sketches?: Sketched[];
  outdated?: boolean;
  clean?: any;
  capture?: { frameRate: number };
  world?: { metresPerPixel?: number };
  floor?: 'auto' | Place[];
  mirrored?: boolean;
  keypointIds?: number[];
  cameras?: { keypointId: number; offset: number; focal: number; rotation: number[] | number[][]; translation: number[] }[];
  space?: { unit: 'm' | 'torso'; residual: number; angle: number };
  scale?: { bodyHeight?: number; length?: number; from: Place; to: Place };
}

/** What a recording shows, of what the service answers. */
interface Overview {
  facing?: Facing;
  movement: string;
  verdict: 'good' | 'usable' | 'poor' | 'nobody';
  lead: { analysisType: string; side?: string } | null;
  measures: Measure[];
  estimates?: Measure[];
  summary: { title: Text2; tempo?: Text2; limit?: Text2; do?: Text2; tells?: Text2[]; hides?: Text2[] };
  show: string[];
  ways?: string[];
  repetitions: { count: number; complete: number; list: Repetition[]; [name: string]: any } | null;
  gait: any;
  jumps: any[] | null;
  standing: { from: number; to: number } | null;
  notes: Warning[];
}
interface Measure {
  analysisType: string;
  side?: 'left' | 'right';
  name: string;
  unit: string;
  trust: 'good' | 'care' | 'withheld';
  why: string[];
  estimated?: boolean;
  constant?: number;
  values: Value[];
  uncertainty: Value[];
  min: Value;
  max: Value;
  range: Value;
  peak: { time: number; frame: number; value: number; uncertainty: number } | null;
}
interface Moment {
  frame: number;
  time: number;
  value: number;
}
interface Repetition {
  start: Moment;
  turn: Moment;
  end: Moment;
  out: number;
  hold: number;
  back: number;
  timeUncertainty?: number;
  depth: number;
  complete: boolean;
  shallow: boolean;
  at: { analysisType: string; side?: string; value: number; uncertainty: number; trust: string }[];
}

/** An exercise as the service defines it, one of its targets, and what became of them. */
interface Text2 {
  en: string;
  ja: string;
}
interface Target {
  measure: string;
  side?: string;
  at?: string;
  min?: number;
  max?: number;
  tolerance?: number;
}
interface Exercise {
  name: string;
  title?: Text2;
  movement?: string;
  lead?: { analysisType: string; side?: string };
  phases?: string[];
  counts?: string;
  view?: string;
  targets: Target[];
  test?: string;
  norms?: { sex: string; ageFrom: number; ageTo: number; min: number; max: number; source: string }[];
  sources?: string[];
}
interface Verdict {
  target: number;
  side?: string;
  outcome: 'met' | 'missed' | 'near' | 'withheld';
  unit: string;
  value?: Value;
  uncertainty?: Value;
  by?: Value;
  estimated?: boolean;
  frame?: number;
  time?: number;
  why?: string[];
}
interface TestNumber {
  name: string;
  side?: string;
  unit: string;
  value: Value;
  uncertainty: Value;
  atLeast?: boolean;
  from: number;
  to: number;
  why?: Text2;
}
interface KeptExercise {
  id: number;
  exercise: Exercise;
  subjectId?: number;
}
interface ExerciseResult {
  exercise: Exercise;
  headline: Text2;
  detail?: Text2;
  advice?: Text2;
  numbers?: TestNumber[];
  repetitions: {
    start: Moment;
    turn: Moment;
    end: Moment;
    counted?: boolean;
    complete: boolean;
    shallow: boolean;
    out: number;
    hold: number;
    back: number;
    timeUncertainty?: number;
    outcome: string;
    targets: Verdict[];
    sentence: Text2;
  }[];
}

/** What a tool on the picture may do; quiet ones need the picture for themselves. */
interface Tool {
  quiet?: boolean;
  enter?(key?: string): void;
  leave?(): void;
  panel?(): HTMLElement;
  key?(event: KeyboardEvent): boolean;
  down?(at: Place, event: PointerEvent): void;
  move?(at: Place, event: PointerEvent): void;
  up?(at: Place, event: PointerEvent): void;
  hover?(at: Place, event: PointerEvent): void;
}
