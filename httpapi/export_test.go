package httpapi

import (
	"fmt"
	"time"
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
