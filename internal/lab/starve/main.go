// Starve asks an API in this process, over SQLite and files, for too much, and measures beside it what becomes of a
// well-behaved client, and of the memory:
//
//	go run ./internal/lab/starve [-frames 1800] [-clients 60] [-records 1] [-each 1] [-mode correct]
//
// Each of the clients corrects keypoint records, in turn, so many times. With -records 1, all correct the same one.
// Then the record must have every correction that was answered with 200. With -mode panic they ask for keypoints of a
// movie with which the Estimator panics, until they have failed; with -mode hang the Store hangs for them.
package main

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
	"github.com/bodymotion/motion/storage/memory"
	"github.com/bodymotion/motion/storage/sqlite"
)

func main() {
	frames := flag.Int("frames", 1800, "`number` of frames of each record")
	clients := flag.Int("clients", 60, "`number` of clients that correct at once")
	records := flag.Int("records", 1, "`number` of records that they correct")
	each := flag.Int("each", 1, "`number` of corrections of each client, one after the other")
	mode := flag.String("mode", "correct", "what the clients do: correct, panic, or hang")
	flag.Parse()
	if err := run(context.Background(), *mode, *frames, *clients, *records, *each); err != nil {
		log.Fatal(err)
	}
}

// tenants authenticates whoever says a name as that client.
func tenants(r *http.Request) (httpapi.Identity, error) {
	name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return httpapi.Identity{}, httpapi.ErrUnauthenticated
	}
	return httpapi.Identity{Client: name}, nil
}

func run(ctx context.Context, mode string, frames, clients, records, each int) error {
	dir, err := os.MkdirTemp("", "starve-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(filepath.Join(dir, "motion.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	blobs, err := file.Open(filepath.Join(dir, "blobs"), file.Options{})
	if err != nil {
		return err
	}
	defer blobs.Close()
	hanging := &hangs{Store: store}
	service, err := motion.New(motion.Config{
		Store: hanging, Blobs: blobs, Queue: memory.NewQueue(memory.QueueOptions{}), Clean: clean.Default(),
		Estimator: someone{}, Decoder: movies{frames}, Limits: motion.Limits{Frames: frames + 1}, WorkDir: filepath.Join(dir, "work"),
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tenants, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := http.Server{Handler: api}
	go server.Serve(l)
	defer server.Close()
	working, stop := context.WithCancel(ctx)
	var worker sync.WaitGroup
	defer worker.Wait()
	defer stop()
	worker.Go(func() {
		if err := service.Run(working); err != nil {
			log.Print(err)
		}
	})
	base := "http://" + l.Addr().String()
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = clients + 10

	owner := func(record int) string { return fmt.Sprint("client-", record%max(records, 1)) }
	ids := make([]int64, records)
	for i := range ids {
		if ids[i], err = extract(ctx, service, owner(i)); err != nil {
			return err
		}
	}
	quiet, err := extract(ctx, service, "quiet")
	if err != nil {
		return err
	}
	broken, err := upload(ctx, service, owner(0), panics)
	if err != nil {
		return err
	}
	hanging.on.Store(mode == "hang")
	debug.FreeOSMemory()
	idle, peak, beside := resident(), watchMemory(ctx), watchClient(ctx, fmt.Sprintf("%s/keypoints/%d/", base, quiet), "quiet")

	var mu sync.Mutex
	var took []float64
	answers := map[int]int{}
	kept := map[[2]int]bool{} // record and frame
	began := time.Now()
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for k := range each {
				record, frame := c%records, (c*each+k)%frames
				body := fmt.Sprintf(`{"edits":[{"frame":%d,"part":"leftKnee","point":[%d,200]}]}`, frame, c%600)
				at := time.Now()
				var status int
				var after string
				if mode == "panic" {
					status = failed(ctx, service, owner(0), broken)
				} else {
					status, after = call("PATCH", fmt.Sprintf("%s/keypoints/%d/", base, ids[record]), owner(record), body)
				}
				mu.Lock()
				took = append(took, time.Since(at).Seconds())
				answers[status]++
				kept[[2]int{record, frame}] = status == http.StatusOK && mode != "panic"
				mu.Unlock()
				if status == http.StatusServiceUnavailable && after == "" {
					log.Print("503 without Retry-After")
				}
			}
		})
	}
	all.Wait()
	fmt.Printf("%d clients, %d records of %d frames: %.1f s, answers %v\n", clients, records, frames, time.Since(began).Seconds(), answers)
	fmt.Printf("  each p50 %.2f s, p99 %.2f s, longest %.2f s\n", at(took, 0.5), at(took, 0.99), at(took, 1))
	fmt.Printf("  memory %d MB above %d MB\n", (peak()-idle)>>20, idle>>20)
	hanging.on.Store(false)
	gets := beside()
	fmt.Printf("  another client's GET p50 %.3f s, p99 %.3f s, longest %.3f s (%d)\n", at(gets, 0.5), at(gets, 0.99), at(gets, 1), len(gets))
	lost := 0
	for i, id := range ids {
		e, err := service.Extraction(ctx, owner(i), id)
		if err != nil {
			return err
		}
		list, err := e.Corrections()
		if err != nil {
			return err
		}
		has := map[int]bool{}
		for _, c := range list {
			has[c.Frame] = true
		}
		for k, ok := range kept {
			if k[0] == i && ok && !has[k[1]] {
				lost++
			}
		}
	}
	fmt.Printf("  %d corrections lost\n", lost)
	return nil
}

// upload makes the record of a movie.
func upload(ctx context.Context, s *motion.Service, owner, content string) (int64, error) {
	sum := md5.Sum([]byte(content))
	m, err := s.Register(ctx, owner, storage.Movies, motion.NewMedia{ContentMD5: hex.EncodeToString(sum[:])})
	if err == nil {
		_, err = s.Upload(ctx, owner, storage.Movies, m.ID, strings.NewReader(content))
	}
	return m.ID, err
}

// failed asks for the keypoints of a movie, and returns 200 if the job ends in FAILURE, as it should.
func failed(ctx context.Context, s *motion.Service, owner string, movie int64) int {
	e, err := s.Extract(ctx, owner, motion.ExtractRequest{MovieID: movie})
	if err != nil {
		return http.StatusInternalServerError
	}
	if status, err := s.Wait(ctx, owner, storage.Keypoints, e.ID); err != nil || status != storage.Failure {
		return http.StatusConflict
	}
	return http.StatusOK
}

// extract makes a keypoint record of a movie.
func extract(ctx context.Context, s *motion.Service, owner string) (int64, error) {
	movie, err := upload(ctx, s, owner, "")
	if err != nil {
		return 0, err
	}
	e, err := s.Extract(ctx, owner, motion.ExtractRequest{MovieID: movie})
	if err != nil {
		return 0, err
	}
	if status, err := s.Wait(ctx, owner, storage.Keypoints, e.ID); err != nil || status != storage.Success {
		return 0, fmt.Errorf("%s (%w)", status, err)
	}
	return e.ID, nil
}

// call makes a request and reads its answer, whose status and Retry-After it returns; 0 without one.
func call(method, url, client, body string) (status int, after string) {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+client)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0, ""
	}
	return answer.StatusCode, answer.Header.Get("Retry-After")
}

// watchMemory returns a function that ends watching and returns the most memory that was resident.
func watchMemory(ctx context.Context) func() int64 {
	ctx, end := context.WithCancel(ctx)
	most := make(chan int64)
	go func() {
		var peak int64
		for ctx.Err() == nil {
			peak = max(peak, resident())
			time.Sleep(5 * time.Millisecond)
		}
		most <- peak
	}()
	return func() int64 { end(); return <-most }
}

// watchClient asks for a record ten times a second, and returns a function that ends that and returns the times.
func watchClient(ctx context.Context, url, client string) func() []float64 {
	ctx, end := context.WithCancel(ctx)
	times := make(chan []float64)
	go func() {
		var list []float64
		for ctx.Err() == nil {
			began := time.Now()
			if status, _ := call("GET", url, client, ""); status != http.StatusOK {
				log.Printf("the other client's GET is answered with %d", status)
			}
			list = append(list, time.Since(began).Seconds())
			time.Sleep(100 * time.Millisecond)
		}
		times <- list
	}()
	return func() []float64 { end(); return <-times }
}

// resident returns the bytes of memory that the process has.
func resident() int64 {
	var size, pages int64
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Sscan(string(b), &size, &pages)
	return pages * int64(os.Getpagesize())
}

// at returns the value below which a share of the values lies.
func at(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(int(share*float64(len(values))), len(values)-1)]
}
