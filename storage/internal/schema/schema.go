// Package schema reads the scripts that make the tables of a store. What they are run on
// has a version: how many of them it has seen.
package schema

import (
	"fmt"
	"io/fs"

	"github.com/bodymotion/motion/storage"
)

// Scripts returns the files migrations/*.sql of an embedded folder, in the order of their
// names: 0001.sql is the first and makes the tables of version 1 out of nothing.
func Scripts(files fs.FS) []string {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	var scripts []string
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // it is part of the program
		}
		scripts = append(scripts, string(b))
	}
	return scripts
}

// Left returns the scripts that are left to run on a place of a version, none where it is
// up to date. A version above theirs, made by a newer program, is a storage.ErrInvalid.
func Left(scripts []string, place string, version int) ([]string, error) {
	if version > len(scripts) {
		return nil, fmt.Errorf("%w %s: its version is %d and this program knows versions up to %d: use a newer program", storage.ErrInvalid, place, version, len(scripts))
	}
	return scripts[version:], nil
}
