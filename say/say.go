// Package say has the words of the library, in English and Japanese: names, sentences, amounts with their uncertainty, and directions.
//
//	texts := say.Book{"peak": {say.English: "%s: %s", say.Japanese: "%s：%s"}}
//	peak := say.Amount{Value: 93.4, Sigma: 7.2, Unit: "°"}
//	fmt.Println(say.Sentence(texts.Say("peak", say.Of("left", "kneeFlexion"), peak)))
//	// Left knee flexion: 93° ± 8.
//
// A package that says something keeps its sentences beside its code, in a file of texts in all languages (see Book), and fills
// them with the names and amounts of this package. What shows results, such as a report or a page, prints them as they are.
//
// The package is pure: no I/O, no clock, no goroutine.
package say

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Language is the language of a text. The zero value means English.
type Language string

// The languages.
const (
	English  Language = "en"
	Japanese Language = "ja"
)

// Languages returns all languages.
func Languages() []Language { return []Language{English, Japanese} }

// Text is the same in all languages. Its JSON is an object, such as {"en": "left knee", "ja": "左膝"}. nil says nothing.
type Text map[Language]string

// term is what a text can be filled with: a Text or an Amount.
type term interface {
	In(l Language) string
}

// In returns the text in a language, or in English if it lacks that language.
func (t Text) In(l Language) string {
	if s, ok := t[l]; ok {
		return s
	}
	return t[English]
}

// String returns the text in English.
func (t Text) String() string { return t[English] }

// with fills the verbs of the text.
func (t Text) with(args ...any) Text {
	return t.each(func(l Language, format string) string {
		said := slices.Clone(args)
		for k, a := range said {
			if a, ok := a.(term); ok {
				said[k] = a.In(l)
			}
		}
		return fmt.Sprintf(format, said...)
	})
}

// Title returns the text with a capital first letter.
func (t Text) Title() Text {
	return t.each(func(_ Language, s string) string {
		first, n := utf8.DecodeRuneInString(s)
		return string(unicode.ToUpper(first)) + s[n:]
	})
}

func (t Text) each(change func(l Language, s string) string) Text {
	if t == nil {
		return nil
	}
	out := Text{}
	for l, s := range t {
		out[l] = change(l, s)
	}
	return out
}

// Join joins texts with another text between them. Those that are nil are left out; nil if all are.
func Join(between Text, texts ...Text) Text {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t Text) bool { return t == nil })
	if len(texts) == 0 {
		return nil
	}
	return between.each(func(l Language, s string) string {
		said := make([]string, len(texts))
		for k, t := range texts {
			said[k] = t.In(l)
		}
		return strings.Join(said, s)
	})
}

// Phrase joins parts of a sentence: "left knee flexion, at least 90°".
func Phrase(parts ...Text) Text { return Join(texts["list.comma"], parts...) }

// List names several things: "left knee, left ankle and nose".
func List(things ...Text) Text {
	if n := len(things) - 1; n > 0 {
		return Join(texts["list.and"], Phrase(things[:n]...), things[n])
	}
	return Phrase(things...)
}

// Sentence joins its parts, begins with a capital letter and ends with a full stop.
func Sentence(parts ...Text) Text {
	return Join(texts["sentence.stop"], Phrase(parts...), Text{}).Title()
}

// Paragraph joins sentences.
func Paragraph(sentences ...Text) Text { return Join(texts["sentence.gap"], sentences...) }

// Book has texts by key.
type Book map[string]Text

// Open reads a book: a JSON object with a text in all languages, or {"en": …, "ja": …} with a text for each key. It is for files that
// a program embeds, and panics if one is not such an object or lacks a language.
func Open(data []byte) Book {
	var b Book
	if err := json.Unmarshal(data, &b); err != nil {
		panic(err)
	}
	for key, t := range b {
		for _, l := range Languages() {
			if _, ok := t[l]; !ok {
				panic(fmt.Sprintf("say: the text %q has no words in the language %s", key, l))
			}
		}
	}
	return b
}

// Say returns the text of a key, with its verbs filled as fmt.Sprintf does, in each language: a Text or an Amount among the
// arguments is said in that language. It panics if there is no such text.
func (b Book) Say(key string, args ...any) Text {
	t, ok := b[key]
	switch {
	case !ok:
		panic(fmt.Sprintf("say: there is no text %q", key))
	case len(args) == 0:
		return maps.Clone(t)
	}
	return t.with(args...)
}

// Count returns the text for a number of things: that of the key with ".one" if there is only one. The number is its first argument.
func (b Book) Count(key string, n int, args ...any) Text {
	if one := key + ".one"; n == 1 && b[one] != nil {
		key = one
	}
	return b.Say(key, append([]any{n}, args...)...)
}
