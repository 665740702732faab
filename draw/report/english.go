package report

import (
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

var english = texts{
	Lang: words.English, Kind: "Movement report",
	uploaded: "uploaded %s", made: "report made %s", person: "person %d", lasts: "%s s, %s pictures a second", still: "one picture",
	date: "2 January 2006, 15:04 MST", at: "%s s", frames: "frame %d", list: ", ", listEnd: " and ", space: " ",
	letterLeft: "L", letterRight: "R", day: "2 January 2006",
	subject: "Person", born: "Born", bodyHeight: "Height", affected: "Side", filmed: "Filmed", examiner: "Examiner",
	Targets: "Targets", Target: "Target", times: "%d %s", signs: "✓ met, ✗ missed, ≈ too near to tell", Sessions: "Last sessions", before: "Before it begins", band: "smallest real change about the first session, %s",
	trendOf:  map[trend.Statistic]string{trend.Peak: "%s, most", trend.Turn: "%s at the turns", trend.Min: "%s, least", trend.Range: "%s, range"},
	outcomes: map[exercise.Outcome]string{exercise.Met: "met", exercise.Missed: "missed", exercise.Near: "too near to tell", exercise.Withheld: "withheld"},
	numbers:  map[string]string{"time": "time", "count": "stands", "height": "height", "rise": "rise of the hips", "sway": "sway of the hips"},
	Left:     "Left", Right: "Right", Both: "Both", Mean: "Mean", Deviation: "Deviation",
	Trust: "How far to trust this: ", Notes: "Notes", Methods: "How it was measured", Settings: "Settings and versions", Definitions: "What the values mean",
	inPicture: "Measured in the picture, not in space · not a diagnosis", fromCameras: "Measured in space, by several cameras · not a diagnosis",

	Values: "Range", Value: "Value", Min: "Least", Max: "Most", Range: "Range", valuesNote: "over the whole recording",
	valuesOnly: "%d values over %s s", stillOnly: "%d values in one picture", noValues: "Nothing could be measured",
	sidesDiffer: "The range of the %[1]s is %[2]s on the left and %[3]s on the right.", sidesEqual: "The range of the %[1]s is %[2]s on both sides.",

	Repetitions: "Repetitions", Number: "No.", Start: "Start, s", Out: "Out, s", Hold: "Hold, s", Back: "Back, s", Depth: "Depth",
	atTurn: "depth from rest; the values at the turning point", mostInEach: "depth from rest; the greatest values in each", meanOf: "Mean of %s",
	marked: "Marked as %[1]s: %[2]s.", holds: "What this recording can still tell: %s.", tempo: "the repetitions and their tempo",
	constant: "Besides ±, angles may be off by the same amount in every picture (one standard deviation: %s). Changes over time are not affected.",
	torsos:   "torso lengths", incomplete: "incomplete", shallow: "shallow", repetition: "Repetition %d", turnsAt: "turns at %s",
	counted:        "Counted in the %s.",
	repetitionsOne: "One repetition", repetitionsMany: "%d repetitions",
	repetitionsNone:   "No repetitions were found.",
	repetitionsTempo:  "A complete one takes %[1]s s on average: %[2]s s out, %[3]s s held, %[4]s s back.",
	repetitionsSpread: "Repetition %[1]d goes farthest with %[2]s, repetition %[3]d least far with %[4]s.",
	repetitionsEqual:  "The repetitions differ by %s at most.",
	meanDuration:      "Mean duration", meanDepth: "%s, depth",

	Gait: "Gait", walking: "Walking, %s steps a minute", running: "Running, %s steps a minute", fewSteps: "A few steps", noSteps: "No steps were found.",
	overground:   "%d strides across the picture were measured.",
	treadmill:    "%d strides in place were measured.",
	stanceShares: "A foot is on the ground for %[1]s of its stride on the left, and for %[2]s on the right.",
	stepSymmetry: "The step times of the two sides differ by %s (symmetry angle; 0 is equal).",
	Cadence:      "Cadence", Speed: "Speed", perMinute: "%s / min", Symmetry: "Symmetry", symmetryNote: "symmetry angle: 0 % is equal, above 0: right greater",
	StrideTime: "Stride time, s", StepTime: "Step time, s", StanceTime: "Stance time, s", SwingTime: "Swing time, s", StanceShare: "Stance, % of stride",
	StrideLength: "Stride length, %s", StepLength: "Step length, %s", FlightTime: "Flight, s", DoubleSupport: "Double support, s",
	StrideTimeShort: "Stride time", StrideLengthShort: "Stride length",
	cycleAxis:  "Mean of %d left and %d right strides from heel strike to heel strike, with one standard deviation",
	heelStrike: "%s heel strike", toeOff: "%s toe off",

	Jumps: "Jumps", noJumps: "No jumps were found.", jumpOne: "One jump, %s cm high", jumpMany: "%d jumps, the highest %s cm",
	jumpFlight: "The height follows from %s s in the air.",
	jumpRise:   "Measured with the scale, the hips rise by %s cm after take-off.",
	jumpDrop:   "At landing the hips are %s cm lower than at take-off, so the height from the flight time is too great.",
	TakeOff:    "Take-off, s", Landing: "Landing, s", Height: "Height, cm", Rise: "Hips rise, cm", Drop: "Lower at landing, cm",
	HeightShort: "Height", FlightShort: "Flight time", RiseShort: "Rise of the hips", takeOff: "Take-off", top: "Top", landing: "Landing",

	comparedWith: "Compared with %s.", other: "the other recording", Score: "Score", stop: ".", nothingShared: "Nothing can be compared", notTheSame: "Not the same movement",
	durations: "This recording lasts %[1]s s, the other %[2]s s.",
	twins:     "Repetitions with a twin in the other recording: %d.",
	Twins:     "Repetitions with their twins", twinsNote: "seconds; the twin is in %s", Here: "Here", There: "Twin",
	PartScore: "Similarity by part", Part: "Part", scoreNote: "100: the same movement",
	scoreSentence:   "100 is the same movement. Repetitions of one person reach 90 or more, unrelated movements 50 or less.",
	AngleDifference: "Differences of angles", Angle: "Angle", Difference: "Difference", Time: "at",
	minus: "%s minus this", dashed: "Angles over time, dashed: %s", mirrored: "Left and right of the other recording were exchanged first.",

	unjudged: "This recording was not judged", partsNote: " Concerned: %s.", span: " (%[1]s to %[2]s)", share: " (%s of the pictures)", moreWarnings: "And %d more.",
	view:      "The camera stood about %.0f° from the front: 0° is the front, 90° the side, 180° the back.",
	plan:      "Seen from above: the camera stands about %.0f degrees from the front; the green arcs are the best places",
	corrected: "Points corrected by hand: %d.", uncorrected: "No point was corrected by hand.", outdated: "Points were corrected after these numbers were computed: compute them again.",
	inPixels: "Without a scale, lengths are pixels.", scaled: "Lengths are metres in the plane of the movement, %s mm a pixel.",

	statistics: map[analyze.Statistic]string{
		"": "%s", analyze.Max: "%s, maximum", analyze.Min: "%s, minimum", analyze.Mean: "%s, mean", analyze.Median: "%s, median", analyze.Range: "%s, range",
		analyze.StandardDeviation: "%s, deviation", analyze.Percentile5: "%s, 5th percentile", analyze.Percentile95: "%s, 95th percentile",
	},
	verdicts: map[quality.Verdict]string{quality.Good: "Good", quality.Usable: "Usable, with care", quality.Poor: "Poor", quality.Nobody: "Nobody was found"},
	advice: map[quality.Verdict]string{
		quality.Good:   "The recording shows what the numbers need.",
		quality.Usable: "Read the points below before you use a number.",
		quality.Poor:   "A third of the recording or more, or a whole measurement, is unreliable: film it again if you can.",
		quality.Nobody: "Film it again with the whole body in the picture, and large enough.",
	},
	warnings: map[quality.Code]string{
		quality.CodeOutOfPlane:    "The camera sees some angles obliquely: their ± is larger, or they are not shown.",
		quality.CodeHiddenSide:    "Parts of the body are covered. What depends on them is not shown.",
		quality.CodeCutOff:        "The person is partly outside the picture.",
		quality.CodeSmall:         "The person is small in the picture: film from closer.",
		quality.CodeLowFrameRate:  "The movement is too fast for so few pictures a second.",
		quality.CodePersonChanged: "Somebody else may be measured in a part of the recording.",
		quality.CodeLost:          "The person was not found all the time.",
		quality.CodeSwapped:       "Left and right were exchanged, or cannot be told apart.",
		quality.CodeJitter:        "The points tremble.",
		quality.CodeCameraMoves:   "The camera moves.",
		quality.CodeLowCoverage:   "Parts of the body are missing in many pictures.",
		quality.CodeFacing:        "Where the person faces cannot be told, so that some angles are missing.",
		quality.CodeImplausible:   "Steps were found that nobody makes. They are left out.",
		quality.CodeDamaged:       "The movie is damaged or incomplete: what is missing was not measured.",
		quality.CodeUnseen:        "Another program found the points; the picture was not seen.",
	},
	alignments: map[compare.Alignment]string{
		"": "stretched evenly", compare.Linear: "stretched evenly", compare.DTW: "warped so that the poses fit best", compare.Offset: "shifted by one amount",
	},

	version: "Software", keypoints: "Keypoint record", analysis: "Analysis", comparison: "Comparison", looks: "Looked at, pictures a second", capture: "Filmed at, pictures a second",
	cleaning: "Cleaning", swaps: "left and right exchanged back", outliers: "outliers removed", coincident: "coinciding points removed", gaps: "gaps up to %s s filled", smooth: "smoothed (%s)", raw: "none",

	part: "Only the part from %s to %s was analysed.", partNote: "over the part that was analysed",
	inSpace:           "%d cameras saw the movement, %.0f° apart as the person sees them: angles and lengths are those in space.",
	planSpace:         "Seen from above: where the cameras stood at first",
	scaledSpace:       "Lengths are metres by the height of the body.",
	inTorsos:          "Without the height of the body, lengths are torso lengths.",
	methodSpace:       "A neural network finds points of the body in the pictures of each camera, and where their rays meet is the place in space. Angles are those between the limbs or in the planes of the body.",
	methodPlane:       "A neural network finds points of the body in each picture. Angles and lengths are those of their images in the plane of the picture: what points towards the camera looks shorter.",
	methodNeutral:     "0° of each angle is how the person stood from %s to %s s.",
	offerNeutral:      "The person stands still from %s to %s s: ask for angles against that (neutral) to take out what is constantly off.",
	methodUncertainty: "± is one standard deviation of the value at its moment, rounded up, for an angle against that in space, but for what is off alike in every picture. ▲ marks a value with more than 10°; with more than 20°, and where a joint is hidden, the reason stands instead of a number.",
	methodRepetition:  "A repetition lasts from rest over the turning point back to rest. Its depth is the difference between the farthest value and the mean of start and end. Out, hold and back follow from least-jerk movements between 10 and 90 % of the way (Flash and Hogan 1985). Incomplete ones do not come back, shallow ones go less than two thirds of the usual way; mean and deviation (of a sample) are those of the others.",
	methodGait:        "Heel strike and toe off are where the speed of the foot over the ground passes a share of that of the person (after Zeni et al. 2008, Bruening and Ridge 2014). Cadence is 120 s / stride time. Walking has a stance share of half or more.",
	methodSymmetry:    "Symmetry is the symmetry angle (45° − atan(left / right)) / 90° (Zifchock et al. 2008).",
	methodJump:        "Take-off and landing follow from a parabola through the places of the lower foot in the air. Height = g · t² / 8 with the flight time t (Bosco et al. 1983); it supposes that the person lands as stretched as at take-off, and counts from take-off. The rise of the hips needs a scale.",
	methodCompare:     "Both bodies are scaled to one torso length and laid on each other at the hips. Similarity is a concordance of the movements of shoulders, elbows, wrists, knees and ankles (after Lin 1989); another posture counts less than another movement. Time: the other recording is %s.",
}
