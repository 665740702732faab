package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/sqlite"
)

// labels measures the first and the last page of 20 of lists by person, tag, time and words, alone and in pairs, from
// the Store and over HTTP: of 1,000 and of 100,000 records over five years. Each of 1,000 people has as many records, a
// fifth have the tag, every 40th the word, and every ninth a word that begins so.
func labels(ctx context.Context, b *bench) error {
	begin := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	from, to := begin.AddDate(2, 0, 0), begin.AddDate(2, 1, 0)
	filters := []struct {
		query string
		f     storage.Filter
	}{
		{"subjectId=1", storage.Filter{Labels: []string{"subject:1"}}},
		{"tag=t0", storage.Filter{Labels: []string{"tag:t0"}}},
		{"text=w9", storage.Filter{Begins: []string{"word:w9"}}},
		{"recordedFrom=" + from.Format(time.RFC3339) + "&recordedTo=" + to.Format(time.RFC3339), storage.Filter{From: from, To: to}},
	}
	for i, a := range filters[:4] {
		for _, c := range filters[i+1 : 4] {
			both := storage.Filter{Labels: slices.Concat(a.f.Labels, c.f.Labels), Begins: slices.Concat(a.f.Begins, c.f.Begins), From: c.f.From, To: c.f.To}
			a.query, c.query = a.query+"&"+c.query, ""
			filters = append(filters, a)
			filters[len(filters)-1].f = both
			a = filters[i]
		}
	}
	b.say("store\tlist\tpage\tStore.List of 1,000\tof many\t×\tGET over HTTP of 1,000\tof many\t×")
	for _, name := range []string{"sqlite", "postgres"} {
		var took [2]map[string][2]time.Duration
		for i, n := range []int{1000, b.amount(100_000, 3000)} {
			var s storage.Store
			var err error
			if name == "sqlite" {
				s, err = sqlite.Open(filepath.Join(b.dir, fmt.Sprintf("labels-%d.db", n)), sqlite.Options{})
			} else {
				s, err = b.pg.open(ctx, b.pg.schema(), 8)
			}
			if err != nil {
				return err
			}
			errs := make(chan error, 8)
			var wg sync.WaitGroup
			for w := range 8 {
				wg.Go(func() {
					for j := w; j < n; j += 8 {
						r := storage.Record{Key: storage.Key{Owner: owner, Kind: storage.Keypoints}, Status: storage.Success,
							Data:   []byte(`{"from":[{"kind":"movies","id":17}],"request":{"movieId":17}}`),
							At:     begin.Add(time.Duration(j*7919%n) * (5 * 365 * 24 * time.Hour / time.Duration(n))),
							Labels: []string{fmt.Sprint("subject:", j*31%1000), fmt.Sprint("tag:t", j%5), fmt.Sprint("word:w", j/7%100)}}
						if _, err := s.Create(ctx, r); err != nil {
							errs <- err
							return
						}
					}
				})
			}
			wg.Wait()
			select {
			case err := <-errs:
				return err
			default:
			}
			h, err := apiOf(s, filepath.Join(b.dir, "labels"))
			if err != nil {
				return err
			}
			url, stop, err := listen(h)
			if err != nil {
				return err
			}
			took[i] = map[string][2]time.Duration{}
			for _, c := range filters {
				c.f.Limit = 20
				_, total, err := s.List(ctx, owner, storage.Keypoints, c.f)
				if err != nil {
					return err
				}
				for page, number := range map[string]int{"first": 1, "last": max(1, total/20)} {
					c.f.Offset = (number - 1) * 20
					direct, err := b.each(func() error {
						_, n, err := s.List(ctx, owner, storage.Keypoints, c.f)
						if err == nil && n != total {
							err = fmt.Errorf("%s: %d, want %d", c.query, n, total)
						}
						return err
					})
					if err != nil {
						return err
					}
					over, err := b.each(func() error {
						return get(ctx, http.DefaultClient, fmt.Sprintf("%s/keypoints/?size=20&page=%d&%s", url, number, c.query))
					})
					if err != nil {
						return err
					}
					took[i][c.query+"\t"+page] = [2]time.Duration{direct, over}
				}
			}
			if err := stop(); err != nil {
				return err
			}
		}
		for _, c := range filters {
			for _, page := range []string{"first", "last"} {
				few, many := took[0][c.query+"\t"+page], took[1][c.query+"\t"+page]
				ratio := func(i int) float64 { return float64(many[i]) / float64(few[i]) }
				b.say("%s\t%s\t%s\t%.2f ms\t%.2f ms\t%.1f\t%.2f ms\t%.2f ms\t%.1f", name, c.query, page,
					float64(few[0])/1e6, float64(many[0])/1e6, ratio(0), float64(few[1])/1e6, float64(many[1])/1e6, ratio(1))
			}
		}
	}
	return nil
}
