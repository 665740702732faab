package driver

import (
	"fmt"
	"io/fs"

	"github.com/bodymotion/motion/storage"
)

// Migrations returns the files migrations/*.sql of an embedded folder, in the order of their
// names: 0001.sql creates the tables of version 1 in an empty database.
func Migrations(files fs.FS) []string {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	var scripts []string
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err) // it is embedded
		}
		scripts = append(scripts, string(b))
	}
	return scripts
}

// Pending returns the scripts that a place of the version has not run. A version above theirs,
// made by a newer program, is storage.ErrInvalid.
func Pending(scripts []string, place string, version int) ([]string, error) {
	if version > len(scripts) {
		return nil, fmt.Errorf("%w %s: its version is %d and this program knows versions up to %d: use a newer program", storage.ErrInvalid, place, version, len(scripts))
	}
	return scripts[version:], nil
}
