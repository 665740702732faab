package exercise

// Test is a clinical test, whose result are numbers.
type Test string

// The tests. docs/exercises.md tells from when to when they count.
const (
	FiveTimesSitToStand Test = "fiveTimesSitToStand" // time in seconds
	ChairStand30        Test = "chairStand30"        // count of stands in 30 s
	SingleLegStance     Test = "singleLegStance"     // time in seconds, and sway of the middle of the hips
	CountermovementJump Test = "countermovementJump" // height by flight time in metres and, with a scale, by the rise of the hips
)

var tests = []Test{FiveTimesSitToStand, ChairStand30, SingleLegStance, CountermovementJump}
