package main

import (
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
)

// TestSettings: what goes together, and what a wrong combination is told.
func TestSettings(t *testing.T) {
	const pg, at = "-db=postgres://db/motion", "-blobs=s3://bucket"
	for _, c := range []struct {
		args string
		want string // in the error; "" for none
	}{
		{"", ""},
		{"-db=x.db -blobs=/somewhere", ""},
		{pg + " " + at, ""},
		{"-role=serve " + pg + " " + at + " -client=a:b -ops=:0", ""},
		{"-role=work " + pg + " " + at + " -setting=fast -grace=0", ""},
		{"-role=rest", "-role"},
		{"-role=work", "postgres"},
		{"-role=work -db=memory", "postgres"},
		{"-role=serve -db=x.db " + at, "postgres"},
		{pg, "-blobs"},
		{"-db=memory " + at, "-blobs"},
		{"-grace=-1s", "-grace"},
		{"-role=work -client=a:b " + pg + " " + at, "-client"},
		{"-role=work -login " + pg + " " + at, "-login"},
		{"-role=serve -setting=fast " + pg + " " + at, "-setting"},
		{"more", "more"},
	} {
		_, err := parse(strings.Fields(c.args))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
	t.Setenv("MOTION_KEY", "short")
	if _, err := parse(nil); err == nil || !strings.Contains(err.Error(), "MOTION_KEY") {
		t.Error(err)
	}
}

// TestShare: what a process does is done within the grace time.
func TestShare(t *testing.T) {
	for role, want := range map[motion.Role]time.Duration{motion.ServeAndWork: 5 * time.Second, motion.ServeOnly: 10 * time.Second, motion.WorkOnly: 10 * time.Second} {
		if got := (&settings{role: role, grace: 10 * time.Second}).share(); got != want {
			t.Errorf("%q: %v, want %v", role, got, want)
		}
	}
}
