package catalog

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// Work is the part of the stored data that all records with a status have.
type Work struct {
	Progress float64 `json:"progress,omitempty"` // part of the work that is done; 0 when unknown

	// Corrected names the corrections of the keypoints that the record was made from, if they had any.
	Corrected []Corrected `json:"corrected,omitempty"`
}

// Corrected names the corrections of a person's keypoints.
type Corrected struct {
	Keypoint int64  `json:"keypoint"`
	Person   int    `json:"person,omitempty"` // track; 0 for the chosen one
	Digest   string `json:"digest"`           // of Extraction.Corrections
}

func (w *Work) work() *Work { return w }

// Media is the stored form of a movie or an image.
type Media struct {
	Name       string  `json:"name,omitempty"`
	Text       string  `json:"text,omitempty"`
	ContentMD5 string  `json:"contentMd5"`
	Uploaded   bool    `json:"uploaded,omitempty"`
	Bytes      int64   `json:"bytes,omitempty"` // of the uploaded file
	Width      int     `json:"width,omitempty"`
	Height     int     `json:"height,omitempty"`
	Frames     int     `json:"frames,omitempty"`
	FrameRate  float64 `json:"frameRate,omitempty"`
	Duration   float64 `json:"duration,omitempty"`
}

func mediaFile(r storage.Record) (File, bool, error) {
	var d Media
	if err := Decode(r, &d); err != nil {
		return File{}, false, err
	}
	sum, _ := ParseMD5(d.ContentMD5)
	return File{Size: d.Bytes, MD5: sum}, d.Uploaded, nil
}

// ParseMD5 reads an MD5 in base64 or in hexadecimal.
func ParseMD5(s string) ([]byte, bool) {
	if len(s) == 32 {
		if b, err := hex.DecodeString(s); err == nil {
			return b, true
		}
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s) // which skips line breaks
	return b, err == nil && len(b) == 16 && len(s) == 24
}

// Extraction is the stored form of a keypoint record. Its result is of package extraction, or in old
// records without Clean and Verdict a keypoint.Sequence.
type Extraction struct {
	Movie    int64 `json:"movie,omitempty"`
	Image    int64 `json:"image,omitempty"`
	Keypoint int64 `json:"keypoint,omitempty"` // the record whose raw keypoints are cleaned

	Rate float64 `json:"rate,omitempty"` // looks per second; 0 for every frame

	Clean   json.RawMessage `json:"clean,omitempty"` // clean.Options
	Cleaned Counts          `json:"cleaned,omitzero"`

	CaptureRate float64              `json:"captureRate,omitempty"` // frames per second of the camera; 0: of the movie
	Calibration keypoint.Calibration `json:"calibration,omitzero"`
	World       keypoint.World       `json:"world,omitzero"` // what Calibration has found

	Verdict string `json:"verdict,omitempty"` // quality.Verdict

	// Corrections are the digests of correct.Lists, by track, and of the chosen person's by 0.
	Corrections map[int]string `json:"corrections,omitempty"`

	Everybody       bool            `json:"everybody,omitempty"`
	People          json.RawMessage `json:"people,omitempty"` // []inference.Presence
	Feet            bool            `json:"feet,omitempty"`
	Choose          json.RawMessage `json:"choose,omitempty"` // motion.Choice
	CandidateFrames int             `json:"candidateFrames,omitempty"`
	Candidates      json.RawMessage `json:"candidates,omitempty"` // []motion.Candidate
	Work
}

// Counts are the numbers of points that cleaning changed, by how it did, and of runs of
// points that were too short to smooth.
type Counts struct {
	Swapped  int `json:"swapped,omitempty"`
	Rejected int `json:"rejected,omitempty"`
	Filled   int `json:"filled,omitempty"`
	Smoothed int `json:"smoothed,omitempty"`
	Skipped  int `json:"skipped,omitempty"`
}

func slowExtraction(r storage.Record) bool {
	var d Extraction
	return Decode(r, &d) == nil && d.Movie != 0 && d.Keypoint == 0
}

// Comparison is the stored form of a comparison. Its result is a compare.Result.
type Comparison struct {
	Source       int64           `json:"source"`
	Target       int64           `json:"target"`
	Person       int             `json:"person,omitempty"` // track in the source
	TargetPerson int             `json:"targetPerson,omitempty"`
	Options      json.RawMessage `json:"options"` // compare.Options
	Score        bool            `json:"score,omitempty"`
	Shift        bool            `json:"shift,omitempty"`
	Work
}

// Analysis is the stored form of an analysis. Its result is a []analyze.Result, or an AnalysisResult if
// it has Gait or Jump.
type Analysis struct {
	Keypoint  int64           `json:"keypoint"`
	Person    int             `json:"person,omitempty"` // track
	Rule      json.RawMessage `json:"rule,omitempty"`   // []analyze.Rule
	RuleAlone bool            `json:"ruleAlone,omitempty"`
	Gait      json.RawMessage `json:"gait,omitempty"` // gait.Options
	Jump      bool            `json:"jump,omitempty"`
	Part
	Work
}

// Part is a part of a movie in seconds of the keypoints; To 0 means to the end.
type Part struct {
	From float64 `json:"from,omitempty"`
	To   float64 `json:"to,omitempty"`
}

// AnalysisResult is the stored result of an analysis of gait or jumps.
type AnalysisResult struct {
	Result   json.RawMessage `json:"result"`          // []analyze.Result
	Gait     json.RawMessage `json:"gait,omitempty"`  // gait.Gait, or null
	Jumps    json.RawMessage `json:"jumps,omitempty"` // []jump.Jump, or null
	Warnings json.RawMessage `json:"warnings,omitempty"`
}

// Drawing is the stored form of a drawing. It has a file and no result.
type Drawing struct {
	Keypoint   int64           `json:"keypoint,omitempty"`
	Comparison int64           `json:"comparison,omitempty"`
	Person     int             `json:"person,omitempty"` // track
	Rule       json.RawMessage `json:"rule,omitempty"`   // []draw.Rule
	RuleAlone  bool            `json:"ruleAlone,omitempty"`
	Background json.RawMessage `json:"background,omitempty"` // draw.Background
	Options    json.RawMessage `json:"options,omitempty"`    // motion.DrawOptions
	Still      bool            `json:"still,omitempty"`      // known to be of an image

	// The analysis whose values labels write, its rules and its part: the drawing computes the values
	// itself and no longer needs the record.
	AnalysisID int64           `json:"labelAnalysis,omitempty"`
	Analysis   json.RawMessage `json:"labelRule,omitempty"`
	Analysed   *Part           `json:"labelPart,omitempty"` // nil: all

	// The drawn file: ".jpg" or ".mp4", its size in bytes, and its MD5 in hexadecimal.
	Extension string `json:"extension,omitempty"`
	Bytes     int64  `json:"bytes,omitempty"`
	MD5       string `json:"md5,omitempty"`
	Work
}

// File returns the name of the drawn file without its folder, "" before it is drawn.
func (d Drawing) File(id int64) string {
	if d.Extension == "" {
		return ""
	}
	return fmt.Sprint(id, d.Extension)
}

func slowDrawing(r storage.Record) bool {
	var d Drawing
	return Decode(r, &d) != nil || !d.Still
}

func drawingFile(r storage.Record) (File, bool, error) {
	var d Drawing
	if err := Decode(r, &d); err != nil {
		return File{}, false, err
	}
	sum, _ := ParseMD5(d.MD5)
	return File{Size: d.Bytes, MD5: sum, extension: d.Extension}, r.Status == storage.Success, nil
}
