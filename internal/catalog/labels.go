package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bodymotion/motion/storage"
)

// About is what is known of a recording beside its content: of movies, images and keypoints.
type About struct {
	SubjectID  int64           `json:"subjectId,omitempty"`
	RecordedAt time.Time       `json:"recordedAt,omitzero"` // as the client says
	Tags       []string        `json:"tags,omitempty"`
	Filmed     time.Time       `json:"filmed,omitzero"` // as the file says
	Notes      []Note          `json:"notes,omitempty"`
	Links      []string        `json:"links,omitempty"`
	Scaled     bool            `json:"scaled,omitempty"`   // the scale of the request is the height of the subject
	Sketches   json.RawMessage `json:"sketches,omitempty"` // a list of draw.Sketch
}

// Note is a text about a moment, or about all of a recording.
type Note struct {
	Time *float64 `json:"time,omitempty"` // seconds
	Text string   `json:"text"`
}

// Limits of labels.
const (
	maxWords = 400 // of a record
	maxQuery = 20  // words
	maxWord  = 180 // bytes
	maxRun   = 16  // Japanese letters of a word
)

// LabelOf returns the label of the records of a subject; 0 is nobody.
func LabelOf(subject int64) string { return fmt.Sprintf("subject:%d", subject) }

// SubjectOf returns the subject of a record by its labels; 0 is nobody.
func SubjectOf(r storage.Record) (subject int64) {
	for _, label := range r.Labels {
		if id, ok := strings.CutPrefix(label, "subject:"); ok {
			subject, _ = strconv.ParseInt(id, 10, 64) // as LabelOf wrote it
		}
	}
	return subject
}

// FromLabel returns the label of the records that are made directly from another one.
func FromLabel(origin storage.Key) string { return fmt.Sprintf("from:%s/%d", origin.Kind, origin.ID) }

// KeyLabel returns the label of the records with a key: Work.Key.
func KeyLabel(key string) string { return fmt.Sprintf("key:%x", sha256.Sum256([]byte(key))) }

// TagLabel returns the label of the records with a tag. Case and width do not count, and nothing behind maxWord bytes.
func TagLabel(tag string) string {
	tag = plain(tag)
	for len(tag) > maxWord {
		_, n := utf8.DecodeLastRuneInString(tag)
		tag = tag[:len(tag)-n]
	}
	return "tag:" + tag
}

// Search returns the beginnings of labels that a record has whose texts have all words of a query, or words that begin so. Of a
// long query, the first maxQuery words count.
func Search(query string) (begins []string) {
	for _, run := range runs(query) {
		begins = append(begins, "word:"+clip(run))
	}
	return begins[:min(len(begins), maxQuery)]
}

// Sources returns the records whose Texts say what a record is, too: its subject, and of keypoints the movie or image.
func Sources(r storage.Record) ([]storage.Key, error) {
	keys, err := Roots(r)
	return slices.DeleteFunc(keys, func(key storage.Key) bool {
		return key.Kind != storage.Subjects && (r.Kind != storage.Keypoints || !Of(key.Kind).Media())
	}), err
}

// Texts returns the name of a subject, or the name and the text of a movie or image.
func Texts(r storage.Record) (texts []string, err error) {
	var d Form[struct{ Name, Text *string }, struct{}]
	err = Decode(r, &d)
	for _, text := range []*string{d.Request.Name, d.Request.Text} {
		if text != nil {
			texts = append(texts, *text)
		}
	}
	return texts, err
}

// Labelled returns a record with the At and the Labels by which lists find it. texts are those of its Sources.
func Labelled(r storage.Record, texts ...string) (storage.Record, error) {
	var d Form[struct{ Name, Text, Note *string }, struct{}]
	kind := Of(r.Kind)
	var err error
	if len(kind.Origins) == 0 {
		err = Decode(r, &d)
	} else {
		err = Decode(r, &d.Work)
	}
	if err != nil {
		return r, err
	}
	a := About{}
	if d.About != nil {
		a = *d.About
	}
	r.Labels = nil
	if kind.Recorded() {
		r.Labels = append(r.Labels, LabelOf(a.SubjectID))
		r.At = cmp.Or(a.RecordedAt, a.Filmed)
	}
	for _, from := range d.From {
		r.Labels = append(r.Labels, FromLabel(storage.Key{Kind: from.Kind, ID: from.ID}))
	}
	if d.Key != "" {
		r.Labels = append(r.Labels, KeyLabel(d.Key))
	}
	for _, tag := range a.Tags {
		r.Labels = append(r.Labels, TagLabel(tag))
	}
	var own []string
	for _, text := range []*string{d.Request.Name, d.Request.Note, d.Request.Text} {
		if text != nil {
			own = append(own, *text)
		}
	}
	own = slices.Concat(a.Tags, texts, own)
	for _, note := range a.Notes {
		own = append(own, note.Text)
	}
	r.Labels = append(r.Labels, words(own)...)
	slices.Sort(r.Labels)
	r.Labels = slices.Compact(r.Labels)
	return r, nil
}

// words returns the labels of the words of texts, at most maxWords. A run of Japanese letters has no spaces: each of its ends is a word.
func words(texts []string) (list []string) {
	known := map[string]bool{}
	for _, text := range texts {
		for _, run := range runs(text) {
			for at := range run {
				if word := "word:" + clip(run[at:]); !known[word] {
					if known[word] = true; len(known) > maxWords {
						return list
					}
					list = append(list, word)
				}
				if first, _ := utf8.DecodeRuneInString(run); !japanese(first) {
					break
				}
			}
		}
	}
	return list
}

// plain returns a text without what a search does not see.
func plain(text string) string { return strings.ToLower(norm.NFKC.String(text)) }

// runs returns the words of a text, and its runs of Japanese letters.
func runs(text string) (list []string) {
	start, kind := 0, 0
	text = plain(text)
	for at, letter := range text + " " {
		now := 0
		switch {
		case japanese(letter):
			now = 2
		case unicode.IsLetter(letter) || unicode.IsNumber(letter) || kind == 1 && unicode.IsMark(letter):
			now = 1
		}
		if now != kind {
			if kind != 0 {
				list = append(list, text[start:at])
			}
			start, kind = at, now
		}
	}
	return list
}

func japanese(letter rune) bool {
	return unicode.In(letter, unicode.Han, unicode.Hiragana, unicode.Katakana) || letter == '\u30fc' // which lengthens a sound
}

// clip returns a word no longer than labels are.
func clip(word string) string {
	n := 0
	first, _ := utf8.DecodeRuneInString(word)
	for at, letter := range word {
		if n++; japanese(first) && n > maxRun || at+utf8.RuneLen(letter) > maxWord {
			return word[:at]
		}
	}
	return word
}
