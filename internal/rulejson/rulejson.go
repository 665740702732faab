// Package rulejson reads and writes what analysis rules and drawing rules share.
package rulejson

import (
	"encoding/json"
	"fmt"
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

// Parse calls rule for each rule of a document: one rule object or an array of at most
// MaxRules, in at most MaxBytes.
func Parse(data []byte, rule func(v strictjson.Value)) error {
	if len(data) > MaxBytes {
		return errTooLong
	}
	doc, err := strictjson.Parse(data)
	if err != nil {
		return err
	}
	root := doc.Root()
	if root.IsObject() {
		rule(root)
		return doc.Err()
	}
	if !root.Require("a rule object or an array of rule objects") {
		return doc.Err()
	}
	list, ok := root.Array()
	if ok && len(list) > MaxRules {
		root.Errorf("has %d rules, want at most %d", len(list), MaxRules)
		return doc.Err()
	}
	for _, v := range list {
		if v.Present() {
			rule(v)
		} else {
			v.Errorf("is null, want a rule object")
		}
	}
	return doc.Err()
}

// errTooLong reports more than MaxBytes.
var errTooLong = keypoint.FieldErrors{{Detail: "the rule is longer than 512 KiB of JSON"}}

// Marshal writes a document that Parse reads: a single rule object, or an array. Rules
// beyond the limits are keypoint.FieldErrors.
func Marshal[R any](rules []R, single bool) ([]byte, error) {
	if len(rules) > MaxRules {
		return nil, keypoint.FieldErrors{{Detail: fmt.Sprintf("has %d rules, want at most %d", len(rules), MaxRules)}}
	}
	var doc any = append([]R{}, rules...) // [], not null
	if single {
		doc = rules[0]
	}
	b, err := json.Marshal(doc)
	if err == nil && len(b) > MaxBytes {
		err = errTooLong
	}
	return b, err
}

// Point reads one element of "points": a part name, or an object with pointName and an
// optional pointType, which defaults to single.
func Point(v strictjson.Value) (keypoint.Selector, bool) {
	s := keypoint.Selector{Type: keypoint.Single}
	var ok bool
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
		s.Type, _ = keypoint.ParsePointType(name)
	}
	name := v.Get("pointName")
	if !name.Require("a part name or an array of part names") {
		return s, false
	}
	if s.Parts, ok = names(name); !ok {
		return s, false
	}
	if err := s.Validate(); err != nil {
		name.Errorf("%s", strings.TrimPrefix(err.Error(), keypoint.ErrInvalid.Error()+" point: "))
		return s, false
	}
	return s, true
}

// names reads a part name or an array of part names.
func names(v strictjson.Value) ([]keypoint.Part, bool) {
	list := []strictjson.Value{v}
	if !v.IsString() {
		var ok bool
		if list, ok = v.Array(); !ok {
			return nil, false
		}
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
	return parts, true
}
