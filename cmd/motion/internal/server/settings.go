package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/cmd/motion/internal/stores"
	"github.com/bodymotion/motion/keypoint/clean"
)

// settings are the flags and the environment.
type settings struct {
	role      motion.Role
	addr, ops string
	stores.Places
	setting   string
	program   string
	base      string
	login     bool
	json      bool
	originals bool
	fonts     setup.Fonts
	clients   *clients
	grace     time.Duration
	workers   int
	keep      keep
	orphans   days
	upkeep    days
	key       string // MOTION_KEY, or what loadKey has read
}

// clients collects the --client flags.
type clients struct {
	secrets map[string]string // by client id
	first   string            // the id of the one that was given first
}

func (c *clients) String() string { return "" }
func (c *clients) Type() string   { return "ID:SECRET" }

func (c *clients) Set(v string) error {
	id, secret, ok := strings.Cut(v, ":")
	if !ok || id == "" || secret == "" {
		return errors.New("want ID:SECRET")
	}
	if _, known := c.secrets[id]; known {
		return fmt.Errorf("client %q is given twice", id)
	}
	if c.first == "" {
		c.first = id
	}
	c.secrets[id] = secret
	return nil
}

// The values of --role.
var roles = map[string]motion.Role{"both": motion.ServeAndWork, "serve": motion.ServeOnly, "work": motion.WorkOnly}

func (s *settings) serves() bool { return s.role != motion.WorkOnly }
func (s *settings) works() bool  { return s.role != motion.ServeOnly }

// Command returns the command serve, which run executes with its settings.
func Command() *cobra.Command { return command(execute) }

func command(run func(context.Context, *settings) error) *cobra.Command {
	s := &settings{upkeep: days(time.Hour), clients: &clients{secrets: map[string]string{}}, key: os.Getenv("MOTION_KEY")}
	c := &cobra.Command{
		Use: "serve", Short: "Serve the page for people and the HTTP API", Args: cobra.NoArgs, Long: long,
		Example: `  motion serve
  motion serve --addr 127.0.0.1:9000 --setting accurate --data my-data
  motion serve --client me:my-secret --keep drawings=12h,all=30d`,
	}
	flags := c.Flags()
	flags.SortFlags = false
	role := ""
	setup.Choice(c, &role, "role", "both", "what the process does: serve, work or both", "both", "serve", "work")
	flags.StringVar(&s.addr, "addr", "", "address to listen on; default: 127.0.0.1:8080, with --role work any free port")
	flags.StringVar(&s.ops, "ops", "", "another address, for /metrics, /healthz and /readyz; with --role work they are at --addr")
	flags.StringVar(&s.Data, "data", "motion-data", "folder for files; no other process may use it")
	flags.StringVar(&s.DB, "db", "", "records: a SQLite file, a postgres:// address, or memory; default: $MOTION_DB, else motion.db in the folder of --data")
	flags.StringVar(&s.Blobs, "blobs", "", "media and drawings: a folder, or s3://BUCKET[/PREFIX][?endpoint=URL&region=REGION]; default: $MOTION_BLOBS, else blobs in the folder of --data")
	flags.DurationVar(&s.grace, "grace", 20*time.Second, "how long a shutdown may take; with --role both, half of it is for requests and half for jobs")
	setup.SettingFlag(c, &s.setting, "balanced")
	flags.IntVar(&s.workers, "workers", 1, "jobs at a time; one extraction uses all cores")
	flags.DurationVar(&s.Poll, "poll", 100*time.Millisecond, "how often to poll for jobs to retry and, behind a pooler, for new jobs; use 1s with hundreds of workers; only with --db postgres://…")
	flags.Var((*size)(&s.MinFree), "min-free", "how much of the disk of --blobs to keep free, for example 20GB: with less, uploads get 503; default 64 MiB")
	flags.Var(&s.keep, "keep", "how long to keep records after their last change, KIND=TIME,… for movies, images, keypoints, comparisons, analyses, drawings or all, for example drawings=12h,all=30d; default: for ever")
	flags.Var(&s.orphans, "orphans", "the age from which files without a record are removed, for example 7d; default: never. No other --db may use the same --blobs")
	flags.Var(&s.upkeep, "upkeep", "how often to apply --keep and --orphans and to clean up after crashes, which lists all files; 0: never, if other processes do it")
	setup.ProgramFlag(c, &s.program)
	flags.StringVar(&s.base, "base-url", "", "public address of the API, for example https://example.com/anymotion/v1/; default: the address of each request")
	flags.BoolVar(&s.login, "login", false, "let the page ask for a client's id and secret even on a loopback address")
	flags.BoolVar(&s.originals, "originals", true, "let clients download the movies and images that they have uploaded, with ?include=media")
	flags.Var(&s.fonts, "font", setup.FontsUsage)
	flags.BoolVar(&s.json, "json", false, "write the log and the address as JSON, one object a line")
	flags.Var(s.clients, "client", "client as ID:SECRET; may be repeated; default: those in $MOTION_CLIENT, separated by spaces, else a new one, which is printed")
	c.MarkFlagDirname("data")
	c.RunE = func(c *cobra.Command, _ []string) error {
		s.role = roles[role]
		if err := s.complete(flags.Changed); err != nil {
			return err
		}
		return run(c.Context(), s)
	}
	return c
}

// complete adds what the environment says and reports what does not go together.
func (s *settings) complete(given func(flag string) bool) error {
	if err := s.fromEnvironment(); err != nil {
		return err
	}
	if err := s.check(given); err != nil {
		return err
	}
	if s.addr == "" {
		s.addr = "127.0.0.1:8080"
		if !s.serves() {
			s.addr = "127.0.0.1:0"
		}
	}
	return nil
}

// fromEnvironment reads the settings that may hold secrets, unless flags give them.
func (s *settings) fromEnvironment() error {
	s.FromEnvironment()
	if s.clients.first != "" {
		return nil
	}
	for _, client := range strings.Fields(os.Getenv("MOTION_CLIENT")) {
		if err := s.clients.Set(client); err != nil {
			return fmt.Errorf("MOTION_CLIENT: %w", err)
		}
	}
	return nil
}

// check reports flags that do not go together.
func (s *settings) check(given func(flag string) bool) error {
	switch {
	case s.role != motion.ServeAndWork && !s.Shared():
		return fmt.Errorf("--role %s needs --db postgres://…: a SQLite file and memory have no queue that other processes see", s.role)
	case s.Check() != nil:
		return s.Check()
	case given("workers") && s.workers < 1:
		return fmt.Errorf("--workers is %d, want 1 or more", s.workers)
	case given("poll") && !s.Shared():
		return errors.New("--poll has no meaning without --db postgres://…: a queue in memory tells at once")
	case given("poll") && s.Poll < 5*time.Millisecond:
		return fmt.Errorf("--poll is %v, want 5ms or more", s.Poll)
	case given("min-free") && s.Bucket():
		return errors.New("--min-free has no meaning with --blobs s3://…, whose server looks after its disk")
	case given("orphans") && s.orphans <= 0:
		return fmt.Errorf("--orphans is %v, want more than 0", time.Duration(s.orphans))
	case s.upkeep < 0:
		return fmt.Errorf("--upkeep is %v, want 0 or more", time.Duration(s.upkeep))
	case s.upkeep == 0 && (given("keep") || given("orphans")):
		return errors.New("--keep and --orphans have no meaning with --upkeep 0")
	case s.grace < 0:
		return fmt.Errorf("--grace is %v, want 0 or more", s.grace)
	case s.key != "" && len(s.key) < minKey:
		return fmt.Errorf("MOTION_KEY has %d bytes, want at least %d", len(s.key), minKey)
	}
	useless := []string{"setting", "workers", "poll", "keep", "orphans", "upkeep"}
	switch s.role {
	case motion.ServeAndWork:
		return nil
	case motion.WorkOnly:
		useless = []string{"client", "base-url", "login", "originals", "ops"}
	}
	for _, name := range useless {
		if given(name) {
			return fmt.Errorf("--%s has no meaning with --role %s", name, s.role)
		}
	}
	return nil
}

// config returns the part of a Service's configuration that the settings define.
func (s *settings) config() motion.Config {
	c := motion.Config{
		Clean: clean.Default(), Role: s.role, Workers: s.workers, DrainTimeout: s.share(), WorkDir: s.Work(),
		Retention: motion.Retention(s.keep), OrphanAge: time.Duration(s.orphans), UpkeepEvery: time.Duration(s.upkeep),
		Fonts: s.fonts,
	}
	if s.upkeep == 0 {
		c.UpkeepEvery = -1
	}
	return c
}
