// Scale measures the throughput and latency of the storage drivers and the queue:
//
//	go run ./internal/lab/scale [-only jobs,latency,pool,reads,lists,labels,blobs] [-processes 1,2,4] [-quick]
//
// It starts its own PostgreSQL and, if installed, PgBouncer and an S3 server in temporary folders.
// Every figure is a ratio to a baseline measured in the same run, or is printed beside it. -quick
// uses small amounts, to check that the program runs. -simulate does something else: from the service times of
// the jobs of one process it simulates the jobs/s of more, prints them beside measured ones, and what no measurement
// reaches, and counts requests to S3 (docs/scale.md).
//
// The parts:
//
//	jobs     jobs/s of 1, 2 and 4 worker processes (or -processes), whose Estimator only sleeps
//	latency  from the request for a job to the start of its handler
//	pool     jobs/s and latency through PgBouncer, and 200 idle workers on 20 connections
//	reads    Store.Get and GET over HTTP, compared with the bare query
//	lists    the first page and page 5,000 of 1,000 and of 1,000,000 records
//	labels   the first and the last page by person, tag, words and time, of 1,000 and of 100,000 records
//	blobs    500 MB to files and to S3, compared with cp and curl, with peak memory
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
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
)

// part is one of the measurements.
type part struct {
	name string
	run  func(context.Context, *bench) error
}

var parts = []part{{"jobs", jobs}, {"latency", latency}, {"pool", pool}, {"reads", reads}, {"lists", lists}, {"labels", labels}, {"blobs", blobs}}

// bench is the state that all parts share.
type bench struct {
	dir       string // temporary
	quick     bool
	processes []int // numbers of workers
	pg        *postgreSQL
	table     *tabwriter.Writer
}

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
	var err error
	if role, ok := os.LookupEnv(childRole); ok {
		err = child(ctx, role)
	} else {
		err = run(ctx, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// load returns the load average of the machine.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return ", load average " + strings.Fields(string(text))[0]
}

func run(ctx context.Context, args []string) (err error) {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	flags := flag.NewFlagSet("scale", flag.ExitOnError)
	only := flags.String("only", strings.Join(names, ","), "parts to run")
	processes := flags.String("processes", "1,2,4", "numbers of worker processes, at most 16")
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
	for _, text := range strings.Split(*processes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 16 {
			return fmt.Errorf("-processes %q: want numbers from 1 to 16, such as 1,2,4", *processes)
		}
		b.processes = append(b.processes, n)
	}
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
