package storage

// Versioned is a Store that can tell at once whether anything has changed, so that what was
// made of its records serves again while nothing has.
type Versioned interface {
	Store

	// Version returns a number that is another one after each Create, Update or Delete of a
	// record of the owner and kind that has returned, and never one that it was before. It is
	// read before the records are.
	Version(owner string, kind Kind) uint64
}
