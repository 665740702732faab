package report

import (
	"fmt"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/keypoint/words"
)

// texts are what a report says in a language. Those of which the page is made are exported; the others are for
// fmt.Sprintf.
type texts struct {
	Lang                                                              words.Language
	Kind                                                              string
	uploaded, made, person, lasts, still, date, at, frames            string
	list, listEnd, space, letterLeft, letterRight, day                string
	subject, born, bodyHeight, affected, filmed, examiner             string
	Targets, Target, times, signs                                     string
	Sessions, band, before                                            string
	trendOf                                                           map[trend.Statistic]string
	Left, Right, Both, Mean, Deviation                                string
	Trust, Notes, Methods, Settings, Definitions                      string
	Values, Value, Min, Max, Range, valuesNote                        string
	valuesOnly, stillOnly, noValues                                   string
	sidesDiffer, sidesEqual                                           string
	Repetitions, Number, Start, Out, Hold, Back, Depth                string
	atTurn, mostInEach, meanOf, marked, holds, constant, tempo        string
	torsos, incomplete, shallow, repetition, turnsAt, counted         string
	repetitionsOne, repetitionsMany                                   string
	repetitionsNone, repetitionsTempo, repetitionsSpread              string
	repetitionsEqual, meanDuration, meanDepth                         string
	Gait, walking, running, fewSteps, noSteps                         string
	overground, treadmill, stanceShares, stepSymmetry                 string
	Cadence, Speed, perMinute, Symmetry, symmetryNote                 string
	StrideTime, StepTime, StanceTime, SwingTime, StanceShare          string
	StrideLength, StepLength, FlightTime, DoubleSupport               string
	StrideTimeShort, StrideLengthShort, cycleAxis                     string
	heelStrike, toeOff                                                string
	Jumps, jumpOne, jumpMany, jumpFlight, jumpRise, jumpDrop, noJumps string
	TakeOff, Landing, Height, Rise, Drop                              string
	HeightShort, FlightShort, RiseShort, takeOff, top, landing        string
	comparedWith, other, Score, stop, nothingShared, notTheSame       string
	durations, twins, Twins, twinsNote, Here, There                   string
	PartScore, Part, scoreNote, scoreSentence                         string
	AngleDifference, Angle, Difference, Time                          string
	minus, dashed, mirrored                                           string
	unjudged, partsNote, span, share, moreWarnings, view, plan        string
	corrected, uncorrected, outdated, inPixels, scaled                string
	inSpace, planSpace, scaledSpace, inTorsos, methodSpace            string
	inPicture, fromCameras                                            string
	version, keypoints, analysis, comparison, looks, capture          string
	cleaning, swaps, outliers, coincident, gaps, smooth, raw          string
	methodPlane, methodUncertainty, methodRepetition, part, partNote  string
	methodNeutral, offerNeutral                                       string // from and to
	methodGait, methodSymmetry, methodJump, methodCompare             string

	outcomes         map[exercise.Outcome]string
	numbers          map[string]string // of tests
	statistics       map[analyze.Statistic]string
	verdicts, advice map[quality.Verdict]string
	warnings         map[quality.Code]string
	alignments       map[compare.Alignment]string
}

// side names a side before the name of a part or an angle; "" for none.
func (w *texts) side(s analyze.Side) string {
	if s == "" {
		return ""
	}
	return w.Lang.Of(string(s)) + w.space
}

// sideName names a side alone; "" for none.
func (w *texts) sideName(s analyze.Side) string {
	return map[analyze.Side]string{analyze.LeftSide: w.Left, analyze.RightSide: w.Right}[s]
}

// letter stands for a side where colours may be lost; "" for none.
func (w *texts) letter(side string) string {
	return map[string]string{"left": w.letterLeft, "right": w.letterRight}[side]
}

// listOf joins names: "left knee, left ankle and nose".
func (w *texts) listOf(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], w.list) + w.listEnd + names[n-1]
	}
	return strings.Join(names, "")
}

// languages are the texts by language.
var languages = map[words.Language]*texts{"": &english, words.English: &english, words.Japanese: &japanese}

// event names what a foot does.
func (w *texts) event(e gait.Event) string {
	format, side := w.heelStrike, w.Left
	if e.Kind == gait.ToeOff {
		format = w.toeOff
	}
	if e.Side == analyze.RightSide {
		side = w.Right
	}
	return fmt.Sprintf(format, side)
}
