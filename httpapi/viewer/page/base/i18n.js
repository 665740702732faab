// @ts-check
// The words of the page, in the language that the user has chosen or the browser says. The service makes a module of the words of
// each language, the library's and the page's own; that of another language is loaded when it is chosen.
const own = 'Motion viewer',
  given = document.title; // by the host

/** @type {{[language: string]: () => Promise<{default: {[key: string]: string}}>}} */
const files = { en: () => import('./en.js'), ja: () => import('./ja.js') };
/** @type {{[language: string]: {[key: string]: string}}} */
const dictionaries = {};

// read loads the words of a language.
async function read(of) {
  dictionaries[of] ??= { ...(await files[of]()).default, ...(given === own ? {} : { title: given }) };
}

function first() {
  const kept = localStorage.getItem('language');
  if (kept && kept in files) return kept;
  return navigator.languages.some((l) => l.startsWith('ja')) && !navigator.language.startsWith('en') ? 'ja' : 'en';
}

/** @type {string} */
export let language = first();
await read(language);

// t returns the words of a key, {name} replaced by the arguments. What has no key is
// returned as it is: messages of the service are such.
/** @param {string} key @param {{[name: string]: any}} args @returns {string} */
export function t(key, args = {}) {
  const words = Object.hasOwn(dictionaries[language], key) ? dictionaries[language][key] : key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => apart((Object.hasOwn(args, name) ? args[name] : null) ?? whole));
}

// told is what the service says in English, in the language of the page: by the words that begin with a key.
/** @param {string} text @param {string} beginning @returns {Promise<string>} */
export async function told(text, beginning) {
  await read('en');
  for (const [key, words] of Object.entries(dictionaries.en)) {
    if (!key.startsWith(beginning)) continue;
    const pattern = words.replace(/[.()]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)'),
      found = text.match(new RegExp(`^${pattern}$`));
    if (found) return t(key, found.groups);
  }
  return text;
}

// plain takes away the characters that turn the direction of what stands behind them: a name that has them would be read as
// another one.
/** @param {string} text */
export const plain = (text) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

// apart keeps the numbers and marks beside a name that is written from right to left in their places.
const apart = (value) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(value) ? `\u2068${value}\u2069` : value);

// title is a text with a capital first letter.
/** @param {string} text */
export const title = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// say writes the words of a key into an element, and again when the language changes.
export function say(el, key, args) {
  el.dataset.t = key;
  if (args) el.dataset.tArgs = JSON.stringify(args);
  else delete el.dataset.tArgs;
  el.textContent = t(key, args);
}

// label does the same with the name for screen readers.
export function label(el, key, args) {
  el.dataset.tLabel = key;
  if (args) el.dataset.tLabelArgs = JSON.stringify(args);
  el.setAttribute('aria-label', t(key, args));
}

// speak writes all words of the page in a language.
export function speak(to = language) {
  language = to;
  document.documentElement.lang = to;
  document.title = t('title');
  const args = (text) => (text ? JSON.parse(text) : {});
  for (const el of document.querySelectorAll('[data-t]')) el.textContent = t(el.dataset.t, args(el.dataset.tArgs));
  for (const el of document.querySelectorAll('[data-t-label]')) {
    el.setAttribute('aria-label', t(el.dataset.tLabel, args(el.dataset.tLabelArgs)));
  }
}

// choose keeps the language that the user wants.
export async function choose(to) {
  await read(to);
  localStorage.setItem('language', to);
  speak(to);
  document.dispatchEvent(new Event('language'));
}

/** @type {() => string} */
const locale = () => navigator.languages.find((l) => l.startsWith(language)) ?? language;

// day names a day: today, yesterday, else its date.
export function day(time) {
  const d = new Date(time),
    days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(d).setHours(0, 0, 0, 0)) / 864e5);
  if (days === 0) return t('day.today');
  if (days === 1) return t('day.yesterday');
  return date(time);
}

// date is the date of a time, with the year if it is another one.
export function date(time) {
  const d = new Date(time);
  return d.toLocaleDateString(locale(), {
    day: 'numeric',
    month: 'short',
    ...(d.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' }),
  });
}

// hour is the time of the day.
export const hour = (time) => new Date(time).toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' });
