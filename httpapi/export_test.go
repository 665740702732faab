package httpapi

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bodymotion/motion/storage"
)

// LinksKept is how many links are kept after that many were used once each, which expire after
// a time that may have passed.
func LinksKept(now time.Time, expireAfter time.Duration, links int) int {
	u := uses{count: map[string]int{}}
	for i := range links {
		u.add(signedLink{"client", fmt.Sprint(i), now.Add(expireAfter)}, now)
	}
	return max(len(u.count), len(u.links))
}

// ClockTime is clockTime.
var ClockTime = clockTime

// Formats are those of files of a kind.
func Formats(kind storage.Kind) []string { return slices.Sorted(maps.Keys(exports[kind])) }

// Omits is what a format leaves out of a result with these contents.
func Omits(kind storage.Kind, format string, contents, beside []string) []string {
	return exports[kind][format].omits(file{contents: slices.Clone(contents), beside: beside})
}
