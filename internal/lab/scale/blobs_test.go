package main

import (
	"bufio"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/lab/internal/child"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/s3"
)

// copying are the orders of a process that puts a file, or serves.
type copying struct {
	Serve           bool
	Source          string
	Blobs, Endpoint string // a folder, or the S3 server instead
}

func TestMain(m *testing.M) {
	var orders copying
	ok, err := child.Orders(&orders)
	if !ok {
		os.Exit(m.Run())
	}
	if err == nil {
		err = orders.obey(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// obey puts the file and reports how long that took, or serves.
func (c copying) obey(ctx context.Context) error {
	var blobs storage.Blobs
	var err error
	if c.Endpoint != "" {
		blobs, err = openS3(ctx, c.Endpoint)
	} else {
		blobs, err = file.Open(c.Blobs, file.Options{})
	}
	if err != nil {
		return err
	}
	if c.Serve {
		return serve(blobs)
	}
	f, err := os.Open(c.Source)
	if err != nil {
		return err
	}
	defer f.Close()
	begin := time.Now()
	key := fmt.Sprintf("scale/%d", begin.UnixNano())
	if _, err := blobs.Put(ctx, key, f, storage.PutOptions{}); err != nil {
		return err
	}
	if err := child.Tell(done{time.Since(begin).Seconds(), peakRSS()}); err != nil {
		return err
	}
	return blobs.Delete(ctx, key)
}

// done is the report of a process.
type done struct {
	Seconds, Peak float64
}

// serve serves the API with the blobs, and records in memory, and reports its address. For each byte of its input it then
// reports its peak memory.
func serve(blobs storage.Blobs) error {
	m, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Queue: memoryQueue(), Blobs: blobs,
		Estimator: sleeper(0), Logger: quiet, Limits: motion.Limits{UploadBytes: -1},
	})
	if err != nil {
		return err
	}
	h, err := api(m)
	if err != nil {
		return err
	}
	server := httptest.NewServer(h)
	defer server.Close()
	err = child.Tell(server.URL)
	for in := bufio.NewReader(os.Stdin); err == nil; err = child.Tell(done{Peak: peakRSS()}) {
		if _, err := in.ReadByte(); err != nil {
			return nil // nobody asks any more
		}
	}
	return err
}

// peakRSS returns the peak memory of this process in MB; 0 if the system does not report it.
func peakRSS() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) * 1024 / 1e6
		}
	}
	return 0
}

// BenchmarkBlobs copies a file of 500 MB, of 20 MB with -short, to a folder, to an S3 server and through the HTTP API, each with
// our code in a process of its own and with common programs. Ours compute the MD5 and sync, as they promise, as tee into md5sum
// with a sync does; plain curl has the server check nothing, and with the header Content-MD5 what ours do.
func BenchmarkBlobs(b *testing.B) {
	size := 500_000_000
	if testing.Short() {
		size = 20_000_000
	}
	dir := b.TempDir()
	source := filepath.Join(dir, "source")
	sum, err := writeSource(source, size)
	if err != nil {
		b.Fatal(err)
	}
	raw, err := hex.DecodeString(sum)
	if err != nil {
		b.Fatal(err)
	}
	way := func(name string, run func(b *testing.B) (done, error)) {
		b.Run(name, func(b *testing.B) {
			var all done
			for b.Loop() {
				one, err := run(b)
				if err != nil {
					b.Fatal(err)
				}
				all = done{all.Seconds + one.Seconds, max(all.Peak, one.Peak)}
			}
			b.ReportMetric(float64(size)/1e6*float64(b.N)/all.Seconds, "MB/s")
			b.ReportMetric(all.Peak, "MB-peak")
		})
	}
	here := copying{Source: source, Blobs: filepath.Join(dir, "blobs")}
	way("tee, md5sum and sync", func(b *testing.B) (done, error) {
		to := filepath.Join(dir, "copy")
		took, err := command(b.Context(), "sh", "-c", `tee "$1" <"$0" | md5sum && sync "$1"`, source, to)
		return took, errors.Join(err, os.Remove(to))
	})
	way("file", here.put)
	way("HTTP to file", here.upload(b, sum))

	there := copying{Source: source, Endpoint: startS3(b).Endpoint()}
	way("curl", there.curl())
	way("curl with Content-MD5", there.curl("-H", "Content-MD5: "+base64.StdEncoding.EncodeToString(raw)))
	way("S3", there.put)
	way("HTTP to S3", there.upload(b, sum))
}

// s3Bucket is the bucket of an S3 server.
const s3Bucket = "scale"

// startS3 starts an S3 server with the bucket, and ends it with the test.
func startS3(t testing.TB) *testkit.S3 {
	t.Helper()
	server, err := testkit.StartS3(filepath.Join(t.TempDir(), "s3"))
	if errors.Is(err, testkit.ErrMissing) {
		testkit.Skip(t, err.Error())
	}
	if err == nil {
		t.Cleanup(server.Kill)
		err = server.MakeBucket(s3Bucket)
	}
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func openS3(ctx context.Context, endpoint string) (*s3.Blobs, error) {
	return s3.Open(ctx, s3.Config{Endpoint: endpoint, Bucket: s3Bucket, AccessKey: testkit.AccessKey, SecretKey: testkit.SecretKey})
}

// put puts the file in a process of its own.
func (c copying) put(*testing.B) (d done, err error) {
	p, err := child.Start("", c, os.Stderr)
	if err == nil {
		err = errors.Join(p.Read(&d), p.End(nil))
	}
	return d, err
}

// curl uploads with curl, which signs the request, but not its payload.
func (c copying) curl(more ...string) func(*testing.B) (done, error) {
	return func(b *testing.B) (done, error) {
		args := append(more, "-sS", "--fail", "-T", c.Source, "-H", "Expect:", "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD",
			"--aws-sigv4", "aws:amz:us-east-1:s3", "-u", testkit.AccessKey+":"+testkit.SecretKey, c.Endpoint+"/"+s3Bucket+"/by-curl")
		return command(b.Context(), "curl", args...)
	}
}

// upload uploads with curl to the API in a process of its own.
func (c copying) upload(b *testing.B, sum string) func(*testing.B) (done, error) {
	c.Serve = true
	p, err := child.Start("", c, os.Stderr)
	var url string
	if err == nil {
		err = p.Read(&url)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := p.End(nil); err != nil {
			b.Error(err)
		}
	})
	return func(b *testing.B) (d done, err error) {
		res, err := http.Post(url+"/movies/", "application/json", strings.NewReader(fmt.Sprintf(`{"name":"x","contentMd5":%q}`, sum)))
		if err != nil {
			return d, err
		}
		defer res.Body.Close()
		var made struct{ UploadURL string }
		if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
			return d, err
		}
		took, err := command(b.Context(), "curl", "-sS", "--fail", "-T", c.Source, "-H", "Expect:", "-H", "Content-Type: video/mp4", made.UploadURL)
		if err == nil {
			_, err = io.WriteString(p.In, "?") // requests the peak memory
		}
		if err == nil {
			err = p.Read(&d)
		}
		return done{took.Seconds, d.Peak}, err
	}
}

// writeSource writes and syncs an incompressible file.
func writeSource(name string, size int) (sum string, err error) {
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	h := md5.New()
	_, err = io.CopyN(io.MultiWriter(f, h), rand.NewChaCha8([32]byte{}), int64(size))
	if err == nil {
		err = f.Sync()
	}
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// command runs a program and returns how long it took.
func command(ctx context.Context, name string, args ...string) (done, error) {
	begin := time.Now()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return done{}, fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return done{Seconds: time.Since(begin).Seconds()}, nil
}
