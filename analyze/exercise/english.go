package exercise

import (
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/keypoint/words"
)

var english = phrases{
	lang: words.English, list: ", ", stop: ".", gap: " ", side: "%s %s",
	atLeast: "at least %s", atMost: "at most %s", between: "%s to %s", atStart: "%s at the start", throughout: "%s throughout",
	short: "%[1]s %[2]s short of %[3]s", over: "%[1]s %[2]s over %[3]s", near: "%s too near to %s to tell", withheld: "%s not shown (%s)",
	one: "repetition %s", many: "repetitions %s", colon: ": ", span: "%s to %s",
	allMet: "all targets met", noneMissed: "no target missed that this view shows", noneShown: "no target can be told",
	everyMet: "%d of %d repetitions %s every target.", meets: [2]string{"meets", "meet"},
	notMissed: "%d of %d repetitions %s no target that this view shows.", misses: [2]string{"misses", "miss"},
	allMiss:   "Each repetition misses a target.",
	nothing:   "This recording shows none of the targets.",
	none:      "No repetition is seen clearly enough to judge.",
	uncounted: "not counted, because not full: %s",
	another:   "the recording shows another movement: %s",
	fromSide:  "Better from the side: film at 80 to 100° from the front.", fromFront: "Better from the front: film at up to 20° from it.",
	phases:   map[string]string{"down": "way down", "up": "way up", "out": "way out", "back": "way back", "hold": "hold"},
	duration: "duration",
	quick:    map[analyze.Type]string{OutTime: "%[2]s too quick on the %[1]s", HoldTime: "held %[2]s too short", BackTime: "%[2]s too quick on the %[1]s", Duration: "%[2]s too quick as a whole"},
	slow:     map[analyze.Type]string{OutTime: "%[2]s too slow on the %[1]s", HoldTime: "held %[2]s too long", BackTime: "%[2]s too slow on the %[1]s", Duration: "%[2]s too slow as a whole"},
	movements: map[study.Movement]string{
		study.Squat: "squats", study.SitToStand: "rises from a chair", study.Lunge: "lunges", study.Hinge: "hip hinges", study.PushUp: "push-ups",
		study.Curl: "curls", study.Raise: "raises of the arms", study.Jump: "jumps", study.Walking: "walking", study.Running: "running", study.Still: "standing still",
	},
	incomplete: "incomplete", units: map[string]string{"torso": " torso lengths"},
	numbers: map[string]string{
		"fiveTimesSitToStand": "five stands took %[1]s", "chairStand30": "%[1]s stands in 30 s", "singleLegStance": "%[2]s leg: %[1]s",
		"countermovementJump": "%[1]s high by the flight time", "rise": "the hips rose by %[1]s", "sway": "the hips swayed by %[1]s (root mean square)",
		"atLeast": "at least %s",
	},
	fewStands: "Five full stands are needed, and %d were found.", tooShort: "The recording ends %.0f s after the first movement: 30 s are needed.",
	noChair: "No rises from a chair were found.", noJump: "No jump was found.", noStance: "Nobody stands on one leg for a second.", noSway: "The sway needs a view from the front or from the side.",
}
