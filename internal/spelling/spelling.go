// Package spelling guesses what a misspelt name was meant to be.
package spelling

import (
	"fmt"
	"strings"
)

// Hint returns " (did you mean kneeFlexion?)" if one of the known names is the only one nearest to the name: with at
// most a quarter of its letters wrong (Levenshtein distance), else the only one that contains it. Otherwise it returns
// "". Case and the characters _, - and space do not count.
func Hint[T ~string](name string, known ...T) string {
	name = plain(name)
	near, holds := []T{}, []T{}
	least := max(len(name)/4, 1)
	for _, k := range known {
		p := plain(string(k))
		switch d := distance(name, p); {
		case d < least:
			near, least = []T{k}, d
		case d == least:
			near = append(near, k)
		}
		if strings.Contains(p, name) {
			holds = append(holds, k)
		}
	}
	if len(near) == 0 {
		near = holds
	}
	if len(near) != 1 || len(name) < 3 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", near[0])
}

// plain returns at most 64 bytes of a name in lower case, without separators.
func plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name[:min(len(name), 64)]))
}

// distance returns how many bytes must be inserted, removed or replaced to make b from a.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // distances from what was read of a to each start of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0]++
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
