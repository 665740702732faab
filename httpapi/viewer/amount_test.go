package viewer_test

import (
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/say"
)

// amounts are those of say's own test, what is between two digits, and many others, in all units and one that there is not.
func amounts() []say.Amount {
	list := []say.Amount{
		{Value: 93.4, Sigma: 7.2, Unit: "°"}, {Value: 93.5, Sigma: 8.0000000001, Unit: "°"}, {Value: -0.4, Unit: "°"}, {Value: -2.5, Unit: "°"}, {Value: 2.5, Unit: "°"},
		say.Measured("rise", 0.3164, 0.0251, "m"), say.Measured("strideLength", 1.316, 0, "m"), {Value: 1.006, Sigma: 0.001, Unit: "torso"},
		{Value: 0.8, Unit: "s"}, {Value: 0.454, Unit: "%"}, {Value: 3}, {Value: 12.4, Unit: "px/s²"}, {Value: math.Copysign(0, -1), Unit: "m"},
	}
	random := rand.New(rand.NewPCG(1, 2))
	units := []string{"px/s²"}
	for _, u := range say.Units() {
		units = append(units, u.Name)
	}
	for _, unit := range units {
		for range 200 {
			list = append(list, say.Amount{Value: random.NormFloat64() * 100, Sigma: random.ExpFloat64() * 5, Unit: unit})
			list = append(list, say.Amount{Value: float64(random.IntN(4000)-2000) / 200, Sigma: float64(random.IntN(400)) / 200, Unit: unit})
		}
	}
	return list
}

// TestAmounts: the page, which reads them from JSON, writes every amount as package say does.
func TestAmounts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		testkit.Skip(t, "node")
	}
	dir, h := t.TempDir(), handler(t)
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"amount.js", "names.js", "en.js", "ja.js"} {
		text, err := io.ReadAll(ask(h, "GET", "/viewer/base/"+name).Body)
		if err != nil {
			t.Fatal(err)
		}
		write(name, text)
	}
	write("package.json", []byte(`{"type": "module"}`))
	write("i18n.js", []byte("import en from './en.js';\nimport ja from './ja.js';\nlet words = en;\nexport const t = (key) => words[key] ?? key;\nexport const speak = (l) => { words = { en, ja }[l]; };\n"))
	write("run.js", []byte(`import { speak } from './i18n.js';
import * as say from './amount.js';
import fs from 'node:fs';
const list = JSON.parse(fs.readFileSync('amounts.json'));
const said = ({ Value: v, Sigma: s, Unit: u }) => [say.number(v, u), say.plusMinus(s, u), ...['en', 'ja'].map((l) => { speak(l); return say.whole(v, s, u); })];
const units = JSON.parse(fs.readFileSync('measures.json')).map((m) => say.unitOf(m, 'm'));
console.log(JSON.stringify({ said: list.map(said), units, none: say.amount(null, '°') + say.plusMinus(null, '°') }));
`))
	list := amounts()
	var want struct {
		Said  [][]string `json:"said"`
		Units []string   `json:"units"`
		None  string     `json:"none"`
	}
	measures := []string{"rise", "height", "sway", "drop", "hipHeight", "handHeight", "stepWidth", "kneeSeparation", "strideLength", "speed"}
	for _, m := range measures {
		want.Units = append(want.Units, say.Measured(m, 0, 0, "m").Unit)
	}
	want.None = "–"
	for _, a := range list {
		plus := ""
		if a.Sigma > 0 {
			plus = a.PlusMinus()
		}
		want.Said = append(want.Said, []string{a.Number(), plus, a.In(say.English), a.In(say.Japanese)})
	}
	type answer struct { // of the service, whose numbers have four decimals
		Value, Sigma float64
		Unit         string
	}
	var answers []answer
	for _, a := range list {
		answers = append(answers, answer(a))
	}
	for name, v := range map[string]any{"amounts.json": answers, "measures.json": measures} {
		text, err := jsonappend.Marshal(v, 4)
		if err != nil {
			t.Fatal(err)
		}
		write(name, text)
	}
	cmd := exec.CommandContext(t.Context(), node, "run.js")
	cmd.Dir = dir
	out, err := cmd.Output()
	got := want
	got.Said, got.Units = nil, nil
	if err != nil || json.Unmarshal(out, &got) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(got.Said) != len(list) {
		t.Fatalf("%d of %d amounts", len(got.Said), len(list))
	}
	for i, a := range list {
		if !slices.Equal(want.Said[i], got.Said[i]) {
			t.Errorf("%v ± %v in %q is %q, want %q", a.Value, a.Sigma, a.Unit, got.Said[i], want.Said[i])
		}
	}
	if !slices.Equal(want.Units, got.Units) || want.None != got.None {
		t.Errorf("units %q, absent %q; want %q, %q", got.Units, got.None, want.Units, want.None)
	}
}
