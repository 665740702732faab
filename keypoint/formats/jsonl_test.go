package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// rounded generates recordings whose numbers have as many decimals as JSON keeps.
func rounded(t *rapid.T) keypoint.Sequence {
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, rapid.IntRange(0, 5).Draw(t, "frames"))}
	for i := range s.Frames {
		for _, p := range rapid.SliceOfDistinct(rapid.IntRange(0, keypoint.NumParts-1), rapid.ID).Draw(t, "parts") {
			hundredths := rapid.IntRange(-100000, 100000)
			at := keypoint.Point{float64(hundredths.Draw(t, "x")) / 100, float64(hundredths.Draw(t, "y")) / 100}
			s.Frames[i].Set(keypoint.Part(p), at, float64(rapid.IntRange(0, 10000).Draw(t, "score"))/10000)
		}
	}
	if rapid.Bool().Draw(t, "timed") {
		s.Times = []float64{}
		for i := range s.Frames {
			s.Times = append(s.Times, float64(i*1e6+rapid.IntRange(0, 999999).Draw(t, "time"))/1e6)
		}
	}
	if rapid.Bool().Draw(t, "sized") {
		s.Size.X, s.Size.Y = rapid.IntRange(1, 9000).Draw(t, "width"), rapid.IntRange(1, 9000).Draw(t, "height")
	}
	return s
}

func TestJSONLRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rounded(t)
		text := written(t, func(b *bytes.Buffer) error { return formats.Write(b, "jsonl", want) })
		got, err := formats.ReadAs(strings.NewReader(text), "jsonl", formats.Options{})
		if err != nil {
			t.Fatal(err, text)
		}
		if want.Len() == 0 {
			got.Frames, want.Frames = nil, nil
		}
		if d := diff(want, got); d != "" {
			t.Fatalf("%s\n%s", text, d)
		}
	})
}

func readJSONL(text string) error {
	_, err := formats.ReadAs(strings.NewReader(text), "jsonl", formats.Options{})
	return err
}

func TestJSONLForms(t *testing.T) {
	for _, form := range []string{
		"{\"timed\":true}\n{\"time\":1,\"keypoint\":{\"nose\":[1,2]},\"scores\":{\"nose\":0.5}}",
		"{ \"timed\" : true }\r\n{ \"scores\":{\"nose\":0.5}, \"keypoint\":{\"nose\":[1,2]}, \"time\":1e0 }\r\n",
	} {
		s, err := formats.ReadAs(strings.NewReader(form), "jsonl", formats.Options{})
		if err != nil || s.Len() != 1 || s.Frames[0].Confidence(keypoint.Nose) != 0.5 || s.Times[0] != 1 {
			t.Errorf("%q: %+v (%v)", form, s, err)
		}
	}
	const head = "{\"timed\":true}\n{\"time\":1,\"keypoint\":{}}\n"
	wrongs(t, readJSONL, map[string][2]string{
		"empty":           {"", "the input ends here, want a header"},
		"another header":  {"{}\n{}\n", "line 2: keypoint: is missing"},
		"no time":         {"{\"timed\":true}\n{\"keypoint\":{}}", "line 2: time"},
		"frames at once":  {"{\"keypoint\":[]}", "line 1"},
		"negative size":   {"{\"width\":-1,\"height\":1}", "line 1"},
		"a time too many": {"{}\n{\"time\":1,\"keypoint\":{}}", "line 2: time"},
		"time stands":     {head + "{\"time\":1,\"keypoint\":{}}", "line 3: time: is 1 s, want more"},
		"time is text":    {head + "{\"time\":\"2\",\"keypoint\":{}}", "line 3"},
		"cut off":         {head + "{\"time\":2,\"keypoint\":{", "line 3"},
		"more":            {head + "{\"time\":2,\"keypoint\":{}}x", "line 3"},
		"absent part":     {head + "{\"time\":2,\"keypoint\":{},\"scores\":{\"nose\":1}}", "line 3"},
		"null score":      {head + "{\"time\":2,\"keypoint\":{\"nose\":[1,2]},\"scores\":{\"nose\":null}}", "nose is null"},
		"unknown part":    {head + "{\"time\":2,\"keypoint\":{\"knee\":[1,2]}}", "line 3"},
		"unknown member":  {head + "{\"time\":2,\"keypoint\":{},\"colour\":1}", "line 3"},
		"long line":       {head + "{\"time\":2,\"keypoint\":{}" + strings.Repeat(" ", 1<<21) + "}", "line 3"},
	})
	if _, err := formats.ReadAs(strings.NewReader(head), "jsonl", formats.Options{Limits: formats.Limits{Frames: 1, Bytes: 20}}); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("too long: %v", err)
	}
	if _, err := formats.ReadAs(broken{}, "jsonl", formats.Options{}); !errors.Is(err, errBroken) {
		t.Errorf("reading: %v", err)
	}
	if err := formats.Write(broken{}, "jsonl", short()); !errors.Is(err, errBroken) {
		t.Errorf("writing: %v", err)
	}
	for _, times := range [][]float64{{1, 1}, {1, 0}, {0, math.NaN()}, {0, math.Inf(1)}} {
		if err := formats.Write(io.Discard, "jsonl", keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: times}); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("times %v: %v", times, err)
		}
	}
}

func FuzzReadJSONL(f *testing.F) {
	f.Add("{\"width\":640,\"height\":480,\"timed\":true}\n{\"time\":0,\"keypoint\":{\"nose\":[317.4,88.12]},\"scores\":{\"nose\":0.91}}\n{\"time\":1,\"keypoint\":{}}")
	f.Add("{}\n{\"keypoint\":{}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := formats.ReadAs(strings.NewReader(text), "jsonl", formats.Options{Limits: formats.Limits{Frames: 1000}})
		sound(t, s, err)
	})
}

func ExampleWrite_jsonl() {
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 2), Times: []float64{0, 1.0 / 30}}
	seq.Size.X, seq.Size.Y = 640, 480
	seq.Frames[0].Set(keypoint.Nose, keypoint.Point{317.4, 88.12}, 0.91)
	if err := formats.Write(os.Stdout, "jsonl", seq); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"height":480,"timed":true,"width":640}
	// {"time":0,"keypoint":{"nose":[317.4,88.12]},"scores":{"nose":0.91}}
	// {"time":0.033333,"keypoint":{},"scores":{}}
}

func ExampleRead_jsonl() {
	seq, err := formats.Read(strings.NewReader(`{"width":640,"height":480,"timed":true}
{"time":0,"keypoint":{"nose":[317.4,88.12]},"scores":{"nose":0.91}}
`), "jsonl", formats.Options{})
	at, _ := seq.Frames[0].At(keypoint.Nose)
	fmt.Println(at, seq.Times, seq.Size, err)
	// Output: [317.4 88.12] [0] (640,480) <nil>
}
