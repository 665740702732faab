package storage

// As returns x as a T, or else the first of what x wraps that is a T. It finds the optional
// interfaces of a Store, Queue, Blobs or Blob that is decorated, for metrics or logs: each
// decorator has a method Unwrap that returns what it wraps, as the interface that it is.
//
//	type metered struct{ storage.Store }
//
//	func (m metered) Unwrap() storage.Store { return m.Store }
//
// What is called on the T passes the decorators outside it: a decorated Store or Queue does
// not see the records that a JobCreator creates. To see them, implement JobCreator.
func As[T any](x any) (found T, ok bool) {
	for x != nil {
		if found, ok = x.(T); ok {
			return found, true
		}
		switch w := x.(type) {
		case interface{ Unwrap() Store }:
			x = w.Unwrap()
		case interface{ Unwrap() Queue }:
			x = w.Unwrap()
		case interface{ Unwrap() Blobs }:
			x = w.Unwrap()
		case interface{ Unwrap() Blob }:
			x = w.Unwrap()
		default:
			return found, false
		}
	}
	return found, false
}
