// Lengths of time.

// seconds shortens the API's HH:MM:SS to M:SS.
export function seconds(clock) {
  const [hours, minutes, rest] = clock.split(':').map(Number);
  return `${hours * 60 + minutes}:${String(rest).padStart(2, '0')}`;
}
