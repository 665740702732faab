package keypoint_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
)

// stream writes a sequence line by line.
func stream(t testing.TB, s keypoint.Sequence) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := keypoint.NewEncoder(&out, keypoint.Header{Size: s.Size, Timed: s.Times != nil})
	if err := enc.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range s.Frames {
		at := 0.0
		if s.Times != nil {
			at = s.Times[i]
		}
		if err := enc.Encode(&s.Frames[i], at); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestStreamRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := sequence(r)
		b := stream(t, s)
		back, err := keypoint.NewDecoder(iotest.HalfReader(bytes.NewReader(b))).All()
		if err != nil {
			r.Fatalf("%s: %v", b, err)
		}
		if d := cmp.Diff(s, back, cmpopts.EquateComparable(keypoint.Frame{}), cmpopts.EquateEmpty()); d != "" {
			r.Fatalf("%s\n%s", b, d)
		}
	})
}

func TestStreamForms(t *testing.T) {
	for _, form := range []string{
		"{\"timed\":true}\n{\"time\":1,\"keypoint\":{\"nose\":[1,2]},\"scores\":{\"nose\":0.5}}",
		"{ \"timed\" : true }\r\n{ \"scores\":{\"nose\":0.5}, \"keypoint\":{\"nose\":[1,2]}, \"time\":1e0 }\r\n",
	} {
		s, err := keypoint.NewDecoder(strings.NewReader(form)).All()
		if err != nil || s.Len() != 1 || s.Frames[0].Confidence(keypoint.Nose) != 0.5 || s.Times[0] != 1 {
			t.Errorf("%q: %+v (%v)", form, s, err)
		}
	}
	const head = "{\"timed\":true}\n{\"time\":1,\"keypoint\":{}}\n"
	for bad, where := range map[string]string{
		"":                                     "empty",
		"{}\n{}\n":                             "line 2",
		"{\"timed\":true}\n{\"keypoint\":{}}":  "line 2",
		"{\"keypoint\":[]}":                    "line 1",
		"{\"width\":-1,\"height\":1}":          "line 1",
		"{}\n{\"time\":1,\"keypoint\":{}}":     "line 2",
		head + "{\"time\":1,\"keypoint\":{}}":  "line 3",
		head + "{\"time\":2,\"keypoint\":{":    "line 3",
		head + "{\"time\":2,\"keypoint\":{}}x": "line 3",
		head + "{\"time\":2,\"keypoint\":{},\"scores\":{\"nose\":1}}":                  "line 3",
		head + "{\"time\":2,\"keypoint\":{\"nose\":[1,2]},\"scores\":{\"nose\":null}}": "nose is null",
		head + "{\"time\":2,\"keypoint\":{\"knee\":[1,2]}}":                            "line 3",
		head + "{\"time\":2,\"keypoint\":{},\"colour\":1}":                             "line 3",
		head + "{\"time\":2,\"keypoint\":{}" + strings.Repeat(" ", 1<<17) + "}":        "line 3",
	} {
		dec := keypoint.NewDecoder(strings.NewReader(bad))
		_, err := dec.All()
		if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), where) {
			t.Errorf("%.80q: %v, want an error about %s", bad, err, where)
		}
		if _, _, again := dec.Decode(); again == nil {
			t.Errorf("%.80q: it goes on after an error", bad)
		}
	}
	broken := errors.New("broken")
	if _, err := keypoint.NewDecoder(iotest.ErrReader(broken)).All(); !errors.Is(err, broken) {
		t.Errorf("the reader's error comes back as %v", err)
	}
}

func TestEncoderErrors(t *testing.T) {
	var out bytes.Buffer
	enc := keypoint.NewEncoder(&out, keypoint.Header{Timed: true})
	if err := enc.Encode(&keypoint.Frame{}, 1); err != nil {
		t.Fatal(err)
	}
	before := out.Len()
	for _, at := range []float64{1, 0, math.NaN(), math.Inf(1)} {
		if err := enc.Encode(&keypoint.Frame{}, at); !errors.Is(err, keypoint.ErrInvalid) || out.Len() != before {
			t.Errorf("time %v: %v", at, err)
		}
	}
	if err := keypoint.NewEncoder(&out, keypoint.Header{Size: image.Pt(-1, 1)}).Start(); !errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("negative size: %v", err)
	}
	r, w := io.Pipe()
	r.Close()
	if err := keypoint.NewEncoder(w, keypoint.Header{}).Encode(&keypoint.Frame{}, 0); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the writer's error comes back as %v", err)
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add([]byte("{\"width\":640,\"height\":480,\"timed\":true}\n{\"time\":0,\"keypoint\":{\"nose\":[317.4,88.12]},\"scores\":{\"nose\":0.91}}\n{\"time\":1,\"keypoint\":{}}"))
	f.Add([]byte("{}\n{\"keypoint\":{}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := keypoint.NewDecoder(bytes.NewReader(data)).All()
		if err != nil {
			if !errors.Is(err, keypoint.ErrInvalid) {
				t.Fatalf("%v is no ErrInvalid", err)
			}
			return
		}
		if err := s.Validate(); err != nil {
			t.Fatalf("an invalid sequence was read: %v", err)
		}
	})
}

func BenchmarkStream(b *testing.B) {
	for _, n := range []int{100, 1800, 100_000} {
		s := keypoint.Sequence{Frames: make([]keypoint.Frame, n), Times: make([]float64, n)}
		for i := range s.Frames {
			s.Times[i] = float64(i) / 30
			for p := range keypoint.Part(keypoint.NumParts) {
				s.Frames[i].Set(p, keypoint.Point{float64(i%640) * 0.37, float64(p) * 11.13}, 0.5)
			}
		}
		data := stream(b, s)
		b.Run(fmt.Sprintf("write/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				enc := keypoint.NewEncoder(io.Discard, keypoint.Header{Timed: true})
				for i := range s.Frames {
					if err := enc.Encode(&s.Frames[i], s.Times[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(fmt.Sprintf("read/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dec := keypoint.NewDecoder(bytes.NewReader(data))
				for {
					if _, _, err := dec.Decode(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
