package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrors holds that bad input is told in plain words, before anything is measured.
func TestErrors(t *testing.T) {
	dir := folder(t)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	write(t, at("wrong/annotations.json"), []byte(`[{"image":"a.png"}]`))
	write(t, at("missing/annotations.json"), encoded(t, []any{labels("none.png")}))
	write(t, at("empty/annotations.json"), []byte(`[]`))
	write(t, at("small/annotations.json"), encoded(t, []any{labels("small.png")}))
	write(t, at("small/small.png"), picture(t, 10, 10, 255))
	write(t, at("text/annotations.json"), encoded(t, []any{labels("text.png")}))
	write(t, at("text/text.png"), []byte("this is no picture"))
	write(t, at("movies/clip.mp4"), []byte("this is no movie"))
	write(t, at("movies/clip.json"), []byte(`{"frames":1}`))
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "nothing to measure"},
		{[]string{"-annotations", "a", "b"}, `"b" is no flag`},
		{[]string{"-nonsense"}, "not defined"},
		{[]string{"-images", dir, "-movies", dir}, "-images is given without -annotations"},
		{[]string{"-estimator", "magic", "-movies", dir}, `-estimator is "magic", want one of`},
		{[]string{"-pck", "0", "-movies", dir}, "-pck is 0"},
		{[]string{"-within", "NaN", "-movies", dir}, "-within is NaN"},
		{[]string{"-rate", "NaN", "-movies", dir}, "-rate is NaN"},
		{[]string{"-rate", "-1", "-movies", dir}, "-rate is -1"},
		{[]string{"-rate", "Inf", "-movies", dir}, "-rate is +Inf"},
		{[]string{"-first", "-1", "-movies", dir}, "-first is -1"},
		{[]string{"-annotations", at("none.json")}, "there is no file"},
		{[]string{"-annotations", "["}, "syntax error in pattern"},
		{[]string{"-annotations", at("?/annotations.json"), "-images", dir}, "matches 2 files"},
		{[]string{"-annotations", at("wrong/annotations.json")}, "/0/persons: is required"},
		{[]string{"-annotations", at("missing/annotations.json")}, "none.png"},
		{[]string{"-annotations", at("empty/annotations.json")}, "there is no picture in the file"},
		{[]string{"-annotations", at("small/annotations.json")}, "is (10,10) pixels, upright, but labelled as (320,200)"},
		{[]string{"-annotations", at("text/annotations.json")}, "text.png: unsupported media format"},
		{[]string{"-movies", at("a")}, "there is no movie in"},
		{[]string{"-movies", at("nowhere")}, "no such file"},
		{[]string{"-movies", at("movies")}, "clip.json: invalid: /frames: is a number"},
	} {
		table, _ := fake()
		var out bytes.Buffer
		err := run(t.Context(), table, c.args, &out, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v gives %v, want %s", c.args, err, c.want)
		}
		if out.Len() > 0 {
			t.Errorf("%v prints %s", c.args, out.String())
		}
	}
	broken := errors.New("no library")
	table := []choice{{"broken", "", func(options) (estimator, error) { return nil, broken }}}
	if err := run(t.Context(), table, []string{"-annotations", at("a/annotations.json")}, io.Discard, io.Discard); !errors.Is(err, broken) {
		t.Errorf("an estimator that cannot be opened gives %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	table, _ = fake()
	if err := run(ctx, table, []string{"-annotations", at("a/annotations.json")}, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run gives %v", err)
	}
}

func TestHelp(t *testing.T) {
	var usage bytes.Buffer
	if err := run(t.Context(), estimators(), []string{"-help"}, io.Discard, &usage); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"fast", "balanced", "accurate", "-annotations", "-movies", "-json"} {
		if !strings.Contains(usage.String(), want) {
			t.Errorf("the usage does not tell of %s:\n%s", want, usage.String())
		}
	}
}
