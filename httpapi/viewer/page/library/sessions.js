// @ts-check
// Recordings as sessions: by the day on which they were filmed, each once.
import { date, t } from '../base/i18n.js';

// filmed is when a recording was filmed; where nobody and no file says it, when it was added.
/** @param {{recordedAt?: string, createdAt: string}} record */
export const filmed = (record) => record.recordedAt ?? record.createdAt;

// onDay is the change of a recording to the day of filming "2026-11-22", without one none. It keeps its time of the day.
/** @param {{recordedAt?: string, createdAt: string}} record @param {string} day */
export function onDay(record, day) {
  const at = new Date(filmed(record)),
    [year, month, date] = day.split('-').map(Number);
  at.setFullYear(year, month - 1, date);
  return day ? { recordedAt: at.toISOString() } : {};
}

// filmedOn says the day in words, and that it is only the one of adding.
/** @param {{recordedAt?: string, createdAt: string}} record */
export const filmedOn = (record) => (record.recordedAt ? date(record.recordedAt) : t('about.added', { day: date(record.createdAt) }));

// sessionsOf are the newest records of the movies and images of a list, the last filmed first. Movies that a record in
// space was made of are no sessions of their own.
/** @param {any} library @param {any[]} records */
export function sessionsOf(library, records) {
  const parts = new Set(records.flatMap((r) => r.keypointIds ?? [])),
    seen = new Set();
  const within = new Set(records.filter((r) => parts.has(r.id)).map((r) => library.path(r)));
  return records
    .filter((r) => (r.keypointIds || !within.has(library.path(r))) && !seen.has(library.path(r)) && seen.add(library.path(r)))
    .sort((a, b) => Date.parse(filmed(b)) - Date.parse(filmed(a)) || b.id - a.id);
}
