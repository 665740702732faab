// Repetitions in a series of values, found as the library's analyze.Cycles does: the API
// has the values, the page counts.

const least = 0.3; // seconds

// spread is a third of the way from the 5th to the 95th percentile.
function spread(x) {
  const s = [...x].sort((a, b) => a - b);
  const at = (p) => {
    const i = p * (s.length - 1), k = Math.floor(i);
    return s[k] + (i - k) * ((s[k + 1] ?? s[k]) - s[k]);
  };
  return (at(0.95) - at(0.05)) / 3;
}

// zigzag returns the alternating tops and bottoms of x that differ by the prominence.
function zigzag(x, prominence) {
  const turns = [];
  let low = 0, high = 0, rising = 0;
  x.forEach((v, i) => {
    if (v < x[low]) low = i;
    if (v > x[high]) high = i;
    if (rising <= 0 && v >= x[low] + prominence && (rising < 0 || low < i)) {
      if (rising === 0 && high < low) turns.push(high);
      turns.push(low);
      rising = 1;
      high = i;
    } else if (rising >= 0 && v <= x[high] - prominence && (rising > 0 || high < i)) {
      if (rising === 0 && low < high) turns.push(low);
      turns.push(high);
      rising = -1;
      low = i;
    }
  });
  if (rising !== 0) turns.push(rising > 0 ? high : low);
  return turns;
}

// cycles returns the repetitions {start, turn, end, from, at, to, seconds}: frames, values,
// duration. prominence is how far values must go and come back; 0 finds it. Upwards counts
// what rises and falls instead of what falls and rises. No repetition reaches across
// personChanges, the frames from which the values are those of somebody else.
export function cycles(times, values, { upwards = false, prominence = 0, personChanges = [] } = {}) {
  const ends = [...personChanges, values.length];
  return ends.flatMap((end, k) => person(times, values, ends[k - 1] ?? 0, end, upwards, prominence));
}

// person returns the repetitions in the values from first to before end.
function person(times, values, first, end, upwards, prominence) {
  const frames = [], x = [];
  values.forEach((v, i) => { if (v !== null && i >= first && i < end) { frames.push(i); x.push(upwards ? -v : v); } });
  if (x.length < 3) return [];
  const by = prominence || spread(x);
  if (!(by > 0)) return [];
  const turns = zigzag(x, by), found = [];
  for (let k = 1; k + 1 < turns.length; k++) {
    if (x[turns[k]] >= x[turns[k - 1]]) continue;
    const [start, turn, stop] = [frames[turns[k - 1]], frames[turns[k]], frames[turns[k + 1]]];
    const seconds = times[stop] - times[start];
    if (seconds >= least) found.push({ start, turn, end: stop, from: values[start], at: values[turn], to: values[stop], seconds });
  }
  return found;
}
