package viewer_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// imports are the folders that the modules of each folder may import, besides their own. They point down: the
// ground, the player, what it shows, and the views, which do not know one another. main.js is above all.
var imports = map[string][]string{
	"base":      nil,
	"player":    {"base"},
	"numbers":   {"base", "player"},
	"library":   {"base", "player"},
	"compare":   {"base", "player", "numbers", "library"},
	"live":      {"base", "player", "numbers", "library"},
	"space":     {"base", "player", "numbers", "library"},
	"recording": {"base", "player", "numbers", "library"},
	"exercises": {"base", "player", "numbers", "library"},
	"people":    {"base", "player", "numbers", "library"},
}

// made are the modules that the handler makes.
var made = map[string]bool{"base/names.js": true, "base/en.js": true, "base/ja.js": true}

// TestModules: every module imports only what it may, by a name that there is, and none imports itself through
// others.
func TestModules(t *testing.T) {
	modules := map[string][]string{}
	for name := range made {
		modules[name] = nil
	}
	for _, name := range sources(t, ".js") {
		text, err := os.ReadFile(path.Join("page", name))
		if err != nil {
			t.Fatal(err)
		}
		modules[name] = nil
		for _, m := range regexp.MustCompile(`(?:from |import |import\()'([^']+)'`).FindAllSubmatch(text, -1) {
			modules[name] = append(modules[name], path.Join(path.Dir(name), string(m[1])))
		}
	}
	arrows := 0
	for name, list := range modules {
		folder, _, inside := strings.Cut(name, "/")
		for _, to := range list {
			arrows++
			if _, ok := modules[to]; !ok {
				t.Errorf("%s imports %s, which there is not", name, to)
			}
			if other := path.Dir(to); inside && other != folder && !slices.Contains(imports[folder], other) {
				t.Errorf("%s imports %s: %s may import %v", name, to, folder, imports[folder])
			}
		}
	}
	if arrows < 100 {
		t.Errorf("only %d imports were found", arrows)
	}
	done := map[string]bool{}
	var follow func(name string, way []string)
	follow = func(name string, way []string) {
		if i := slices.Index(way, name); i >= 0 {
			t.Errorf("a cycle: %s", strings.Join(append(way[i:], name), " → "))
			return
		}
		if done[name] {
			return
		}
		for _, to := range modules[name] {
			follow(to, append(way, name))
		}
		done[name] = true
	}
	for name := range modules {
		follow(name, nil)
	}
}

// first returns what a first visit loads: what index.html names and is not turned off, the modules that main.js
// needs, the words of one language, and the picture of the sample.
func first(t *testing.T) (all, modules []string) {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(path.Join("page", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var need func(name string)
	need = func(name string) {
		if slices.Contains(modules, name) {
			return
		}
		modules = append(modules, name)
		if made[name] {
			return
		}
		for _, m := range regexp.MustCompile(`(?:from |import )'([^']+)'`).FindAllStringSubmatch(read(name), -1) {
			need(path.Join(path.Dir(name), m[1]))
		}
	}
	need("main.js")
	all = append([]string{"index.html", "base/ja.js", "sample.jpg"}, modules...)
	for _, m := range regexp.MustCompile(`(?:href|src)="viewer/([^"]+)"(?: data-of="\w+" disabled)?`).FindAllStringSubmatch(read("index.html"), -1) {
		if !strings.HasSuffix(m[0], "disabled") && !slices.Contains(all, m[1]) {
			all = append(all, m[1])
		}
	}
	return all, modules
}

// TestPreloads: index.html names each module that main.js needs, so that none waits for the one that imports it, and no
// other.
func TestPreloads(t *testing.T) {
	text, err := os.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile(`(?:modulepreload" href|module"(?: async)? src)="viewer/([^"]+)"`).FindAllSubmatch(text, -1) {
		named = append(named, string(m[1]))
	}
	_, modules := first(t)
	slices.Sort(named)
	slices.Sort(modules)
	if !slices.Equal(named, modules) {
		t.Errorf("named are %v, needed %v", named, modules)
	}
}

// TestScripts checks the types of all modules, which their comments state, with the compiler of TypeScript.
func TestScripts(t *testing.T) {
	for _, name := range sources(t, ".js") {
		text, err := os.ReadFile(path.Join("page", name))
		if err != nil || !strings.HasPrefix(string(text), "// @ts-check\n") {
			t.Errorf("%s does not begin with // @ts-check (%v)", name, err)
		}
	}
	compiler := filepath.Join(testkit.NodeModules(t, "typescript@7.0.2"), "node_modules", ".bin", "tsc")
	for _, config := range []string{"jsconfig.json", "types/page.d.ts", "types/base/names.d.ts"} { // go test keeps results until these change
		if _, err := os.ReadFile(config); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), compiler, "-p", "jsconfig.json").CombinedOutput(); err != nil {
		t.Errorf("tsc: %v\n%s", err, out)
	}
	// It finds what is wrong.
	wrong := filepath.Join(t.TempDir(), "wrong.js")
	if err := os.WriteFile(wrong, []byte("// @ts-check\n/** @type {number} */\nexport const n = 'one';\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), compiler, "--checkJs", "--noEmit", wrong).CombinedOutput(); err == nil || !strings.Contains(string(out), "TS2322") {
		t.Errorf("a wrong type: %v\n%s", err, out)
	}
}
