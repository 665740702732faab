// @ts-check
// What the device does beside filming: it speaks, and keeps its screen on.
import { language } from '../base/i18n.js';

// silent reports whether the browser has no voice.
export const silent = !globalThis.speechSynthesis;

// speak says words at once, instead of what is being said.
/** @param {string} words */
export function speak(words) {
  const voice = new SpeechSynthesisUtterance(words);
  voice.lang = language === 'ja' ? 'ja-JP' : 'en-GB';
  speechSynthesis.cancel();
  speechSynthesis.speak(voice);
}

// hush ends what is being said.
export const hush = () => globalThis.speechSynthesis?.cancel();

// Wake keeps the screen on: nobody touches it meanwhile.
export class Wake {
  /** @type {WakeLockSentinel | null | undefined} */
  #lock = null;

  async on() {
    this.#lock = await navigator.wakeLock?.request('screen').catch(() => null);
  }

  off() {
    this.#lock?.release().catch(() => {});
    this.#lock = null;
  }
}
