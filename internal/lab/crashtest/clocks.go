package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// skewSource is added to package time: a clock that may be wrong. The monotonic clock stays right, as it does when a
// machine's clock is set.
const skewSource = `package time

import "sync/atomic"

var skew atomic.Int64

// SetSkew makes Now wrong, by whole seconds.
func SetSkew(d Duration) { skew.Store(int64(d / Second)) }
`

// buildSkewed builds this program with a package time whose clock can be made wrong, in all of its packages.
func buildSkewed(ctx context.Context, dir string) (program string, err error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(strings.TrimSpace(string(out)), "src", "time")
	text, err := os.ReadFile(filepath.Join(source, "time.go"))
	if err != nil {
		return "", err
	}
	const reads = "\nfunc Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	if strings.Count(string(text), reads) != 1 {
		return "", errors.New("time.Now of this Go reads the clock in another way than clocks.go expects")
	}
	files := map[string]string{
		"time.go": strings.Replace(string(text), reads, reads+"\tsec += skew.Load()\n", 1),
		"skew.go": skewSource,
	}
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for name, text := range files {
		overlay.Replace[filepath.Join(source, name)] = filepath.Join(dir, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(overlay)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600)
	}
	if err != nil {
		return "", err
	}
	program = filepath.Join(dir, "skewed")
	build := exec.CommandContext(ctx, "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-tags", "skewed", "-o", program,
		"github.com/bodymotion/motion/internal/lab/crashtest")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, said)
	}
	return program, nil
}

// someSkew is how wrong a clock is: fast, slow, or right. It is an hour; S3 refuses clocks that are wrong by more than 15
// minutes.
func someSkew(p place, random *rand.Rand) time.Duration {
	wrong := time.Hour
	if p.URL != "" {
		wrong = 10 * time.Minute
	}
	return time.Duration(random.IntN(3)-1) * wrong
}

// jump sets the clocks of random processes again and again until stop is closed, and all right in the end.
func (f fleet) jump(random *rand.Rand, stop <-chan struct{}) (jumps int) {
	for {
		select {
		case <-stop:
			for _, p := range f {
				p.setSkew(0)
			}
			return jumps
		case <-time.After(time.Second):
			f[random.IntN(len(f))].setSkew(someSkew(f[0].orders.Place, random))
			jumps++
		}
	}
}

// setSkew sets the clock of the process, and of those that are started after it.
func (p *process) setSkew(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.orders.Skew = d
	fmt.Fprintf(p.running.In, "skew %d\n", d/time.Second) // it may be dead
}
