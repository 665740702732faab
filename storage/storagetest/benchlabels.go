package storagetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/storage"
)

// labelled returns the i-th of n records of a practice: their times are spread over five years, each of a thousand people
// has as many, a fifth have one tag, every 40th has a word, and every ninth one that begins in a way.
func labelled(i, n int) storage.Record {
	r := record("alice", storage.Keypoints, storage.Success)
	r.Data = benchData
	r.At = labelBegin.Add(time.Duration(i*7919%n) * (5 * 365 * 24 * time.Hour / time.Duration(n)))
	r.Labels = []string{fmt.Sprint("subject:", i*31%1000), fmt.Sprint("tag:", i%5), fmt.Sprint("word:", i/3%40), fmt.Sprint("word:b", i/7%100)}
	slices.Sort(r.Labels)
	return r
}

var labelBegin = time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)

// labelFilters are by one or two of person, tag, word, time and beginning of a word.
func labelFilters() map[string]storage.Filter {
	alone := map[string]storage.Filter{
		"subject":   {Labels: []string{"subject:0"}},
		"tag":       {Labels: []string{"tag:0"}},
		"word":      {Labels: []string{"word:0"}},
		"month":     {From: labelBegin.AddDate(2, 0, 0), To: labelBegin.AddDate(2, 1, 0)},
		"beginning": {Begins: []string{"word:b9"}},
	}
	all := map[string]storage.Filter{}
	for name, f := range alone {
		all[name] = f
		for second, g := range alone {
			if name < second {
				f.Labels, f.Begins = append(f.Labels[:len(f.Labels):len(f.Labels)], g.Labels...), append(f.Begins[:len(f.Begins):len(f.Begins)], g.Begins...)
				if second == "month" {
					f.From, f.To = g.From, g.To
				}
				all[name+"+"+second] = f
				f = alone[name]
			}
		}
	}
	return all
}

// benchLabels measures lists by label and time, their first page and their last.
func benchLabels(b *testing.B, d StoreDriver) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("labels/records=%d", n), func(b *testing.B) {
			s := d.empty(b)
			var wg sync.WaitGroup
			for worker := range 8 {
				wg.Go(func() {
					for i := worker; i < n; i += 8 {
						if _, err := s.Create(context.Background(), labelled(i, n)); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			filters := labelFilters()
			var names []string
			for name := range filters {
				names = append(names, name)
			}
			slices.SortFunc(names, func(a, b string) int { return strings.Compare(a, b) })
			for _, name := range names {
				f := filters[name]
				f.Limit = 20
				_, total, err := s.List(b.Context(), "alice", storage.Keypoints, f)
				if err != nil {
					b.Fatal(err)
				}
				for page, offset := range map[string]int{"first": 0, "last": max(0, total-20)} {
					f.Offset = offset
					b.Run(name+"/"+page, func(b *testing.B) {
						for b.Loop() {
							list, n, err := s.List(b.Context(), "alice", storage.Keypoints, f)
							if err != nil || n != total || len(list) != min(20, total) {
								b.Fatalf("%d of %d (%v), want %d", len(list), n, err, total)
							}
						}
						b.ReportMetric(float64(total), "matches")
					})
				}
			}
		})
	}
}
