package server

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// fetch returns the status and the text of an address.
func fetch(t *testing.T, address string) (int, string) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestRollOver: processes with one role each, old and new side by side. The old worker ends
// with jobs under way and hands them back, the old server ends and its clients go on at the
// new one. The new ones reach the database over PgBouncer. No job is lost, and none is done
// twice.
func TestRollOver(t *testing.T) {
	testkit.NeedSignals(t)
	pg := testkit.Database(t)
	url := pg.URL()
	pooler, err := pg.StartPgBouncer("transaction", 4)
	if errors.Is(err, testkit.ErrMissing) {
		testkit.Skip(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pooler.Kill)
	t.Setenv("MOTION_KEY", "the same for all of them")
	dir := t.TempDir()
	common := []string{"--blobs", filepath.Join(dir, "blobs"), "--grace", "10s"}
	launch := func(name, db string, args ...string) *process {
		t.Helper()
		return startAs(t, append(append([]string{"--db", db, "--data", filepath.Join(dir, name)}, common...), args...)...)
	}
	serving := []string{"--role", "serve", "--client", "someone:very-secret", "--ops", "127.0.0.1:0"}
	working := []string{"--role", "work", "--setting", "fast"}
	server := launch("server1", url, serving...)

	db, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	_, err = db.Exec(t.Context(), `CREATE TABLE ends (id bigint);
		CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			INSERT INTO public.ends VALUES (new.id);
			RETURN NULL;
		END $$;
		CREATE TRIGGER ends AFTER UPDATE ON motion.records FOR EACH ROW
			WHEN (new.status IN ('SUCCESS', 'FAILURE') AND old.status IN ('UNPROCESSED', 'PROCESSING')) EXECUTE FUNCTION ends()`, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := fetch(t, server.url+"/anymotion/v1/live/"); status != http.StatusNotFound {
		t.Errorf("a process without networks answers %d about live pictures", status)
	}
	c := login(t, server.url)
	picture := sample.JPEG()
	image := c.call("POST", "/anymotion/v1/images/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(picture)))
	link := image["uploadUrl"].(string)
	c.call("PUT", link, string(picture))
	const jobs = 25
	for range jobs {
		c.call("POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"imageId":%v}`, image["id"]))
	}

	ops := func(p *process) string {
		t.Helper()
		at := regexp.MustCompile(`metrics: (http://\S+)`).FindStringSubmatch(p.said())
		if at == nil {
			t.Fatalf("no address for metrics:\n%s", p.said())
		}
		return at[1]
	}
	gauges := func(p *process, waiting int) {
		t.Helper()
		want := fmt.Sprintf("\nmotion_jobs_waiting %d\n", waiting)
		for until := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) { // as a scraper asks
			_, text := fetch(t, ops(p))
			if strings.Contains(text, want) && strings.Contains(text, "\nmotion_jobs_running 0\n") {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("want %q and none that runs in\n%s", want, text)
			}
		}
	}
	gauges(server, jobs)

	// An old worker, whose time is over at once, and a new one.
	old := launch("worker1", url, append(working, "--grace", "0s")...)
	testkit.Wait(t, "the old worker works", func() bool { return c.statuses()["PROCESSING"] > 0 }) // asked as a client asks
	if status, text := fetch(t, old.url+"/readyz"); status != http.StatusOK {
		t.Errorf("a worker's readiness: %d %s", status, text)
	}
	if status, _ := fetch(t, old.url+"/anymotion/v1/images/"); status != http.StatusNotFound {
		t.Errorf("a worker serves: %d", status)
	}
	fresh := launch("worker2", pooler.URL(), working...)
	old.drain(t)
	var held int
	if err := db.QueryRow(t.Context(), `SELECT count(*) FROM motion.river_job WHERE state = 'running' OR scheduled_at > now() + interval '5 seconds'`).Scan(&held); err != nil || held > 1 {
		t.Errorf("%d jobs are held, want no more than the new worker's one (%v)", held, err)
	}
	before := c.statuses()
	if before["SUCCESS"] == jobs {
		t.Error("the old worker left nothing to do")
	}

	// The server is replaced as well: tokens and links of the old one hold.
	second := launch("server2", pooler.URL(), serving...)
	server.drain(t)
	c.url = second.url
	c.call("PUT", second.url+link[strings.Index(link, "/anymotion/"):], string(picture))
	for until := time.Now().Add(2 * time.Minute); c.statuses()["SUCCESS"] < jobs; {
		if n := c.statuses(); n["FAILURE"] > 0 || time.Now().After(until) {
			t.Fatalf("%v after the old worker's end, %v now", before, n)
		}
		time.Sleep(20 * time.Millisecond) // asked as a client asks
	}
	var ends, twice, attempts int
	err = db.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM public.ends), (SELECT count(*) FROM public.ends) - (SELECT count(DISTINCT id) FROM public.ends),
		(SELECT max(attempts) FROM motion.records)`).Scan(&ends, &twice, &attempts)
	if err != nil {
		t.Fatal(err)
	}
	if ends != jobs || twice != 0 {
		t.Errorf("%d jobs came to an end, want %d; %d more than once", ends, jobs, twice)
	}
	if attempts != 1 {
		t.Errorf("%d attempts at a job: one that is handed back is none", attempts)
	}
	_, text := fetch(t, fresh.url+"/metrics")
	if !regexp.MustCompile(`motion_jobs_finished_total\{kind="keypoints",status="SUCCESS"\} [1-9]`).MatchString(text) {
		t.Errorf("the worker counts nothing:\n%s", text)
	}
	if _, text := fetch(t, ops(second)); !strings.Contains(text, `motion_http_request_duration_seconds_count{method="GET",route="/keypoints/",status="200"}`) {
		t.Errorf("the server counts nothing:\n%s", text)
	}
	if status, _ := fetch(t, second.url+"/metrics"); status == http.StatusOK {
		t.Error("everybody sees the metrics")
	}
	fresh.drain(t) // which has put all of its jobs away
	gauges(second, 0)
	second.drain(t)
}
