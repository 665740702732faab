// Package ffmpreg runs FFmpeg compiled to WebAssembly inside the process, for machines
// without an installed one and as a sandbox for media from strangers: the program sees
// the one file it is to read and the one folder it is to write to, and nothing else.
//
// FFmpeg comes from codeberg.org/gruf/go-ffmpreg, which is licensed under the GNU
// General Public License, version 3. A program that contains this package is subject to
// that licence as a whole, which is why only the examples import it.
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

	"github.com/bodymotion/motion/inference/ffmpeg/program"
)

// Runner is an program.Runner. The zero value is ready to use; the program is compiled at
// the first run, which takes some seconds, once a machine where the user cache can be
// written. One Runner serves the whole process.
type Runner struct {
	once    sync.Once
	err     error
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

var _ program.Runner = (*Runner)(nil)

// memoryPages is the most memory that a run of the program gets, in pages of 64 KiB:
// 512 MiB. A movie that wants more cannot be decoded.
const memoryPages = 8192

// compile makes the program ready.
func (r *Runner) compile() error {
	r.once.Do(func() {
		ctx := context.Background()
		cfg := wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(memoryPages)
		if dir, err := os.UserCacheDir(); err == nil {
			if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "motion", "wazero")); err == nil {
				cfg = cfg.WithCompilationCache(cache)
			}
		}
		if r.runtime, r.err = wasm.NewRuntime(ctx, cfg); r.err == nil {
			r.module, r.err = r.runtime.CompileModule(ctx, embed.B())
		}
	})
	return r.err
}

// Run implements program.Runner.
func (r *Runner) Run(ctx context.Context, c program.Command) error {
	if err := r.compile(); err != nil {
		return fmt.Errorf("FFmpeg as WebAssembly: %w", err)
	}
	// The memory of a run, up to 512 MiB, is of no use any more: the next one must not find
	// it still there.
	defer debug.FreeOSMemory()
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

// mounts shows the program its files at their own paths.
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
