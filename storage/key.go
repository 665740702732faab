package storage

import (
	"fmt"
	"strings"
)

// CheckBlobKey returns ErrInvalid if a key is not valid for Blobs.
func CheckBlobKey(key string) error {
	bad := func(why string) error { return fmt.Errorf("%w blob key %q: %s", ErrInvalid, key, why) }
	if key == "" || len(key) > 200 {
		return bad("want 1 to 200 bytes")
	}
	for _, name := range strings.Split(key, "/") {
		if name == "" || name[0] == '.' {
			return bad("a name is empty or begins with a dot")
		}
		for _, c := range []byte(name) {
			if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_') {
				return bad("want a-z, 0-9, '.', '-' and '_' in names separated by '/'")
			}
		}
	}
	return nil
}
