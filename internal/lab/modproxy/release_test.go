package modproxy_test

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/bodymotion/motion/internal/lab/modproxy"
	"github.com/bodymotion/motion/internal/testkit"
)

// requires returns what a go.mod requires of this repository, and whether it has replace directives.
func requires(t *testing.T, file string) (versions map[string]string, replaces bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	versions = map[string]string{}
	for _, r := range mod.Require {
		if strings.HasPrefix(r.Mod.Path, modproxy.Module) {
			versions[r.Mod.Path] = r.Mod.Version
		}
	}
	return versions, len(mod.Replace) > 0
}

// workspace copies what .github/release.sh reads and writes into a repository of its own, whose changelog has a section
// for a version, and returns its folder and the go.mod files.
func workspace(t *testing.T, version string) (dir string, mods []string) {
	t.Helper()
	root := testkit.Root(t)
	text, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"CHANGELOG.md": "# Changelog\n\n## " + strings.TrimPrefix(version, "v") + "\n"}
	for _, use := range work.Use {
		mods = append(mods, path.Join(use.Path, "go.mod"))
	}
	for _, name := range append(mods, "go.work", ".github/release.sh", "internal/lab/modproxy/modproxy.go") {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	dir = tree(t, files)
	git(t, dir, "config", "user.name", "nobody")
	git(t, dir, "config", "user.email", "nobody@example.com")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "all")
	return dir, mods
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// release runs .github/release.sh.
func release(dir, version string) (string, error) {
	cmd := exec.Command("bash", filepath.Join(dir, ".github", "release.sh"), version)
	cmd.Dir = os.TempDir() // it finds its checkout
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestRelease makes a release in a copy.
func TestRelease(t *testing.T) {
	testkit.NeedShell(t)
	const version = "v1.98.7-rc.1"
	dir, mods := workspace(t, version)
	said, err := release(dir, version)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var want []string
	changed := []string{"internal/lab/modproxy/modproxy.go"}
	for _, file := range mods {
		versions, replaces := requires(t, filepath.Join(dir, file))
		for path, v := range versions {
			if v != version {
				t.Errorf("%s requires %s %s", file, path, v)
			}
		}
		if !replaces {
			want = append(want, path.Join(path.Dir(file), version))
		}
		if len(versions) > 0 {
			changed = append(changed, file)
		}
	}
	head, tags := git(t, dir, "rev-parse", "HEAD"), strings.Fields(git(t, dir, "tag"))
	slices.Sort(want)
	slices.Sort(tags)
	if len(want) < 12 || !slices.Equal(tags, want) {
		t.Errorf("the tags are %q, want %q", tags, want)
	}
	for _, tag := range tags {
		if at := git(t, dir, "rev-parse", tag+"^{commit}"); at != head {
			t.Errorf("%s is at %s, want %s", tag, at, head)
		}
	}
	diff := strings.Fields(git(t, dir, "diff", "--name-only", "HEAD~1"))
	slices.Sort(changed)
	slices.Sort(diff)
	if !slices.Equal(diff, changed) {
		t.Errorf("the commit changes %q, want %q", diff, changed)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "internal/lab/modproxy/modproxy.go")); err != nil || !bytes.Contains(text, []byte(`const Version = "`+version+`"`)) {
		t.Errorf("the tests have another version (%v)", err)
	}
	if left := git(t, dir, "status", "--porcelain"); left != "" {
		t.Errorf("left over: %s", left)
	}
	if lines := strings.Split(strings.TrimSpace(said), "\n"); lines[len(lines)-1] != "\tgit push origin "+version {
		t.Errorf("says\n%s", said)
	}
}

// TestReleaseRefused checks what is not released, and that nothing has changed then.
func TestReleaseRefused(t *testing.T) {
	testkit.NeedShell(t)
	const version = "v1.98.7"
	for name, c := range map[string]struct {
		version string
		before  func(t *testing.T, dir string)
		want    string
	}{
		"no version":   {"1.98.7", nil, "usage:"},
		"another path": {"v2.0.0", nil, "usage:"},
		"no changelog": {"v1.99.0", nil, "CHANGELOG.md has no section"},
		"a change": {version, func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "new"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "not committed"},
		"a tag": {version, func(t *testing.T, dir string) { git(t, dir, "tag", "storage/s3/"+version) }, "storage/s3/" + version + " already"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := workspace(t, version)
			if c.before != nil {
				c.before(t, dir)
			}
			state := func() string {
				return git(t, dir, "rev-parse", "HEAD") + git(t, dir, "tag") + git(t, dir, "status", "--porcelain") + git(t, dir, "diff")
			}
			before := state()
			if said, err := release(dir, c.version); err == nil || !strings.Contains(said, c.want) {
				t.Errorf("%v\n%s", err, said)
			}
			if after := state(); after != before {
				t.Errorf("there is now\n%s", after)
			}
		})
	}
}

// TestOneVersion checks that all modules of the checkout require each other in the version that tests give it.
func TestOneVersion(t *testing.T) {
	_, mods := workspace(t, modproxy.Version)
	for _, file := range mods {
		versions, _ := requires(t, filepath.Join(testkit.Root(t), filepath.FromSlash(file)))
		for path, v := range versions {
			if v != modproxy.Version {
				t.Errorf("%s requires %s %s, want %s", file, path, v, modproxy.Version)
			}
		}
	}
}
