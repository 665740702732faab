package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion/storage"
)

// childRole is the environment variable that makes this program a measured process.
const childRole = "MOTION_SCALE_ROLE"

// childArgs are the arguments of a child, as JSON on its first line of input.
type childArgs struct {
	DSN, Schema, Blobs string        // of a worker, and a server's folder
	Sleep              time.Duration // of a worker's Estimator
	Handlers           int

	Source, Endpoint, Bucket string // of a put: the file, and the S3 server instead of Blobs
}

// child runs a role.
func child(ctx context.Context, role string) error {
	in := bufio.NewReader(os.Stdin)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	var args childArgs
	if err := json.Unmarshal(line, &args); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	asked := make(chan struct{})
	go func() { // ends with the process
		defer cancel()
		for {
			if _, err := in.ReadByte(); err != nil {
				return
			}
			asked <- struct{}{}
		}
	}()
	switch role {
	case "work":
		return work(ctx, args)
	case "put":
		return put(ctx, args)
	case "serve":
		return serve(ctx, args, asked)
	}
	return fmt.Errorf("unknown role %q", role)
}

// process is a running child.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startChild(ctx context.Context, role string, args childArgs) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(ctx, program)}
	p.cmd.Env = append(os.Environ(), childRole+"="+role)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 64<<20)
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, json.NewEncoder(p.in).Encode(args)
}

// read decodes the child's next line.
func (p *process) read(v any) error {
	if !p.out.Scan() {
		return errors.Join(errors.New("a child process has no output"), p.out.Err())
	}
	return json.Unmarshal(p.out.Bytes(), v)
}

// end ends the child, decodes its last line and waits.
func (p *process) end(v any) error {
	err := p.in.Close()
	if v != nil {
		err = errors.Join(err, p.read(v))
	}
	return errors.Join(err, p.cmd.Wait())
}

// answer writes a line for read.
func answer(v any) error { return json.NewEncoder(os.Stdout).Encode(v) }

// peakRSS returns the peak memory of this process in MB; 0 if the system does not report it.
func peakRSS() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) * 1024 / 1e6
		}
	}
	return 0
}

// times records the times of events of records, in microseconds.
type times struct {
	mu sync.Mutex
	at map[int64]int64
}

func newTimes() *times { return &times{at: map[int64]int64{}} }

// note records the first time.
func (t *times) note(key storage.Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.at[key.ID]; !ok {
		t.at[key.ID] = time.Now().UnixMicro()
	}
}
