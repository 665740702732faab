package strictjson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

func TestParse(t *testing.T) {
	for doc, pointer := range map[string]string{
		`{"a":1,"a":2}`:                 "/a",
		`{"x":[0,{"b~/c":1,"b~/c":1}]}`: "/x/1/b~0~1c",
		``:                              "",
		`{`:                             "",
		`{} {}`:                         "",
		`nope`:                          "",
		"{\"a\":\"\xff\"}":              "/a",
		"{\"a\":[\"b\", \"\xc3\"]}":     "/a/1",
		"{\"a\xff\":1}":                 "",
		"{\"a\":\"\xed\xa0\x80\"}":      "/a",
		`{"a":"\ud800"}`:                "/a",
		`{"a":{"b":"x\\\ud800\u0041"}}`: "/a/b",
		`{"a":"\udc00\ud800"}`:          "/a",
		`{"a":"\uD83D\uD83D\uDE00"}`:    "/a",
		`{"\ud800":1}`:                  "",
		strings.Repeat("[", 200) + strings.Repeat("]", 200): "",
	} {
		_, err := strictjson.Parse([]byte(doc))
		var e *keypoint.FieldError
		if !errors.As(err, &e) || e.Pointer != pointer || e.Detail == "" {
			t.Errorf("%.40s: %v, want a mistake at %q", doc, err, pointer)
		}
	}
	if _, err := strictjson.Parse([]byte(strings.Repeat("[", 90) + strings.Repeat("]", 90))); err != nil {
		t.Error(err)
	}
}

// TestUnicode: what is Unicode is read as it is.
func TestUnicode(t *testing.T) {
	for doc, want := range map[string]string{
		`"\uD83D\uDE00"`:       "😀",
		`"\\ud800"`:            `\ud800`,
		`"\\\\\ud83d\ude00"`:   `\\😀`,
		`"\ufffd"`:             "\ufffd",
		"\"\ufffd膝\"":          "\ufffd膝",
		`"\n\"\u00e9\ufffd\/"`: "\n\"é\ufffd/",
	} {
		d, err := strictjson.Parse([]byte(" [ " + doc + " ] "))
		if err != nil {
			t.Errorf("%s: %v", doc, err)
			continue
		}
		list, _ := d.Root().Array()
		if got, ok := list[0].Text(); !ok || got != want {
			t.Errorf("%s: %q, want %q", doc, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	doc, err := strictjson.Parse([]byte(`{"s":"x","n":1.5,"i":3,"b":true,"null":null,"o":{},"a":[1,"2"]}`))
	if err != nil {
		t.Fatal(err)
	}
	v := doc.Root()
	if !v.Has("s") || !v.Has("null") || v.Has("x") || v.Get("s").Has("s") {
		t.Error("members that are null, or none, are taken for others")
	}
	if s, ok := v.Get("s").Text(); !ok || s != "x" {
		t.Error(s)
	}
	if n, ok := v.Get("n").Number(); !ok || n != 1.5 {
		t.Error(n)
	}
	if i, ok := v.Get("i").Int(); !ok || i != 3 {
		t.Error(i)
	}
	if b, ok := v.Get("b").Bool(); !ok || !b {
		t.Error(b)
	}
	for _, absent := range []string{"null", "missing"} {
		if x := v.Get(absent); x.Present() || x.Pointer() != "/"+absent {
			t.Errorf("%s is present", absent)
		}
		if _, ok := v.Get(absent).Text(); ok {
			t.Errorf("%s is a text", absent)
		}
	}
	if doc.Err() != nil {
		t.Fatalf("mistakes in a good document: %v", doc.Err())
	}
	v.Get("n").Int()
	v.Get("s").OneOf("a", "b")
	v.Get("o").Array()
	v.Get("missing").Require("something")
	v.Known("s", "n", "i", "b", "null", "o")
	a, _ := v.Get("a").Array()
	a[1].Number()
	var errs keypoint.FieldErrors
	if !errors.As(doc.Err(), &errs) {
		t.Fatal(doc.Err())
	}
	var got []string
	for _, e := range errs {
		got = append(got, e.Pointer)
	}
	if want := "/n /s /o /missing /a /a/1"; strings.Join(got, " ") != want {
		t.Errorf("mistakes at %v, want %s", got, want)
	}
}

// TestInt: a number without a fraction is an integer however it is written.
func TestInt(t *testing.T) {
	for text, want := range map[string]int64{`7`: 7, `7.0`: 7, `7e2`: 700, `-0.0`: 0, `9007199254740993`: 9007199254740993, `9007199254740993.0`: 9007199254740993} {
		doc, err := strictjson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if i, ok := doc.Root().Int(); !ok || i != want {
			t.Errorf("%s is read as %d, %v", text, i, doc.Err())
		}
	}
	for _, text := range []string{`7.5`, `1e300`, `1e19`, `9223372036854775808.0`, `"7"`} {
		doc, err := strictjson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if i, ok := doc.Root().Int(); ok || doc.Err() == nil {
			t.Errorf("%s is read as %d", text, i)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null}],"c":"d"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := strictjson.Parse(data)
		if (doc == nil) == (err == nil) {
			t.Fatalf("document %v and error %v", doc, err)
		}
	})
}
