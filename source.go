package motion

import (
	"errors"
	"image"
	"slices"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// Source is where the keypoints of a record come from: Movie, Image, Again, Joined or Given. Requests refuse the zero value.
type Source struct {
	kind  sourceKind
	ids   []int64 // of the movie, the image, or the keypoint records
	given keypoint.Sequence
	on    []Source // more sources than one, of which only a picture of given keypoints makes sense
}

type sourceKind int

const (
	noSource sourceKind = iota
	fromMovie
	fromImage
	fromAgain
	fromJoined
	fromGiven
)

// Movie is a movie in which keypoints are found.
func Movie(id int64) Source { return Source{kind: fromMovie, ids: []int64{id}} }

// Image is an image in which keypoints are found.
func Image(id int64) Source { return Source{kind: fromImage, ids: []int64{id}} }

// Again is a keypoint record whose raw keypoints are cleaned and calibrated again, without decoding its movie or image again.
// Of the FindOptions, Clean, Uncleaned, CaptureRate and Calibration count; the others must be zero, because the looks, the people
// and the feet are those of that record.
func Again(extraction int64) Source { return Source{kind: fromAgain, ids: []int64{extraction}} }

// Joined are two to four keypoint records of one movement that cameras have seen from different sides, which may be unfinished:
// their keypoints, cleaned and corrected, are joined in space (package keypoint/space). The record is that of the first with
// positions in space. FindOptions must be zero but for a Scale with BodyHeight, which makes metres.
func Joined(extractions ...int64) Source { return Source{kind: fromJoined, ids: extractions} }

// Given are keypoints that another program has found: they are cleaned, calibrated and judged, and the record has SUCCESS at once.
// They need a Size, unless they are in space or have a World with a scale, and, of more than one frame, Times. Rate, Choose, Everybody and CandidateFrames must be zero.
func Given(keypoints keypoint.Sequence) Source { return Source{kind: fromGiven, given: keypoints} }

// On returns given keypoints as those of a movie or image that is drawn on: it must have their size, and a frame for each.
// Requests refuse it of all other sources.
func (s Source) On(pictures Source) Source {
	s.on = append(slices.Clip(s.on), pictures)
	return s
}

// Origin is what a keypoint record is made from.
type Origin struct {
	MovieID     int64   `json:"movieId,omitempty"` // whose pictures they are, also if they were made Again; 0 for none
	ImageID     int64   `json:"imageId,omitempty"`
	KeypointID  int64   `json:"keypointId,omitempty"`  // of Again
	KeypointIDs []int64 `json:"keypointIds,omitempty"` // of Joined

	Given *GivenKeypoints `json:"keypoints,omitempty"` // if they were Given, also to the record of KeypointID or KeypointIDs; else nil
}

// GivenKeypoints are what a record keeps of given keypoints beside the keypoints themselves.
type GivenKeypoints struct {
	Width     int         `json:"width"` // of the picture, pixels
	Height    int         `json:"height"`
	Recording *[0]float64 `json:"timestamps,omitempty"` // nil for those of a single picture
}

// origin returns what a record is made from that has the source alone.
func (s Source) origin() (o Origin) {
	switch s.kind {
	case fromMovie:
		o.MovieID = s.ids[0]
	case fromImage:
		o.ImageID = s.ids[0]
	case fromAgain:
		o.KeypointID = s.ids[0]
	case fromJoined:
		o.KeypointIDs = s.ids
	case fromGiven:
		for _, pictures := range s.on {
			o = pictures.origin()
		}
		o.Given = &GivenKeypoints{Width: s.given.Size.X, Height: s.given.Size.Y}
		if s.given.Times != nil {
			o.Given.Recording = new([0]float64)
		}
	}
	return o
}

// still reports whether the keypoints are those of a picture rather than of a recording.
func (o Origin) still() bool { return o.ImageID != 0 || o.Given != nil && o.Given.Recording == nil }

// pictured reports whether there is a movie or an image to draw on.
func (o Origin) pictured() bool { return o.MovieID != 0 || o.ImageID != 0 || o.Given == nil }

func (o Origin) media(owner string) storage.Key {
	if o.ImageID != 0 {
		return storage.Key{Owner: owner, Kind: storage.Images, ID: o.ImageID}
	}
	return storage.Key{Owner: owner, Kind: storage.Movies, ID: o.MovieID}
}

// check reports what is wrong with a source, whatever records it names, and with the options that it does not leave open.
func (s Source) check(o FindOptions, frames int) error {
	rest := o // which the source decides
	switch s.kind {
	case fromGiven:
		rest.Feet, rest.Mirrored = false, false
		fallthrough
	case fromAgain:
		rest.Clean, rest.Uncleaned, rest.CaptureRate = none.Clean, none.Uncleaned, none.CaptureRate
		fallthrough
	case fromJoined:
		rest.Calibration = none.Calibration
	case fromMovie, fromImage:
		rest = none
	}
	switch fixed := rest != none || len(s.on) > 0; {
	case s.kind == fromGiven:
		return s.checkGiven(o, rest != none, frames)
	case s.kind == fromJoined && fixed:
		return badRequest("keypointIds", "excludes what says where keypoints come from and how they are found, cleaned and measured, but for scale: that is of the records")
	case s.kind == fromJoined:
		return s.checkJoined(o.Calibration)
	case s.kind == fromAgain && fixed:
		return badRequest("keypointId", "excludes movieId, imageId, rate, choose, everybody, feet, mirrored, shrink and candidates")
	case s.kind == noSource || fixed:
		return badRequest("movieId", "exactly one of movieId and imageId is required")
	}
	return nil
}

// checkJoined checks the records that are joined, and the calibration in space.
func (s Source) checkJoined(c keypoint.Calibration) error {
	switch {
	case len(s.ids) < 2 || len(s.ids) > 4:
		return badRequest("keypointIds", "has %d, want two to four records", len(s.ids))
	case c.Floor != nil:
		return badRequest("floor", "is found in space: leave it out")
	case c.CameraPitch != nil:
		return badRequest("cameraPitch", "is found in space: leave it out")
	case c.Origin != nil:
		return badRequest("origin", "is found in space: leave it out")
	case c.Scale != nil && c.Scale.BodyHeight == 0:
		return badRequest("scale", "is not a bodyHeight, which alone makes metres in space")
	}
	for i, id := range s.ids {
		if slices.Contains(s.ids[:i], id) {
			return badRequest("keypointIds", "has %d twice, want records of different cameras", id)
		}
	}
	return nil
}

// checkGiven checks given keypoints, of fewer than limit frames; found: the request says how they are found.
func (s Source) checkGiven(o FindOptions, found bool, limit int) error {
	seq := s.given
	places := seq.Size == (image.Point{}) && (seq.Space.Seen() || seq.World.Metric())
	n, on := seq.Len(), Source{}
	for _, on = range s.on {
		found = found || on.kind != fromMovie && on.kind != fromImage
	}
	if found {
		return badRequest("keypoints", "exclude keypointId, keypointIds, rate, choose, everybody, shrink and candidates")
	}
	if err := seq.Validate(); err != nil {
		return inField("keypoints", err)
	}
	switch {
	case n == 0:
		return badRequest("keypoints", "have no frame")
	case limit > 0 && n >= limit:
		return badRequest("keypoints", "have %d frames, want fewer than %d", n, limit)
	case seq.Space.Seen() && o.Calibration != none.Calibration:
		return errPlaced
	case places && (o.Mirrored || len(s.on) > 0):
		return badRequest("keypoints", "are places of a laboratory and not in a picture: leave movieId, imageId and mirrored out")
	case !places && (seq.Size.X == 0 || seq.Size.Y == 0):
		return badRequest("size", "is missing: want width and height of the picture in pixels, [1280, 720]")
	case on.kind == fromImage && n > 1:
		return badRequest("imageId", "is one picture, and there are keypoints of %d frames", n)
	case n > 1 && seq.Times == nil:
		return badRequest("frameRate", "is missing: there are %d frames, want frames per second, or timestamps", n)
	case len(s.on) > 1:
		return badRequest("movieId", "exactly one of movieId and imageId is required")
	}
	bad, ok := errors.AsType[*formats.Error](formats.Check(seq))
	switch {
	case !ok:
		return nil
	case bad.Member == "":
		return badRequest("keypoints", "%s", bad.Detail)
	}
	return badRequest(map[string]string{"Size": "size", "Times": "timestamps"}[bad.Member], "%s", bad.Detail)
}

// errPlaced refuses the calibration of keypoints in space.
var errPlaced = badRequest("scale", "is of a picture, as floor and origin are, and these keypoints are in space with their own: leave them out")

// madeFrom returns the records of a kind with the given ids that a record is made from; 0 is none.
func madeFrom(kind storage.Kind, ids ...int64) (list []catalog.Origin) {
	for _, id := range ids {
		if id != 0 {
			list = append(list, catalog.Origin{Kind: kind, ID: id})
		}
	}
	return list
}
