package strictjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/strictjson"
)

func TestRepeated(t *testing.T) {
	many := "{"
	for i := range 100 {
		many += fmt.Sprintf(`"m%d":0,`, i)
	}
	for text, want := range map[string]string{
		`[{"nose":[1,2]},{"nose":[1,2],"leftEye":[3,4],"nose":[5,6]}]`: "/1/nose",
		`{"a":{"b":[0,{"c":1,"c":2}]}}`:                                "/a/b/1/c",
		`{"a":1,"\u0061":2}`:                                           "/a",
		`{"a/b":{"~":1,"~":2}}`:                                        "/a~1b/~0",
		many + `"m7":1}`:                                               "/m7",
		many + `"m99":1}`:                                              "/m99",
		many + `"m":1}`:                                                "",
		`{"a":"a","b":{"a":"b"},"c":["a","a"]}`:                        "",
		`{"a":1}{"a":1}`:                                               "",
		`{"a":"\",\"a\":1"}`:                                           "",
		`"{\"a\":1,\"a\":2}"`:                                          "",
		strings.Repeat("[", 1000) + `{"a":1,"a":1}`:                    strings.Repeat("/0", 1000) + "/a",
		`}]{"a`: "", `{"\`: "", `{"a\`: "", ``: "",
	} {
		if got := strictjson.Repeated([]byte(text)); got != want {
			t.Errorf("%.60s: %q, want %q", text, got, want)
		}
	}
}

// FuzzRepeated: a document has a name twice where Parse says so.
func FuzzRepeated(f *testing.F) {
	f.Add(`[{"nose":[1,2],"nose":[5,6]}]`)
	f.Add(`{"a":1,"\u0061":{"b":[1,{}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		at := strictjson.Repeated([]byte(text))
		_, err := strictjson.Parse([]byte(text))
		if err == nil && at != "" {
			t.Errorf("%q is given twice", at)
		}
		if err != nil && strings.Contains(err.Error(), "is given twice") && at == "" {
			t.Errorf("nothing is given twice, but %v", err)
		}
	})
}
