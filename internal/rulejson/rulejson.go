// Package rulejson reads and writes what analysis rules and drawing rules share.
package rulejson

import (
	"bytes"
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
		if !v.Present() {
			v.Errorf("is null, want a rule object")
			continue
		}
		rule(v)
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
	if v.IsString() {
		p, ok := part(v)
		s.Parts = []keypoint.Part{p}
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
	parts, ok := names(name)
	if !ok {
		return s, false
	}
	s.Parts = parts
	if err := s.Validate(); err != nil {
		name.Errorf("%s", strings.TrimPrefix(err.Error(), keypoint.ErrInvalid.Error()+" point: "))
		return s, false
	}
	return s, true
}

func names(v strictjson.Value) ([]keypoint.Part, bool) {
	if v.IsString() {
		p, ok := part(v)
		return []keypoint.Part{p}, ok
	}
	list, ok := v.Array()
	if !ok {
		return nil, false
	}
	if len(list) > keypoint.NumParts {
		v.Errorf("has %d part names, want at most %d", len(list), keypoint.NumParts)
		return nil, false
	}
	parts := make([]keypoint.Part, len(list))
	for i, e := range list {
		if !e.Require("a part name") {
			return nil, false
		}
		if parts[i], ok = part(e); !ok {
			return nil, false
		}
	}
	return parts, true
}

func part(v strictjson.Value) (keypoint.Part, bool) {
	name, ok := v.Text()
	if !ok {
		return 0, false
	}
	p, err := keypoint.ParsePart(name)
	if err != nil {
		v.Errorf("%v", err)
		return 0, false
	}
	return p, true
}

// Expand returns the rule document with every bare part name in "points" written
// as {"pointType": "single", "pointName": name}, and everything else as it is.
func Expand(data []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return nil, err
	}
	rules, ok := doc.([]any)
	if !ok {
		rules = []any{doc}
	}
	for _, r := range rules {
		rule, _ := r.(map[string]any)
		points, _ := rule["points"].([]any)
		for i, p := range points {
			if name, ok := p.(string); ok {
				points[i] = map[string]any{"pointType": keypoint.Single.String(), "pointName": name}
			}
		}
	}
	return json.Marshal(doc)
}
