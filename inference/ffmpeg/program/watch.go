package program

import (
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// watchEach is how often a program's memory is looked at.
const watchEach = 100 * time.Millisecond

// watchMemory asks ps for the memory of a program that has started, and kills the program when it
// has more than so many bytes. After its end, call exceeded: it ends the watch and reports whether
// the program was killed.
func watchMemory(cmd *exec.Cmd, bytes int64) (exceeded func() bool) {
	stop, killed := make(chan struct{}), make(chan bool, 1)
	go func() {
		tick := time.NewTicker(watchEach)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				killed <- false
				return
			case <-tick.C:
			}
			out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(cmd.Process.Pid)).Output()
			kib, notNumber := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
			if err == nil && notNumber == nil && kib<<10 > bytes {
				killed <- cmd.Cancel() == nil
				return
			}
		}
	}()
	return func() bool {
		close(stop)
		return <-killed
	}
}
