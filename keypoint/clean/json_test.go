package clean_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/keypoint/clean"
)

func TestParseOptions(t *testing.T) {
	for text, want := range map[string]clean.Options{
		`true`:  clean.Default(),
		`false`: {},
		`{}`:    {},
		`{"swaps": true, "outliers": true, "gaps": 0.1, "smooth": true}`: {
			Swaps: true, Outliers: &clean.Outliers{}, Gaps: &clean.Gaps{Max: 0.1}, Smooth: &clean.Smooth{},
		},
		`{"swaps": false, "outliers": false, "gaps": false, "smooth": null}`: {},
		`{"outliers": {"window": 0.5, "threshold": 4}, "gaps": {"method": "linear", "max": 1}}`: {
			Outliers: &clean.Outliers{Window: 0.5, Threshold: 4}, Gaps: &clean.Gaps{Method: "linear", Max: 1},
		},
		`{"smooth": {"method": "savitzkyGolay", "order": 2, "window": 11}}`: {Smooth: &clean.Smooth{Method: "savitzkyGolay", Order: 2, Window: 11}},
		`{"smooth": {"method": "oneEuro", "cutoff": 2, "beta": 0.1}}`:       {Smooth: &clean.Smooth{Method: "oneEuro", Cutoff: 2, Beta: 0.1}},
	} {
		got, err := clean.ParseOptions([]byte(text))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %s (%v)", text, diff, err)
		}
		written, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := clean.ParseOptions(written); !cmp.Equal(got, back) || err != nil {
			t.Errorf("%s is written as %s, which is read as %+v (%v)", text, written, back, err)
		}
	}
}

func TestParseOptionsMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                             "want true, false or an object",
		`"yes"`:                            "",
		`[]`:                               "",
		`{"swap": true}`:                   "/swap",
		`{"swaps": 1}`:                     "/swaps",
		`{"outliers": 3}`:                  "/outliers",
		`{"gaps": "0.1"}`:                  "/gaps",
		`{"gaps": -1}`:                     "/gaps: is -1",
		`{"gaps": {"max": 1, "min": 0}}`:   "/gaps/min",
		`{"smooth": {"method": "kalman"}}`: "/smooth/method: is kalman",
		`{"smooth": {"order": 1.5}}`:       "/smooth/order",
		`{"smooth": {"order": 99}}`:        "/smooth: is",
		`{"smooth": {"cutoff": 1e999}}`:    "/smooth/cutoff",
		`{`:                                "",
	} {
		opt, err := clean.ParseOptions([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v (%v), want %q", text, opt, err, want)
		}
	}
}
