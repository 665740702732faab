/**
 * extract finds the keypoints of one person in a movie, MP4 or MOV, in this tab, and returns them as JSON for Motion.read. It needs a
 * browser with WebCodecs, and the files beside worker.js, 26 MB for the setting fast and 12 more for balanced. Movies take their turn.
 */
export function extract(file: Blob, options?: ExtractOptions): Promise<string>;

export interface ExtractOptions {
  /** fast, the default, is quicker; balanced is more accurate. */
  setting?: 'fast' | 'balanced';
  /** Looks per second; 0, the default: at every frame. */
  rate?: number;
  /** Called with each frame as soon as its keypoints are known. */
  found?: (frame: Found) => void;
  /** Ends the search. */
  signal?: AbortSignal;
  /** The address of extract/worker.js, where it does not lie beside extract.js. */
  source?: string | URL;
}

export interface Found {
  frame: number;
  /** How many frames the movie has. */
  of: number;
  /** Size of the upright picture in pixels. */
  width: number;
  height: number;
  keypoint: { [part: string]: [x: number, y: number] };
  /** The frame itself, some times a second, as it lies in the file; turn says where its axes point in the upright picture. */
  picture?: ImageBitmap;
  turn: { a: number; b: number; c: number; d: number };
}
