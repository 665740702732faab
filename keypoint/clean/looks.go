package clean

import "github.com/bodymotion/motion/keypoint"

// fillBetween returns the cleaned looks of a sequence with the frames between them filled, and the report of all frames.
func fillBetween(seq, looks keypoint.Sequence, of Report) (keypoint.Sequence, Report) {
	out := seq.Clone()
	clear(out.Frames)
	report := Report{Changes: make([][keypoint.NumParts]Change, seq.Len()), Cutoff: of.Cutoff}
	for k, i := range seq.Looks {
		out.Frames[i], report.Changes[i] = looks.Frames[k], of.Changes[k]
	}
	for _, skip := range of.Skips {
		skip.First, skip.Last = seq.Looks[skip.First], seq.Looks[skip.Last]
		report.Skips = append(report.Skips, skip)
	}
	for _, person := range looks.People() {
		frames := seq.Looks[person.First : person.Last+1]
		t := newTrack(looks.Slice(person.First, person.Last), nil)
		for p := range keypoint.Part(keypoint.NumParts) {
			t.load(looks.Frames[person.First:person.Last+1], p)
			t.runs(func(first, end int) { t.fillRun(out, report, frames, first, end) })
		}
	}
	return out, report
}

// fillRun fills the frames between the looks first to end of a run. frames are the frames of all looks.
func (t *track) fillRun(out keypoint.Sequence, report Report, frames []int, first, end int) {
	if end-first < 2 {
		return
	}
	x := spline(t.times[first:end], t.axis[0][first:end])
	y := spline(t.times[first:end], t.axis[1][first:end])
	for k := first + 1; k < end; k++ {
		before, after := frames[k-1], frames[k]
		// What smoothing did, and what cannot be told, holds for the points between too.
		change := Filled | report.Changes[before][t.part]&report.Changes[after][t.part]&(Smoothed|Ambiguous)
		for i := before + 1; i < after; i++ {
			at := out.Times[i]
			out.Frames[i].Set(t.part, keypoint.Point{x.Predict(at), y.Predict(at)}, min(t.weight[k-1], t.weight[k]))
			v, okV := out.Frames[before].Visibility(t.part)
			if w, okW := out.Frames[after].Visibility(t.part); okV && okW {
				out.Frames[i].SetVisibility(t.part, min(v, w))
			}
			report.Changes[i][t.part] = change
		}
	}
}
