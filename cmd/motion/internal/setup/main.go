package setup

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"
)

// Main runs a program; Ctrl+C and SIGTERM end its context, and a second one ends the process at
// once. An error other than flag.ErrHelp is printed, and the process exits with the status of an Exit in it, else with
// 130 after Ctrl+C and 143 after SIGTERM, as shells do, or 1.
func Main(name string, run func(ctx context.Context, args []string) error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signals, status := make(chan os.Signal, 1), atomic.Int32{}
	status.Store(1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if got, ok := (<-signals).(syscall.Signal); ok {
			status.Store(128 + int32(got))
		}
		signal.Stop(signals) // the next signal does what signals do by default
		stop()
	}()
	if err := run(ctx, os.Args[1:]); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			lines := strings.Split(err.Error(), "\n")
			for i := range lines {
				lines[i] = Visible(lines[i])
			}
			fmt.Fprintln(os.Stderr, name+":", strings.Join(lines, "\n"))
		}
		exit := Exit{Status: int(status.Load())}
		errors.As(err, &exit)
		os.Exit(exit.Status)
	}
}

// Exit is an error with the exit status of the process.
type Exit struct {
	Status int
	Reason string
}

func (e Exit) Error() string { return e.Reason }

// Visible returns a text, such as the name of a file, for a terminal: what would control it or turn the direction of
// writing is escaped as in Go.
func Visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// overtime is how long after its grace a process may still run, less than 2 s.
const overtime = 1800 * time.Millisecond

// ExitAfter ends the process at most 2 s later than grace after the end of ctx, whatever still
// runs then: work that ignores its context must not keep it.
func ExitAfter(ctx context.Context, grace time.Duration) {
	context.AfterFunc(ctx, func() {
		time.Sleep(grace + overtime)
		fmt.Fprintf(os.Stderr, "the shutdown takes longer than %v: exiting\n", grace)
		os.Exit(1)
	})
}
