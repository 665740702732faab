package motion

import (
	"errors"
)

// Key names a request of an owner for a new record, which its client may repeat because it got no answer: if storage makes the
// record and its answer is lost, the call finds it and returns it. The zero value names none.
type Key struct {
	Name  string // of the request with all that it says
	Again bool   // an earlier request with the key may have made the record, at most a day ago: it is looked for first
}

// ErrDoubt is the error of a request with a Key if nobody knows whether its record was made, because storage did not answer or the
// answer was lost.
var ErrDoubt = errors.New("it is not known whether the record was made")
