package server

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/bodymotion/motion"
)

// days is a time span as a flag: what time.ParseDuration reads, or days, as in 30d.
type days time.Duration

func (d *days) Type() string { return "TIME" }

func (d *days) String() string {
	if *d == 0 {
		return "" // the help shows no default
	}
	return time.Duration(*d).String()
}

func (d *days) Set(v string) error {
	number, inDays := strings.CutSuffix(v, "d")
	if !inDays {
		t, err := time.ParseDuration(v)
		*d = days(t)
		return err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > 36500 {
		return fmt.Errorf("%q, want 0d to 36500d", v)
	}
	*d = days(time.Duration(n) * 24 * time.Hour)
	return nil
}

// keep is the flag for retention: KIND=TIME,…, where all means every other kind.
type keep motion.Retention

func (k *keep) String() string { return "" }
func (k *keep) Type() string   { return "KIND=TIME" }

// each returns the kinds by their names in the API.
func (k *keep) each() map[string]*time.Duration {
	return map[string]*time.Duration{
		"movies": &k.Movies, "images": &k.Images, "keypoints": &k.Keypoints,
		"comparisons": &k.Comparisons, "analyses": &k.Analyses, "drawings": &k.Drawings,
	}
}

func (k *keep) Set(v string) error {
	for part := range strings.SplitSeq(v, ",") {
		kind, text, ok := strings.Cut(part, "=")
		field := k.each()[kind]
		if !ok || field == nil && kind != "all" {
			return fmt.Errorf("%q, want KIND=TIME of movies, images, keypoints, comparisons, analyses, drawings or all", part)
		}
		var t days
		if err := t.Set(text); err != nil {
			return err
		}
		if t <= 0 {
			return fmt.Errorf("%s for %v, want more than 0", kind, time.Duration(t))
		}
		if field != nil {
			*field = time.Duration(t)
			continue
		}
		for _, field := range k.each() {
			if *field == 0 {
				*field = time.Duration(t)
			}
		}
	}
	return nil
}

// size is a number of bytes as a flag, as in 500MB or 20GB.
type size int64

func (s *size) String() string { return strconv.FormatInt(int64(*s), 10) }
func (s *size) Type() string   { return "SIZE" }

func (s *size) Set(v string) error {
	number, unit := v, int64(1)
	for name, u := range map[string]int64{"MB": 1e6, "GB": 1e9, "TB": 1e12} {
		if n, ok := strings.CutSuffix(v, name); ok {
			number, unit = n, u
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q, want a number of bytes, MB, GB or TB above 0", v)
	}
	*s = size(n * unit)
	return nil
}
