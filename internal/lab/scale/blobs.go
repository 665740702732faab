package main

import (
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
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/internal/testkit"
)

// way is a way to copy a file to a place.
type way struct {
	name string
	run  func(context.Context) (time.Duration, error)
	peak float64 // MB; 0 for programs that are not ours

	took []float64 // seconds
}

// blobs copies a file of 500 MB to a folder, to an S3 server and through the HTTP API, each with our
// code in a process of its own and with common programs. The ways take turns. Ours compute the MD5
// and sync, as they promise; cp does neither, and plain curl has the server check nothing. The fair
// comparisons are tee into md5sum with a sync, and curl with the header Content-MD5.
func blobs(ctx context.Context, b *bench) error {
	size := b.amount(500_000_000, 20_000_000)
	source := filepath.Join(b.dir, "source")
	sum, err := writeSource(source, size)
	if err != nil {
		return err
	}
	dir := filepath.Join(b.dir, "files")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	cp := func(sync bool) func(context.Context) (time.Duration, error) {
		return func(ctx context.Context) (time.Duration, error) {
			to := filepath.Join(dir, "copy")
			took, err := command(ctx, "cp", source, to)
			if err == nil && sync {
				var more time.Duration
				more, err = command(ctx, "sync", to)
				took += more
			}
			return took, errors.Join(err, os.Remove(to))
		}
	}
	here := childArgs{Source: source, Blobs: filepath.Join(dir, "blobs")}
	tee := func(ctx context.Context) (time.Duration, error) {
		to := filepath.Join(dir, "copy")
		took, err := command(ctx, "sh", "-c", `tee "$1" <"$0" | md5sum && sync "$1"`, source, to)
		return took, errors.Join(err, os.Remove(to))
	}
	fmt.Fprintf(b.table, "way to copy %d MB\tMB/s\tof cp\tof cp, sync\tof tee, md5sum, sync\tpeak memory\n", size/1_000_000)
	ways := []*way{
		{name: "cp", run: cp(false)},
		{name: "cp and sync", run: cp(true)},
		{name: "tee, md5sum and sync", run: tee},
		{name: "md5sum (only reads)", run: func(ctx context.Context) (time.Duration, error) { return command(ctx, "md5sum", source) }},
		b.put("storage/file Put", here),
	}
	api, stopAPI, err := b.serving(ctx, "HTTP API over storage/file", here, source, sum)
	if err != nil {
		return err
	}
	if err := b.turns(ctx, append(ways, api)); err != nil {
		return errors.Join(err, stopAPI())
	}
	if err := stopAPI(); err != nil {
		return err
	}
	sayWays(b, append(ways, api), size, 0, 1, 2)

	server, err := testkit.StartS3(filepath.Join(b.dir, "s3"))
	if errors.Is(err, testkit.ErrMissing) {
		b.say("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer server.Kill()
	if err := server.MakeBucket(s3Bucket); err != nil {
		return err
	}
	there := childArgs{Source: source, Endpoint: server.Endpoint(), Blobs: here.Blobs}
	api, stopAPI, err = b.serving(ctx, "HTTP API over storage/s3", there, source, sum)
	if err != nil {
		return err
	}
	raw, err := hex.DecodeString(sum)
	if err != nil {
		return err
	}
	checked := "Content-MD5: " + base64.StdEncoding.EncodeToString(raw)
	b.say("way to copy it to versitygw\tMB/s\tof curl\tof curl, MD5\tof curl, signed\tpeak memory")
	ways = []*way{
		{name: "curl, payload not signed", run: curlS3(server.Endpoint(), source, "UNSIGNED-PAYLOAD")},
		{name: "curl, payload not signed, Content-MD5", run: curlS3(server.Endpoint(), source, "UNSIGNED-PAYLOAD", "-H", checked)},
		{name: "curl, payload signed", run: func(ctx context.Context) (time.Duration, error) {
			begin := time.Now() // includes the hash
			out, err := exec.CommandContext(ctx, "sha256sum", source).Output()
			if err != nil {
				return 0, err
			}
			_, err = curlS3(server.Endpoint(), source, strings.Fields(string(out))[0])(ctx)
			return time.Since(begin), err
		}},
		b.put("storage/s3 Put", there),
		api,
	}
	if err := errors.Join(b.turns(ctx, ways), stopAPI()); err != nil {
		return err
	}
	sayWays(b, ways, size, 0, 1, 2)
	return nil
}

// turns runs the ways in turns.
func (b *bench) turns(ctx context.Context, ways []*way) error {
	for range b.amount(3, 1) {
		for _, w := range ways {
			took, err := w.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			w.took = append(w.took, took.Seconds())
		}
	}
	return nil
}

func sayWays(b *bench, ways []*way, size int, beside ...int) {
	for _, w := range ways {
		took := rank.Upper(w.took)
		cells := ""
		for _, i := range beside {
			cells += fmt.Sprintf("\t%.2f", rank.Upper(ways[i].took)/took)
		}
		memory := ""
		if w.peak > 0 {
			memory = fmt.Sprintf("%.0f MB", w.peak)
		}
		b.say("%s\t%.0f%s\t%s", w.name, float64(size)/1e6/took, cells, memory)
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
func command(ctx context.Context, name string, args ...string) (time.Duration, error) {
	begin := time.Now()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return time.Since(begin), nil
}

// curlS3 uploads with curl, which signs the request with a payload hash.
func curlS3(endpoint, source, hash string, more ...string) func(context.Context) (time.Duration, error) {
	return func(ctx context.Context) (time.Duration, error) {
		args := append(more, "-sS", "--fail", "-T", source, "-H", "Expect:", "-H", "x-amz-content-sha256: "+hash,
			"--aws-sigv4", "aws:amz:us-east-1:s3", "-u", testkit.AccessKey+":"+testkit.SecretKey, endpoint+"/"+s3Bucket+"/by-curl")
		return command(ctx, "curl", args...)
	}
}

// done is the report of a process that puts.
type done struct {
	Seconds, Peak float64
}

// put is a Put of a file, in a process of its own.
func (b *bench) put(name string, a childArgs) *way {
	w := &way{name: name}
	w.run = func(ctx context.Context) (time.Duration, error) {
		p, err := startChild(ctx, "put", a)
		if err != nil {
			return 0, err
		}
		var d done
		err = errors.Join(p.read(&d), p.end(nil))
		w.peak = max(w.peak, d.Peak)
		return time.Duration(d.Seconds * float64(time.Second)), err
	}
	return w
}

// serving is an upload by curl to the API in a process of its own.
func (b *bench) serving(ctx context.Context, name string, a childArgs, source, sum string) (*way, func() error, error) {
	p, err := startChild(ctx, "serve", a)
	if err != nil {
		return nil, nil, err
	}
	var url string
	if err := p.read(&url); err != nil {
		return nil, nil, err
	}
	w := &way{name: name}
	w.run = func(ctx context.Context) (time.Duration, error) {
		body := fmt.Sprintf(`{"name":"x","contentMd5":%q}`, sum)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/movies/", strings.NewReader(body))
		if err != nil {
			return 0, err
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err
		}
		defer res.Body.Close()
		var made struct{ UploadURL string }
		if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
			return 0, err
		}
		took, err := command(ctx, "curl", "-sS", "--fail", "-T", source, "-H", "Expect:", "-H", "Content-Type: video/mp4", made.UploadURL)
		if err != nil {
			return 0, err
		}
		var d done
		if _, err := io.WriteString(p.in, "?"); err != nil { // requests the peak memory
			return 0, err
		}
		err = p.read(&d)
		w.peak = d.Peak
		return took, err
	}
	return w, func() error { return p.end(nil) }, nil
}
