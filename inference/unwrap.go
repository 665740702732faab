package inference

import "context"

// FinderOf returns the Finder among est and the Estimators that est wraps; ok is false if
// there is none. An Estimator that decorates another one, to log or to measure, has a method
//
//	Unwrap() Estimator
//
// and needs no Find of its own.
func FinderOf(est Estimator) (finder Finder, ok bool) { return find[Finder](est) }

// Check reports whether what a Decoder needs of the machine, such as programs, is there: it calls the method
//
//	Check(context.Context) error
//
// of d or of a Decoder that d wraps. It returns nil if there is none.
func Check(ctx context.Context, d Decoder) error {
	if c, ok := find[interface{ Check(context.Context) error }](d); ok {
		return c.Check(ctx)
	}
	return nil
}

// find returns the first value of type T in a chain of wrappers: v, v.Unwrap(), and so on.
func find[T, W any](v W) (found T, ok bool) {
	for {
		if found, ok = any(v).(T); ok {
			return found, true
		}
		wrapper, ok := any(v).(interface{ Unwrap() W })
		if !ok {
			return found, false
		}
		v = wrapper.Unwrap()
	}
}
