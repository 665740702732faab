package viewer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestCodes: a reader of another maker reads the codes of the page, of every length.
func TestCodes(t *testing.T) {
	modules := testkit.NodeModules(t, "jsqr@1.4.0")
	code, err := filepath.Abs("page/live/qr.js")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(code)
	if err != nil {
		t.Fatal(err)
	}
	write("package.json", `{"type": "module"}`)
	write("live/qr.js", string(text))
	write("base/icons.js", "export const svg = () => {};\n")
	write("test.js", `import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { qr } from './live/qr.js';

const read = createRequire(process.argv[2] + '/index.js')('jsqr');
for (let n = 1; n <= 180; n++) {
  const text = Array.from({ length: n }, (_, i) => 'https://example.org/#/film/squat?with=0123456789é'[(7 * i + n) % 48]).join('');
  const rows = qr(text), k = 4, side = k * (rows.length + 8), pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  for (let i = 0; i < side * side; i++)
    if (rows[Math.floor(i / side / k) - 4]?.[Math.floor((i % side) / k) - 4]) pixels.fill(0, 4 * i, 4 * i + 3);
  assert.equal(read(pixels, side, side)?.data, text, n + ' characters');
}
assert.throws(() => qr('x'.repeat(181)), /181 bytes/);
`)
	if out, err := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "test.js"), modules).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
