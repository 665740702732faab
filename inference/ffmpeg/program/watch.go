package program

import (
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// watchEach is the time between two checks of a program's memory.
const watchEach = 100 * time.Millisecond

// watchMemory asks ps for the memory of a started program, and kills the program if it uses more
// than the given bytes. Call exceeded after the program has ended: it stops the watch and reports
// whether the program was killed.
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
