package inference

// For tests of every kind of picture, and of damaged headers.
var (
	Orient          = orient
	ReadOrientation = orientation
)
