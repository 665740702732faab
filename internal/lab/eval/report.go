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
	SwapMargin      float64       `json:"swapMargin"`      // torso lengths
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
	Agreement       *float64     `json:"agreement"`       // 0 to 1
	Jitter          *float64     `json:"jitter"`          // torso lengths
	ReferenceJitter *float64     `json:"referenceJitter"`
	Swaps           *shareReport `json:"swaps"`
	Lost            *shareReport `json:"lost"`
	Invented        *shareReport `json:"invented"`
	Milliseconds    *times       `json:"milliseconds"`
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
	for p := range keypoint.Part(keypoint.NumParts) {
		add(p.String(), e[p])
	}
	add("all", e.All())
	return list
}

func (r *report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
