package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/bodymotion/motion/storage/storagetest"
)

// seams are the points before the calls of the storage: a process that dies there leaves something half done. At the
// parent's request, the process kills itself at one of the next seams.
type seams struct{ left atomic.Int64 }

// listen reads the parent's requests, lines of "die N" and of "skew SECONDS", and dies when the parent is gone.
func (s *seams) listen(r io.Reader) {
	for in := bufio.NewScanner(r); in.Scan(); {
		var n int64
		if _, err := fmt.Sscanf(in.Text(), "die %d", &n); err == nil {
			s.left.Store(n)
		}
		if _, err := fmt.Sscanf(in.Text(), "skew %d", &n); err == nil {
			setSkew(time.Duration(n) * time.Second)
		}
	}
	die()
}

// choose makes each call a seam, instead of choosing a fault.
func (s *seams) choose(storagetest.Call) storagetest.Fault {
	if s.left.Load() > 0 && s.left.Add(-1) == 0 {
		die()
	}
	return storagetest.None
}

// die kills this process as kill -9 does.
func die() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		p.Kill()
	}
	select {}
}
