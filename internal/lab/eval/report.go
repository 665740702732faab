package main

import (
	"encoding/json"
	"io"

	"github.com/bodymotion/motion/internal/lab/eval/evalpose"
	"github.com/bodymotion/motion/keypoint"
)

// report is the output of -json. Missing values are null.
type report struct {
	Estimator       string        `json:"estimator"`
	PCKWithin       float64       `json:"pckWithin"`       // torso lengths
	AgreementWithin float64       `json:"agreementWithin"` // torso lengths
	Sets            []setReport   `json:"sets,omitempty"`  // the last is "all" where there are several
	PartErrors      []partReport  `json:"partErrors,omitempty"`
	Movies          []movieReport `json:"movies,omitempty"`
}

// setReport is the result for one file of labels.
type setReport struct {
	Name     string `json:"name"`
	Pictures int    `json:"pictures"`
	// AP to AR are of the pictures with a dominant person, 0 to 1.
	AP             *float64     `json:"ap"`
	AP50           *float64     `json:"ap50"`
	AP75           *float64     `json:"ap75"`
	AR             *float64     `json:"ar"`
	PCK            *float64     `json:"pck"`            // 0 to 1
	Error          *float64     `json:"medianError"`    // of all parts, torso lengths
	Missed         *shareReport `json:"missed"`         // pictures with a dominant person where nobody was found
	Chosen         *shareReport `json:"chosen"`         // pictures with several people where it was the dominant one
	FalsePositives *shareReport `json:"falsePositives"` // pictures with nobody where somebody was found
	FalseParts     int          `json:"falseParts"`     // found in them
	Milliseconds   *times       `json:"milliseconds"`
}

// partReport is the result for one part, over the pictures with a dominant person.
type partReport struct {
	Part   string   `json:"part"`
	Mean   *float64 `json:"mean"`   // torso lengths
	Median *float64 `json:"median"` // torso lengths
	Count  int      `json:"count"`  // labelled and found
}

// movieReport is the result for one movie. Without a reference, the measures that need one are null.
type movieReport struct {
	Name            string       `json:"name"`
	Frames          int          `json:"frames"`
	ReferenceFrames *shareReport `json:"referenceFrames"` // matched with a frame of the movie
	ReferenceJitter *float64     `json:"referenceJitter"` // torso lengths
	Milliseconds    *times       `json:"milliseconds"`
	Seconds         seconds      `json:"seconds"`
	Raw             stageReport  `json:"raw"`
	Cleaned         stageReport  `json:"cleaned"`
}

// stageReport is the result for a movie before or after cleaning.
type stageReport struct {
	Agreement       *float64     `json:"agreement"`      // 0 to 1
	CloseAgreement  *float64     `json:"closeAgreement"` // within half the distance
	Jitter          *float64     `json:"jitter"`         // torso lengths
	ExchangedPairs  *shareReport `json:"exchangedPairs"`
	ExchangedFrames *shareReport `json:"exchangedFrames"`
	Lost            *shareReport `json:"lost"`
	Invented        *shareReport `json:"invented"`
	// Those of rendered movies only.
	PeakAngles *float64      `json:"peakAngles,omitempty"` // root mean square error, degrees
	PeakSpeeds *float64      `json:"peakSpeeds,omitempty"` // root mean square error, torso lengths per second
	Angles     []angleReport `json:"angles,omitempty"`     // in the picture, both sides together
	Feet       *feetReport   `json:"feet,omitempty"`

	errors angleErrors
}

// angleReport is the result for the angle of a joint.
type angleReport struct {
	Name  string   `json:"name"`
	RMSE  *float64 `json:"rmse"` // degrees
	Bias  *float64 `json:"bias"` // mean error, degrees
	Count int      `json:"count"`
}

// feetReport is the result for heels and big toes.
type feetReport struct {
	Given  *shareReport `json:"given"`
	Median *float64     `json:"median"` // torso lengths
	Wrong  *shareReport `json:"wrong"`  // of those given, farther off than the distance of agreement

	errors evalpose.Values
}

// feetOf returns the result for heels and big toes, nil if the truth has none.
func feetOf(given *shareReport, errors evalpose.Values, within float64) *feetReport {
	if given == nil {
		return nil
	}
	wrong := &shareReport{Of: len(errors)}
	for _, e := range errors {
		if e > within {
			wrong.Count++
		}
	}
	return &feetReport{given, optional(errors.Median()), wrong, errors}
}

// angleErrors are the errors of angles and their peaks.
type angleErrors struct {
	angles                 map[string]evalpose.Values
	peakAngles, peakSpeeds evalpose.Values
}

// shareReport is a number of pictures or frames.
type shareReport struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// times are of one estimate, in milliseconds.
type times struct {
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
}

// seconds is the time of a whole extraction, decoding included.
type seconds struct {
	Wall float64 `json:"wall"`
	Core float64 `json:"core"` // summed over the processor cores; 0 if unknown
}

func optional(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

func shareOf(s evalpose.Share) *shareReport {
	if s.Of == 0 {
		return nil
	}
	return &shareReport{s.Count, s.Of}
}

func timesReport(v evalpose.Values) *times {
	mean, ok := v.Mean()
	median, _ := v.Median()
	if !ok {
		return nil
	}
	return &times{mean, median}
}

func (t *tally) report(name string) setReport {
	r := setReport{
		Name: name, Pictures: t.pictures,
		PCK:            optional(t.pck.Value()),
		Error:          optional(t.errors.All().Median()),
		Missed:         shareOf(t.missed),
		Chosen:         shareOf(t.chosen),
		FalsePositives: shareOf(t.false.Pictures),
		FalseParts:     t.false.Parts,
		Milliseconds:   timesReport(t.ms),
	}
	if p, ok := evalpose.AveragePrecision(t.judged, evalpose.AllSizes); ok {
		r.AP, r.AP50, r.AP75, r.AR = &p.AP, &p.AP50, &p.AP75, &p.AR
	}
	return r
}

func partReports(e evalpose.PartErrors) []partReport {
	var list []partReport
	add := func(name string, v evalpose.Values) {
		list = append(list, partReport{name, optional(v.Mean()), optional(v.Median()), len(v)})
	}
	for p := range keypoint.Part(keypoint.NumBody) {
		add(p.String(), e[p])
	}
	add("all", e.All())
	return list
}

// setErrors sets the results for rendered movies.
func (s *stageReport) setErrors(e angleErrors) {
	s.errors = e
	s.PeakAngles, s.PeakSpeeds = optional(e.peakAngles.RMS()), optional(e.peakSpeeds.RMS())
	for _, name := range jointNames {
		v := e.angles[name]
		s.Angles = append(s.Angles, angleReport{name, optional(v.RMS()), optional(v.Mean()), len(v)})
	}
}

// addTotals adds the sums of all movies as a movie named all.
func (r *report) addTotals() {
	if len(r.Movies) < 2 {
		return
	}
	all := movieReport{Name: "all"}
	for _, m := range r.Movies {
		all.Frames += m.Frames
		all.ReferenceFrames = all.ReferenceFrames.plus(m.ReferenceFrames)
		all.Seconds.Wall += m.Seconds.Wall
		all.Seconds.Core += m.Seconds.Core
	}
	all.Raw = r.total(func(m *movieReport) *stageReport { return &m.Raw })
	all.Cleaned = r.total(func(m *movieReport) *stageReport { return &m.Cleaned })
	r.Movies = append(r.Movies, all)
}

// total adds the counts of the movies, joins their errors, and takes the mean of what is no count.
func (r *report) total(stage func(*movieReport) *stageReport) (t stageReport) {
	var agreement, close, jitter, feet evalpose.Values
	var given *shareReport
	e := angleErrors{angles: map[string]evalpose.Values{}}
	for i := range r.Movies {
		s := stage(&r.Movies[i])
		if s.Feet != nil {
			given, feet = given.plus(s.Feet.Given), append(feet, s.Feet.errors...)
		}
		for _, v := range []struct {
			from *float64
			to   *evalpose.Values
		}{{s.Agreement, &agreement}, {s.CloseAgreement, &close}, {s.Jitter, &jitter}} {
			if v.from != nil {
				*v.to = append(*v.to, *v.from)
			}
		}
		t.ExchangedPairs = t.ExchangedPairs.plus(s.ExchangedPairs)
		t.ExchangedFrames = t.ExchangedFrames.plus(s.ExchangedFrames)
		t.Lost, t.Invented = t.Lost.plus(s.Lost), t.Invented.plus(s.Invented)
		for name, v := range s.errors.angles {
			e.angles[name] = append(e.angles[name], v...)
		}
		e.peakAngles = append(e.peakAngles, s.errors.peakAngles...)
		e.peakSpeeds = append(e.peakSpeeds, s.errors.peakSpeeds...)
	}
	t.Agreement, t.CloseAgreement, t.Jitter = optional(agreement.Mean()), optional(close.Mean()), optional(jitter.Mean())
	if len(e.angles) > 0 {
		t.setErrors(e)
	}
	t.Feet = feetOf(given, feet, r.AgreementWithin)
	return t
}

// plus returns the sum of both, of which one may be nil.
func (s *shareReport) plus(o *shareReport) *shareReport {
	switch {
	case s == nil:
		return o
	case o == nil:
		return s
	}
	return &shareReport{s.Count + o.Count, s.Of + o.Of}
}

func (r *report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
