// Archive collects what a release ships beside the program: ONNX Runtime, FFmpeg as WebAssembly, the texts of all
// licences, and a bill of materials in the form of CycloneDX. Run it in a checkout, on the system that the release is for:
//
//	go run ./cmd/motion/internal/archive -version v0.1.0 FOLDER
//
// It fails if the program contains something under a licence that it does not know.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/bodymotion/motion/cmd/motion/ffmpreg"
	"github.com/bodymotion/motion/inference/onnxruntime"
	"github.com/bodymotion/motion/internal/carrier"
	"github.com/bodymotion/motion/internal/ort"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("archive: ")
	version := flag.String("version", "v0.0.0", "version of the release")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("name the folder to write")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *version); err != nil {
		log.Fatal(err)
	}
}

var (
	//go:embed onnxruntime/LICENSE
	runtimeLicence []byte
	//go:embed onnxruntime/ThirdPartyNotices.txt
	runtimeNotices []byte
)

// ffmpegSource tells where the source of FFmpeg is, as its licence requires.
const ffmpegSource = `%s is FFmpeg 5.1, compiled to WebAssembly. It is a program of its own, which
motion runs where FFmpeg is not installed; without this file motion works with an
installed FFmpeg. Its licence is the file LICENSE, the GNU General Public License,
version 3. It is unchanged from the Go module

	%s

which has the scripts and the patch that it is built with; they name the sources of
FFmpeg and of its libraries, and README.md lists them. To get the module:

	go mod download %[2]s
`

// run writes the folder.
func run(ctx context.Context, folder, version string) error {
	parts, err := modules(ctx, version)
	if err != nil {
		return err
	}
	say := func(line string) { log.Print(line) }
	installed, err := onnxruntime.Install(ctx, say)
	if err != nil {
		return err
	}
	library, err := os.ReadFile(installed)
	if err != nil {
		return err
	}
	_, release, err := ort.Check(installed)
	if err != nil {
		return err
	}
	parts = append(parts, part{
		name: "onnxruntime", version: release, licences: []string{"MIT"}, file: filepath.Base(installed), content: library,
		texts: map[string][]byte{"LICENSE": runtimeLicence, "ThirdPartyNotices.txt": runtimeNotices},
	})
	ffmpeg := part{
		name: "ffmpeg", version: "5.1", licences: []string{"GPL-3.0-or-later"}, file: filepath.Base(ffmpreg.Carried.Path),
		texts: map[string][]byte{"SOURCE": fmt.Appendf(nil, ffmpegSource, filepath.Base(ffmpreg.Carried.Path), ffmpreg.Carried.Module)},
	}
	scratch, err := os.MkdirTemp("", "motion-archive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	for name, file := range map[string]carrier.File{
		ffmpeg.file: ffmpreg.Carried,
		"LICENSE":   {Module: ffmpreg.Carried.Module, Path: "LICENSE", SHA256: ffmpegLicence},
		"README.md": {Module: ffmpreg.Carried.Module, Path: "README.md", SHA256: ffmpegReadme},
	} {
		path := filepath.Join(scratch, name)
		if err := file.Install(ctx, path, "there is none", func() {}); err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if name == ffmpeg.file {
			ffmpeg.content = b
		} else {
			ffmpeg.texts[name] = b
		}
	}
	return write(folder, version, append(parts, ffmpeg))
}

// The texts of FFmpeg's carrier.
const (
	ffmpegLicence = "3972dc9744f6499f0f9b2dbf76696f2ae7ad8af9b23dde66d6af86c9dfb36986"
	ffmpegReadme  = "dc6dd0fcffb4a0c21751fbaec588dee0ac7c866a637e0c9ff4615869c223b35c"
)
