package viewer_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/say"
)

// dictionaries returns the words that the page gets, by language and key.
func dictionaries(t *testing.T, h http.Handler) map[say.Language]map[string]string {
	t.Helper()
	all := map[say.Language]map[string]string{}
	for _, language := range say.Languages() {
		text, err := io.ReadAll(ask(h, "GET", "/viewer/base/"+string(language)+".js").Body)
		if err != nil {
			t.Fatal(err)
		}
		var list map[string]string
		if err := json.Unmarshal(bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("export default ")), []byte(";\n")), &list); err != nil {
			t.Fatalf("%s: %v", language, err)
		}
		all[language] = list
	}
	return all
}

// books returns the page's own words, by file.
func books(t *testing.T) map[string]say.Book {
	t.Helper()
	files, err := filepath.Glob("words/*.json")
	if err != nil || len(files) < 8 {
		t.Fatalf("%v %v", files, err)
	}
	all := map[string]say.Book{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[file] = say.Open(data)
	}
	return all
}

// TestWords: the page's own words have the same arguments in all languages, and none is a word that the library has.
func TestWords(t *testing.T) {
	place := regexp.MustCompile(`\{\w+\}`)
	places := func(text string) []string {
		list := place.FindAllString(text, -1)
		slices.Sort(list)
		return slices.Compact(list)
	}
	known := map[[2]string]string{}
	both := func(text say.Text) [2]string {
		return [2]string{strings.ToLower(text[say.English]), text[say.Japanese]}
	}
	for key, text := range say.All() {
		known[both(text)] = key
	}
	for file, book := range books(t) {
		for key, text := range book {
			if en, ja := places(text[say.English]), places(text[say.Japanese]); !slices.Equal(en, ja) {
				t.Errorf("%s: %s has the arguments %v and %v", file, key, en, ja)
			}
			if of := known[both(text)]; of != "" {
				t.Errorf("%s: %s is %q of package say", file, key, of)
			}
		}
	}
}

// TestWordsNamed: the page names keys that there are, and has none that it does not name.
func TestWordsNamed(t *testing.T) {
	have := dictionaries(t, handler(t))[say.English]
	var whole, beginnings []string
	literal := regexp.MustCompile("['\"`]([A-Za-z]+(?:\\.[A-Za-z0-9]*)*)(\\$\\{)?['\"`]?")
	for _, name := range sources(t, ".js", ".html") {
		text, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllSubmatch(text, -1) {
			if key := string(m[1]); len(m[2]) > 0 || strings.HasSuffix(key, ".") {
				beginnings = append(beginnings, key)
			} else {
				whole = append(whole, key)
			}
		}
	}
	for file, book := range books(t) {
		for key := range book {
			begun := func(beginning string) bool {
				return strings.HasPrefix(key, beginning) && strings.Contains(beginning, ".")
			}
			if !slices.Contains(whole, strings.TrimSuffix(key, "1")) && !slices.ContainsFunc(beginnings, begun) {
				t.Errorf("%s: nothing names %q", file, key)
			}
		}
	}
	keys := regexp.MustCompile(`(?:\bt\(|\bt: |\bspan\(|\blabel: |\bbutton\()'([A-Za-z]+\.[A-Za-z0-9.]+)'`)
	named := 0
	for _, name := range sources(t, ".js") {
		text, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range keys.FindAllSubmatch(text, -1) {
			named++
			if key := string(m[1]); have[key] == "" {
				t.Errorf("%s: there are no words %q", name, key)
			}
		}
	}
	if named < 300 {
		t.Errorf("only %d keys were found", named)
	}
}

// TestRefusals: the page has each sentence with which recordings are not joined, in all languages.
func TestRefusals(t *testing.T) {
	var said []string
	for _, text := range dictionaries(t, handler(t))[say.English] {
		said = append(said, text)
	}
	files, err := filepath.Glob("../../keypoint/space/*.go")
	if err != nil {
		t.Fatal(err)
	}
	refusal := regexp.MustCompile(`refuse\(\w+, (?:"([^"]+)"|notSameDetail, (?:fmt.Sprintf\()?"([^"]*)")`)
	same := regexp.MustCompile(`const notSameDetail = "([^"]+)"`)
	number, named := regexp.MustCompile(`%\.\df`), regexp.MustCompile(`\{\w+\}`)
	var source []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source = append(source, text...)
	}
	for i, text := range said {
		said[i] = named.ReplaceAllString(text, "{}")
	}
	all := refusal.FindAllSubmatch(source, -1)
	for _, m := range all {
		want := string(m[1])
		if want == "" {
			want = strings.Replace(string(same.FindSubmatch(source)[1]), "%s", string(m[2]), 1)
		}
		if want = number.ReplaceAllString(want, "{}"); !slices.Contains(said, want) {
			t.Errorf("there are no words for %q", want)
		}
	}
	if len(all) < 12 {
		t.Errorf("only %d refusals were found", len(all))
	}
}
