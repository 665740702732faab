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

func TestValues(t *testing.T) {
	doc, err := strictjson.Parse([]byte(`{"s":"x","n":1.5,"i":3,"b":true,"null":null,"o":{},"a":[1,"2"]}`))
	if err != nil {
		t.Fatal(err)
	}
	v := doc.Root()
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

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null}],"c":"d"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := strictjson.Parse(data)
		if (doc == nil) == (err == nil) {
			t.Fatalf("document %v and error %v", doc, err)
		}
	})
}
