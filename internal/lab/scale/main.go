// Scale measures the throughput and latency of the storage drivers and the queue:
//
//	go run ./internal/lab/scale [-only jobs,latency,pool] [-quick]
//
// It starts its own PostgreSQL and, if installed, PgBouncer in temporary folders. Reads and copies are benchmarks beside it.
// Every figure is a ratio to a baseline measured in the same run, or is printed beside it. -quick
// uses small amounts, to check that the program runs. -simulate does something else: from the service times of
// the jobs of one process it simulates the jobs/s of more, and prints them beside measured ones (docs/use/operating.md).
//
// The parts:
//
//	jobs     jobs/s of 1, 2 and 4 worker processes, whose Estimator only sleeps
//	latency  from the request for a job to the start of its handler
//	pool     jobs/s and latency through PgBouncer, and 200 idle workers on 20 connections
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/bodymotion/motion/internal/lab/internal/child"
)

// part is one of the measurements.
type part struct {
	name string
	run  func(context.Context, *bench) error
}

var parts = []part{{"jobs", jobs}, {"latency", latency}, {"pool", pool}}

// bench is the state that all parts share.
type bench struct {
	dir   string // temporary
	quick bool
	pg    *postgreSQL
	table *tabwriter.Writer
}

// processes are the numbers of workers.
var processes = []int{1, 2, 4}

// amount returns n, or a smaller number with -quick.
func (b *bench) amount(n, small int) int {
	if b.quick {
		return small
	}
	return n
}

// say writes a row of tab-separated cells.
func (b *bench) say(format string, args ...any) { fmt.Fprintf(b.table, format+"\n", args...) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var orders childArgs
	ok, err := child.Orders(&orders)
	if ok && err == nil {
		err = orders.obey(ctx)
	} else if !ok {
		err = run(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// load returns the load averages of the machine, if they are told.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return ", load average " + strings.TrimSpace(string(text))
}

func run(ctx context.Context, args []string) (err error) {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	flags := flag.NewFlagSet("scale", flag.ExitOnError)
	only := flags.String("only", strings.Join(names, ","), "parts to run")
	quick := flags.Bool("quick", false, "use small amounts, to check that the program runs")
	simulated := flags.Bool("simulate", false, "simulate, instead of the parts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	parts := parts
	if *simulated {
		*only, parts, names = "simulate", []part{{"simulate", simulate}}, []string{"simulate"}
	}
	wanted := strings.Split(*only, ",")
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return fmt.Errorf("-only %q: there are %s", w, strings.Join(names, ", "))
		}
	}
	b := &bench{quick: *quick, table: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
	if b.dir, err = os.MkdirTemp("", "motion-scale-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.pg, err = startPostgreSQL(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.pg.remove()) }()
	fmt.Printf("%s/%s, %d CPUs%s\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), load())
	for _, p := range parts {
		if !slices.Contains(wanted, p.name) {
			continue
		}
		fmt.Printf("\n== %s%s\n", p.name, load())
		err := p.run(ctx, b)
		if err := errors.Join(err, b.table.Flush()); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}
