package viewer

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

//go:embed words
var wordFiles embed.FS

// words returns the words of the page: those of the library, and the page's own by key, in a file for each folder of the page. Places
// for arguments are {name} in the page's own, {0}, {1} … in the library's.
func words() (say.Book, error) {
	all := say.Book{}
	for key, text := range said() {
		all[key] = text
	}
	err := fs.WalkDir(wordFiles, "words", func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := wordFiles.ReadFile(at)
		if err != nil {
			return err
		}
		for key, text := range say.Open(data) {
			if _, ok := all[key]; ok {
				return fmt.Errorf("viewer: %s has %q once more", at, key)
			}
			all[key] = text
		}
		return nil
	})
	return all, err
}

// said returns the words of the library by the keys of the page. Names are titles there, of parts, sides, joints, types and movements.
func said() say.Book {
	all := say.Book{}
	for key, text := range say.All() {
		all[key] = placed(text)
		if strings.HasPrefix(key, "movement.") {
			all[key] = text.Title()
		}
		if !strings.Contains(key, ".") {
			all["angle."+key] = text.Title()
		}
	}
	for _, side := range []string{"left", "right"} {
		all["side."+side] = say.Name(side).Title()
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		all["part."+p.String()] = say.Name(p.String()).Title()
	}
	for _, t := range analyze.Types() {
		name := string(t)
		all["type."+name] = say.Name(name).Title()
		if t.Sided() {
			for _, side := range []string{"left", "right"} {
				all["joint."+side+"."+name] = say.Of(side, name).Title()
			}
		}
	}
	for _, u := range say.Units() {
		all["unit."+u.Name] = u.After
	}
	return all
}

var verb = regexp.MustCompile(`%[-+# 0]*[0-9.]*(?:\[(\d+)\])?[a-z]`)

// placed returns a text with places for arguments by their numbers instead of verbs.
func placed(text say.Text) say.Text {
	text = maps.Clone(text)
	for language, s := range text {
		n := -1
		text[language] = verb.ReplaceAllStringFunc(s, func(v string) string {
			n++
			if of := verb.FindStringSubmatch(v)[1]; of != "" {
				k, _ := strconv.Atoi(of) // digits
				n = k - 1
			}
			return "{" + strconv.Itoa(n) + "}"
		})
	}
	return text
}

// dictionary returns the module with the words of a language.
func dictionary(all say.Book, language say.Language) ([]byte, error) {
	list := map[string]string{}
	for key, text := range all {
		list[key] = text.In(language)
	}
	data, err := json.Marshal(list)
	return fmt.Appendf(nil, "export default %s;\n", data), err
}
