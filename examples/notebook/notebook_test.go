package notebook_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

var update = flag.Bool("update", false, "save the executed notebooks")

var names = []string{"gophernotes", "gonb"}

// text is a string, in notebooks also a list of lines.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var lines []string
	if err := json.Unmarshal(data, &lines); err == nil {
		*t = text(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// notebook is the relevant part of a notebook's file.
type notebook struct {
	Cells []struct {
		Type    string   `json:"cell_type"`
		Source  text     `json:"source"`
		Outputs []output `json:"outputs"`
	} `json:"cells"`
}

// output is one output of a cell.
type output struct {
	Type   string `json:"output_type"`
	Stream string `json:"name"`
	Text   text   `json:"text"`
	Error  string `json:"evalue"`
	Data   struct {
		PNG text `json:"image/png"`
	} `json:"data"`
}

func read(t *testing.T, file string) notebook {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var n notebook
	if err := json.Unmarshal(data, &n); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return n
}

// shown returns the text outputs of the code cells and their pictures.
func (n notebook) shown(t *testing.T) (printed []string, pictures []image.Image) {
	t.Helper()
	for i, c := range n.Cells {
		if c.Type != "code" {
			continue
		}
		var out strings.Builder
		for _, o := range c.Outputs {
			if o.Type == "error" || o.Stream == "stderr" {
				t.Errorf("cell %d failed: %s%s", i, o.Error, o.Text)
			}
			out.WriteString(string(o.Text))
			if o.Data.PNG == "" {
				continue
			}
			data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(string(o.Data.PNG), "\n", ""))
			if err != nil {
				t.Fatalf("cell %d: %v", i, err)
			}
			m, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("cell %d: %v", i, err)
			}
			pictures = append(pictures, m)
		}
		if out.Len() > 0 {
			printed = append(printed, strings.TrimSpace(out.String()))
		}
	}
	return printed, pictures
}

// same checks that two runs have the same output.
func same(t *testing.T, got, want notebook) {
	t.Helper()
	printed, pictures := got.shown(t)
	wantPrinted, wantPictures := want.shown(t)
	if !slices.Equal(printed, wantPrinted) {
		t.Errorf("printed %q\nwant %q", printed, wantPrinted)
	}
	if len(pictures) != len(wantPictures) {
		t.Fatalf("%d pictures, want %d", len(pictures), len(wantPictures))
	}
	for i, m := range pictures {
		if diff := testkit.Unlike(m, wantPictures[i]); diff != "" {
			t.Errorf("picture %d differs %s", i, diff)
		}
	}
}

// TestSaved checks that both notebooks were saved with their output, which is the same.
func TestSaved(t *testing.T) {
	a, b := read(t, "gophernotes.ipynb"), read(t, "gonb.ipynb")
	same(t, a, b)
	printed, pictures := a.shown(t)
	if len(printed) != 6 || len(pictures) != 6 {
		t.Errorf("%d texts and %d pictures are saved, want 6 and 6", len(printed), len(pictures))
	}
}

// commands returns the commands of the README, by block.
func commands(t *testing.T) [][]string {
	t.Helper()
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks [][]string
	for i, part := range strings.Split(string(data), "```") {
		if code, ok := strings.CutPrefix(part, "sh\n"); ok && i%2 == 1 {
			blocks = append(blocks, strings.Split(strings.TrimSpace(code), "\n"))
		}
	}
	return blocks
}

// folder is the folder for the kernels in the README.
const folder = "~/motion-notebooks"

// TestSetup checks that .ci/run sets up the kernels as the README does.
func TestSetup(t *testing.T) {
	blocks := commands(t)
	if len(blocks) < 2 || len(blocks[0]) != 1 {
		t.Fatalf("the README has %q", blocks)
	}
	script, ok := strings.CutSuffix(blocks[0][0], " "+folder)
	if !ok {
		t.Fatalf("the README sets up by %q, want it in %s", blocks[0][0], folder)
	}
	check, err := os.ReadFile(filepath.Join(testkit.Root(t), ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(check), script+` "$MOTION_NOTEBOOKS"`+"\n") {
		t.Errorf(".ci/run does not set up by %q", script)
	}
}

// TestExecute executes both notebooks with the README's commands.
func TestExecute(t *testing.T) {
	testkit.Thorough(t, "compiles the library for each notebook")
	ready := os.Getenv("MOTION_NOTEBOOKS")
	if ready == "" {
		testkit.Skip(t, "MOTION_NOTEBOOKS, a folder that examples/notebook/setup.sh has made")
	}
	root := t.TempDir()
	dir := filepath.Join(root, "examples", "notebook")
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		file := filepath.Join(dir, name+".ipynb")
		if err := rewrite(file, file, forget); err != nil {
			t.Fatal(err)
		}
	}
	blocks := commands(t)
	if len(blocks) < 2 {
		t.Fatalf("the README has %q", blocks)
	}
	script := "set -e\n" + strings.ReplaceAll(strings.Join(blocks[1], "\n"), folder, `"$MOTION_NOTEBOOKS"`)
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", script, err, out)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			file := name + ".ipynb"
			executed := filepath.Join(dir, file)
			if *update {
				if err := rewrite(file, executed, undated); err != nil {
					t.Fatal(err)
				}
			}
			same(t, read(t, executed), read(t, file))
		})
	}
}

// forget removes the output of a cell.
func forget(cell map[string]any) {
	if cell["cell_type"] == "code" {
		cell["outputs"], cell["execution_count"] = []any{}, nil
	}
}

// undated removes the execution time of a cell.
func undated(cell map[string]any) { cell["metadata"] = map[string]any{} }

// rewrite writes a notebook as Jupyter does, with its cells changed.
func rewrite(to, from string, change func(cell map[string]any)) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var n map[string]any
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	cells, ok := n["cells"].([]any)
	if !ok {
		return fmt.Errorf("%s has no cells", from)
	}
	for _, c := range cells {
		if cell, ok := c.(map[string]any); ok {
			change(cell)
		}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(n); err != nil {
		return err
	}
	return os.WriteFile(to, buf.Bytes(), 0o644)
}
