// Package ffmpreg runs FFmpeg compiled to WebAssembly, for machines without an installed FFmpeg, and as a sandbox for
// untrusted media: the program can access only its input file and its output folder.
//
// This FFmpeg is a program of its own, under the GNU General Public License, version 3. It is no part of a program that imports
// this package: it lies beside the executable, or is downloaded into the user cache when it is first needed.
package ffmpreg

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/bodymotion/motion/inference/ffmpeg/program"
	"github.com/bodymotion/motion/internal/carrier"
)

// Carried is FFmpeg 5.1 with ffprobe, one program of two names, in its carrier.
var Carried = carrier.File{
	Module: "codeberg.org/gruf/go-ffmpreg@v0.6.19", Path: "embed/" + fileName,
	SHA256: "8b69a3a6c940fc2be84aa437fadca47423eabfe6dc2739b30f99e8e02483b589",
}

const fileName = "ffmpreg.wasm.gz"

// Find returns the path of FFmpeg beside the executable or in the user cache. It is "" if it is in neither.
func Find() string {
	exe, exeErr := os.Executable()
	if target, err := filepath.EvalSymlinks(exe); err == nil { // macOS gives the link
		exe = target
	}
	cache, cacheErr := cacheDir()
	for _, in := range []struct {
		dir string
		err error
	}{{filepath.Dir(exe), exeErr}, {cache, cacheErr}} {
		path := filepath.Join(in.dir, fileName)
		if info, err := os.Stat(path); in.err == nil && err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// cacheDir returns its folder in the user cache.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "motion", "ffmpeg"), err
}

// Runner is a program.Runner. One Runner serves the whole process.
type Runner struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

var _ program.Runner = (*Runner)(nil)

// opened is the Runner of this process.
var opened struct {
	sync.Mutex
	*Runner
}

// Open returns a Runner. Unless FFmpeg is there, it is downloaded, after a call of say with a line that explains the wait and
// names the licence. Compiling takes some seconds once: the result is kept in the user cache.
func Open(ctx context.Context, say func(string)) (*Runner, error) {
	opened.Lock()
	defer opened.Unlock()
	if opened.Runner != nil {
		return opened.Runner, nil
	}
	path, err := install(ctx, say)
	if err != nil {
		return nil, fmt.Errorf("FFmpeg as WebAssembly: %w", err)
	}
	r, err := compile(path)
	if err != nil {
		return nil, fmt.Errorf("FFmpeg as WebAssembly: %s: %w", path, err)
	}
	opened.Runner = r
	return r, nil
}

// install returns the path of FFmpeg, which it downloads if it is nowhere.
func install(ctx context.Context, say func(string)) (string, error) {
	if path := Find(); path != "" {
		return path, nil
	}
	dir, err := cacheDir()
	if err != nil {
		return "", fmt.Errorf("the user cache folder is unknown: %w", err)
	}
	path := filepath.Join(dir, fileName)
	return path, Carried.Install(ctx, path, "install FFmpeg 5.1 or newer", func() {
		say("downloading FFmpeg as WebAssembly with the Go toolchain (once, 13 MB) into " + dir +
			": a separate program under the GPL-3, whose licence and build are in " + Carried.Module)
	})
}

// compile compiles FFmpeg, and keeps the result in the user cache.
func compile(path string) (*Runner, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzip, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	code, err := io.ReadAll(unzip)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	cfg := wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall)
	if dir, err := os.UserCacheDir(); err == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "motion", "wazero")); err == nil {
			cfg = cfg.WithCompilationCache(cache)
		}
	}
	r := &Runner{runtime: wazero.NewRuntimeWithConfig(ctx, cfg)}
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, r.runtime); err == nil {
		err = host(ctx, r.runtime)
	}
	if err == nil {
		r.module, err = r.runtime.CompileModule(ctx, code)
	}
	debug.FreeOSMemory() // compiling takes some hundred MB
	return r, err
}

// host provides what FFmpeg calls beside WASI: C's setjmp and longjmp, with which some of its encoders and decoders give up
// on a stream. A jump ends the program instead, as a failure.
func host(ctx context.Context, r wazero.Runtime) error {
	_, err := r.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithFunc(func(_, _, _ uint32) {}).Export("__wasm_setjmp").
		NewFunctionBuilder().WithFunc(func(ctx context.Context, m api.Module, _, _ uint32) {
		m.CloseWithExitCode(ctx, 1)
		panic(sys.NewExitError(1))
	}).Export("__wasm_longjmp").Instantiate(ctx)
	return err
}

// Run implements program.Runner.
func (r *Runner) Run(ctx context.Context, c program.Command) error {
	m := &memory{limit: c.Memory}
	defer m.release()
	cfg := wazero.NewModuleConfig().WithName("").WithArgs(append([]string{c.Program}, c.Args...)...).
		WithStdin(c.Stdin).WithStdout(c.Stdout).WithStderr(c.Stderr).
		WithFSConfig(mounts(c)).WithSysWalltime().WithSysNanotime()
	instance, err := r.runtime.InstantiateModule(experimental.WithMemoryAllocator(ctx, m), r.module, cfg)
	if instance != nil {
		instance.Close(ctx)
	}
	var exit *sys.ExitError
	switch ended := errors.As(err, &exit); {
	case ctx.Err() != nil:
		return ctx.Err()
	case ended && exit.ExitCode() == 0:
		return nil
	case ended:
		return fmt.Errorf("%s as WebAssembly: exit status %d", c.Program, exit.ExitCode())
	case err != nil:
		return fmt.Errorf("%s as WebAssembly: %w", c.Program, err)
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
