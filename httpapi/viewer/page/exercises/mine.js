// @ts-check
// The exercises that the user has changed. They are kept in this browser, and go to and come from files.

const key = 'exercises';

// mine are the kept exercises, the first kept first.
/** @returns {Exercise[]} */
export function mine() {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]');
  } catch {
    return [];
  }
}

// keep keeps an exercise, instead of the one of its name.
/** @param {Exercise} exercise */
export function keep(exercise) {
  const all = mine(),
    at = all.findIndex((e) => e.name === exercise.name);
  all.splice(at < 0 ? all.length : at, at < 0 ? 0 : 1, exercise);
  localStorage.setItem(key, JSON.stringify(all));
}

// drop forgets an exercise.
/** @param {string} name */
export const drop = (name) => localStorage.setItem(key, JSON.stringify(mine().filter((e) => e.name !== name)));
