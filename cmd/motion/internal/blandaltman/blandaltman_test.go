package blandaltman_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/bodymotion/motion/cmd/motion/internal/blandaltman"
	"github.com/bodymotion/motion/internal/agree"
)

// TestWriteSVG: each panel has its name, its lines and a dot for each pair; an error of writing is told.
func TestWriteSVG(t *testing.T) {
	pairs := []blandaltman.Pair{{Person: "a", Value: 91, Truth: 90}, {Person: "b", Value: 60, Truth: 64}, {Person: "b", Value: 30, Truth: 30}}
	panel := blandaltman.Panel{Title: "<knee>", Unit: "°", Pairs: pairs, Agreement: agree.Of(blandaltman.People(pairs))}
	var b strings.Builder
	if err := blandaltman.WriteSVG(&b, []blandaltman.Panel{panel, panel, {Title: "one", Unit: "°", Pairs: pairs[:1], Agreement: agree.Of(blandaltman.People(pairs[:1]))}}); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for want, n := range map[string]int{"<circle": 7, "&lt;knee&gt;": 2, "bias: −1.0": 2, "bias: 1.0": 1, "NaN": 0, "Inf": 0} {
		if got := strings.Count(b.String(), want); got != n {
			t.Errorf("%q is there %d times, want %d", want, got, n)
		}
	}
	if err := blandaltman.WriteSVG(full{}, []blandaltman.Panel{panel}); err == nil {
		t.Error("an error of writing is lost")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }
