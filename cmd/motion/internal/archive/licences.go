package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// part is something that the archive contains.
type part struct {
	name, version string
	module        bool // a Go module
	licences      []string
	texts         map[string][]byte // by path
	file          string            // beside the program; "": the part is in the program
	content       []byte            // of that file
}

// program is the package of the program.
const program = "github.com/bodymotion/motion/cmd/motion"

// modules returns what is linked into the program: Go and all modules, sorted by name. Version is that of our own.
func modules(ctx context.Context, version string) ([]part, error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-f", `{{.Dir}}{{with .Module}}|{{.Path}}|{{.Version}}|{{.Dir}}{{end}}`, program)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	found := map[string]*part{"go": {name: "go", version: strings.TrimPrefix(runtime.Version(), "go"), texts: map[string][]byte{}}}
	if err := found["go"].collect(strings.TrimSpace(string(goroot)), ""); err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) < 4 {
			continue // the standard library
		}
		dir, path, root := fields[0], fields[1], fields[3]
		if found[path] == nil {
			found[path] = &part{name: path, version: fields[2], module: true, texts: map[string][]byte{}}
			if fields[2] == "" {
				found[path].version = version
			}
		}
		for ; ; dir = filepath.Dir(dir) {
			below, err := filepath.Rel(root, dir)
			if err != nil || strings.HasPrefix(below, "..") {
				break
			}
			if err := found[path].collect(dir, below); err != nil {
				return nil, err
			}
		}
	}
	var parts []part
	for _, p := range found {
		switch {
		case len(p.licences) > 0:
		case strings.HasPrefix(p.name, "github.com/bodymotion/motion/"): // its licence is the file of the module above it
			p.licences = []string{"Apache-2.0"}
		default:
			return nil, fmt.Errorf("%s has no file with a licence", p.name)
		}
		slices.Sort(p.licences)
		p.licences = slices.Compact(p.licences)
		parts = append(parts, *p)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

var (
	licenceFile = regexp.MustCompile(`(?i)^(unlicense|licen[cs]e|copying)[^/]*$`)
	otherText   = regexp.MustCompile(`(?i)^(licen[cs]es/|notice|copyright|patents|authors)`)
)

// collect adds the texts that lie in a folder, which is named below in the part.
func (p *part) collect(dir, below string) error {
	here, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	deeper, err := filepath.Glob(filepath.Join(dir, "licen[cs]es", "*")) // texts that the licence refers to
	if err != nil {
		return err
	}
	for _, path := range append(here, deeper...) {
		short, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		short = filepath.ToSlash(short)
		licence := licenceFile.MatchString(short)
		name := filepath.ToSlash(filepath.Join(below, short))
		if !licence && !otherText.MatchString(short) || p.texts[name] != nil || filepath.Ext(name) == ".go" {
			continue
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		if p.texts[name], err = os.ReadFile(path); err != nil {
			return err
		}
		if !licence {
			continue
		}
		id := identify(p.texts[name])
		if id == "" {
			return fmt.Errorf("%s: %s is none of the licences that a release may contain", p.name, name)
		}
		p.licences = append(p.licences, id)
	}
	return nil
}

// known are the licences that a release may contain, by words of theirs. The first that fits counts.
var known = []struct {
	id    string
	words []string
}{
	{"FTL", []string{"the FreeType License"}},
	{"MPL-2.0", []string{"Mozilla Public License", "2.0"}},
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"BSD-3-Clause", []string{"Redistributions of source code must retain", "endorse or promote"}},
	{"BSD-2-Clause", []string{"Redistributions of source code must retain"}},
	{"MIT", []string{"Permission is hereby granted, free of charge", "permission notice shall be included"}},
	{"MIT-0", []string{"MIT No Attribution", "Permission is hereby granted, free of charge"}},
	{"Unlicense", []string{"This is free and unencumbered software released into the public domain"}},
	{"ISC", []string{"Permission to use, copy, modify, and", "distribute this software for any purpose"}},
}

// identify returns the SPDX identifier of a licence, "" if it is unknown.
func identify(text []byte) string {
	plain := bytes.ToLower(bytes.Join(bytes.Fields(text), []byte(" ")))
	for _, k := range known {
		if !slices.ContainsFunc(k.words, func(w string) bool { return !bytes.Contains(plain, []byte(strings.ToLower(w))) }) {
			return k.id
		}
	}
	return ""
}
