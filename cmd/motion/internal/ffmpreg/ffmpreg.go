// Package ffmpreg runs FFmpeg compiled to WebAssembly inside the process, for machines without
// an installed FFmpeg, and as a sandbox for untrusted media: the program can access only its
// input file and its output folder.
//
// FFmpeg comes from codeberg.org/gruf/go-ffmpreg, which is licensed under the GNU
// General Public License, version 3. That licence applies to every program that contains this
// package, which is why only the examples import it.
package ffmpreg

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"codeberg.org/gruf/go-ffmpreg/embed"
	"codeberg.org/gruf/go-ffmpreg/wasm"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// Runner is a program.Runner. The zero value is ready to use. The first run compiles FFmpeg, unless
// Compile was called. One Runner serves the whole process.
type Runner struct {
	once    sync.Once
	err     error
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

var _ program.Runner = (*Runner)(nil)

// Compile compiles FFmpeg, which takes some seconds, and stores it in the user cache.
func (r *Runner) Compile() error {
	r.once.Do(func() {
		ctx := context.Background()
		cfg := wazero.NewRuntimeConfig().WithCloseOnContextDone(true)
		if dir, err := os.UserCacheDir(); err == nil {
			if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "motion", "wazero")); err == nil {
				cfg = cfg.WithCompilationCache(cache)
			}
		}
		if r.runtime, r.err = wasm.NewRuntime(ctx, cfg); r.err == nil {
			r.module, r.err = r.runtime.CompileModule(ctx, embed.B())
		}
		if r.err != nil {
			r.err = fmt.Errorf("FFmpeg as WebAssembly: %w", r.err)
		}
		debug.FreeOSMemory() // compiling takes some hundred MB
	})
	return r.err
}

// Run implements program.Runner.
func (r *Runner) Run(ctx context.Context, c program.Command) error {
	if err := r.Compile(); err != nil {
		return err
	}
	m := &memory{limit: c.Memory}
	defer m.release()
	ctx = experimental.WithMemoryAllocator(ctx, m)
	status, err := wasm.Run(ctx, r.runtime, r.module, wasm.Args{
		Name: c.Program, Args: c.Args, Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr,
		Config: func(m wazero.ModuleConfig) wazero.ModuleConfig {
			return m.WithFSConfig(mounts(c)).WithSysWalltime().WithSysNanotime()
		},
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s as WebAssembly: %w", c.Program, err)
	case status != 0:
		return fmt.Errorf("%s as WebAssembly: exit status %d", c.Program, status)
	}
	return nil
}

// mounts makes the files of a command available to the program at their own paths.
func mounts(c program.Command) wazero.FSConfig {
	cfg := wazero.NewFSConfig()
	for _, dir := range c.WriteDirs {
		cfg = cfg.WithDirMount(dir, dir)
	}
	folders := map[string]single{}
next:
	for _, path := range c.ReadFiles {
		for _, dir := range c.WriteDirs {
			if strings.HasPrefix(path, dir+string(filepath.Separator)) {
				continue next
			}
		}
		dir, name := filepath.Split(path)
		dir = filepath.Clean(dir)
		if _, ok := folders[dir]; !ok {
			folders[dir] = single{os.DirFS(dir), map[string]bool{".": true}}
		}
		folders[dir].names[name] = true
	}
	for dir, files := range folders {
		cfg = cfg.WithFSMount(files, dir)
	}
	return cfg
}

// single is a folder in which only some files can be opened.
type single struct {
	fs.FS
	names map[string]bool
}

// Open implements fs.FS.
func (s single) Open(name string) (fs.File, error) {
	if !s.names[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return s.FS.Open(name)
}
