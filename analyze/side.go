package analyze

// Side is the side of the person's body.
type Side string

// The sides.
const (
	LeftSide  Side = "left"
	RightSide Side = "right"
)
