package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The largest size of the product, which is the library's own module: folders with a go.mod of their own do not count.
// What is added makes something unnecessary.
const (
	maxLines = 60233
	maxNames = 979
)

func TestSize(t *testing.T) {
	folders, err := count("../../..")
	if err != nil {
		t.Fatal(err)
	}
	all := total(folders)
	if all.lines > maxLines || all.names > maxNames {
		t.Errorf("the product has %d lines and exports %d names; at most %d and %d are allowed", all.lines, all.names, maxLines, maxNames)
	}
	said, err := os.ReadFile("../../../CONTRIBUTING.md")
	if limits := fmt.Sprintf("at most %d lines and %d exported names", maxLines, maxNames); err != nil || !strings.Contains(string(said), limits) {
		t.Errorf("CONTRIBUTING.md does not say %q: %v", limits, err)
	}
	if of := folders["keypoint"]; of.lines < 500 || of.names < 30 {
		t.Errorf("only %d lines and %d names were counted in keypoint", of.lines, of.names)
	}
	for _, dir := range []string{"examples/quickstart", "internal/testkit", "storage/storagetest", "internal/lab/scale", "httpapi/live", "storage/postgres"} {
		if of, ok := folders[dir]; ok {
			t.Errorf("%s is no part of the product, and counts %+v", dir, of)
		}
	}
	if of := folders["internal/worker"]; of.lines == 0 || of.names != 0 {
		t.Errorf("internal/worker counts %+v", of)
	}
}
