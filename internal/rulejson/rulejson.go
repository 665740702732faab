// Package rulejson reads and writes what analysis rules and drawing rules share.
package rulejson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// Limits of a rule document.
const (
	// MaxBytes is larger than what httpapi accepts, since written rules have every point
	// as an object, which is up to six times as long as a part name.
	MaxBytes = 512 << 10
	MaxRules = 100
)

// Parse reads the rules of a document: one rule object or an array of at most MaxRules, in at most MaxBytes.
func Parse[R any](data []byte, rule func(v strictjson.Value) R) ([]R, error) {
	if len(data) > MaxBytes {
		return nil, errTooLong
	}
	return strictjson.Read(data, func(root strictjson.Value) []R {
		rules := []R{}
		const want = "a rule object or an array of rule objects"
		switch {
		case root.IsObject():
			rules = append(rules, rule(root))
		case root.Present() && !root.IsArray():
			root.Errorf("is %s, want %s", root.Kind(), want)
		case root.Require(want):
			list, _ := root.Array()
			if len(list) > MaxRules {
				root.Errorf("has %d rules, want at most %d", len(list), MaxRules)
				list = nil
			}
			for _, v := range list {
				if v.Present() {
					rules = append(rules, rule(v))
				} else {
					v.Errorf("is null, want a rule object")
				}
			}
		}
		return rules
	})
}

// One returns the rule of a document with one rule.
func One[R any](rules []R, err error) (rule R, _ error) {
	if err != nil {
		return rule, err
	}
	if len(rules) != 1 {
		return rule, keypoint.FieldErrors{{Detail: fmt.Sprintf("has %d rules, want 1", len(rules))}}
	}
	return rules[0], nil
}

// Check returns the mistakes that check notes in the rules, with their places in the list, and too many rules.
func Check[R any](rules []R, check func(rule *R, note Note)) (errs keypoint.FieldErrors) {
	if len(rules) > MaxRules {
		return keypoint.FieldErrors{{Detail: fmt.Sprintf("has %d rules, want at most %d", len(rules), MaxRules)}}
	}
	for i := range rules {
		errs = append(errs, Under(fmt.Sprintf("/%d", i), CheckOne(&rules[i], check))...)
	}
	return errs
}

// CheckOne returns the mistakes that check notes in a rule.
func CheckOne[R any](rule *R, check func(rule *R, note Note)) (errs keypoint.FieldErrors) {
	check(rule, func(wrong bool, member, format string, args ...any) {
		if wrong {
			errs = append(errs, &keypoint.FieldError{Pointer: member, Detail: fmt.Sprintf(format, args...)})
		}
	})
	return errs
}

// Note takes a mistake in a member of a rule, if it is one.
type Note func(wrong bool, member, format string, args ...any)

// Under moves the places of mistakes under a place.
func Under(place string, errs keypoint.FieldErrors) keypoint.FieldErrors {
	for _, e := range errs {
		e.Pointer = place + e.Pointer
	}
	return errs
}

// Options returns options: the default for true, nil for false and null, and what read reads of an object.
func Options[T any](v strictjson.Value, read func() T) *T {
	switch v.Kind() {
	case "true":
		return new(T)
	case "an object":
		opt := read()
		return &opt
	case "null", "false":
	default:
		v.Errorf("is %s, want true, false or an object of options", v.Kind())
	}
	return nil
}

// OneOf returns a string that is one of the names, "" for an absent value or a mistake.
func OneOf[T ~string](v strictjson.Value, names []T) T {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = string(n)
	}
	name, _ := v.OneOf(list...)
	return T(name)
}

// Marshal writes a document that Parse reads: an array, or one rule alone. A longer one is keypoint.FieldErrors.
func Marshal[R any](rules []R, alone bool) ([]byte, error) {
	var doc any = rules
	if alone && len(rules) == 1 {
		doc = rules[0]
	}
	b, err := json.Marshal(doc)
	if err == nil && len(b) > MaxBytes {
		err = errTooLong
	}
	return b, err
}

// errTooLong reports more than MaxBytes.
var errTooLong = keypoint.FieldErrors{{Detail: "the rule is longer than 512 KiB of JSON"}}

// Point reads one element of "points": a part name, or an object with pointName and an optional pointType, which defaults to single.
func Point(v strictjson.Value) (s keypoint.Selector, ok bool) {
	if v.IsString() {
		s.Parts, ok = names(v)
		return s, ok
	}
	if !v.Require("a part name or an object with pointName") || !v.Known("pointType", "pointName") {
		return s, false
	}
	if t := v.Get("pointType"); t.Present() {
		name, ok := t.OneOf(keypoint.PointTypeNames()...)
		if !ok {
			return s, false
		}
		s.Type = keypoint.PointType(slices.Index(keypoint.PointTypeNames(), name))
	}
	name := v.Get("pointName")
	if !name.Require("a part name or an array of part names") {
		return s, false
	} else if s.Parts, ok = names(name); !ok {
		return s, false
	}
	if err := s.Validate(); err != nil {
		name.Errorf("%s", strings.TrimPrefix(err.Error(), keypoint.ErrInvalid.Error()+" point: "))
		return s, false
	}
	return s, true
}

func names(v strictjson.Value) ([]keypoint.Part, bool) {
	list, ok := []strictjson.Value{v}, true
	if !v.IsString() {
		list, ok = v.Array()
	}
	if len(list) > keypoint.NumParts {
		v.Errorf("has %d part names, want at most %d", len(list), keypoint.NumParts)
		return nil, false
	}
	parts := make([]keypoint.Part, len(list))
	for i, e := range list {
		name, ok := e.Text()
		if !e.Require("a part name") || !ok {
			return nil, false
		}
		var err error
		if parts[i], err = keypoint.ParsePart(name); err != nil {
			e.Errorf("%v", err)
			return nil, false
		}
	}
	return parts, ok
}
