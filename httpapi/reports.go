package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	goimage "image"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/say"
	"github.com/bodymotion/motion/storage"
)

const reportSide = 1920 // pixels of the longer side of a picture, before the person is cut out

func language(c *call) (say.Language, error) {
	l := say.Language(c.query.Get("language"))
	switch {
	case !c.query.Has("language"):
		return say.English, nil
	case !slices.Contains(say.Languages(), l):
		return "", invalid(inQuery("language", string(l), "en or ja"))
	}
	return l, nil
}

// onlyFor are the formats that query parameters are for.
var onlyFor = map[string]string{
	"language": "report tables phases", "examiner": "report tables", "utcOffset": "report tables", "separator": "tables",
	"repetition": "phases", "pictures": "phases", "scale": "phases", "skeleton": "phases", "curve": "phases", "name": "phases report",
}

// separator returns what the query asks for between the cells of format=tables.
func separator(c *call) (rune, error) {
	name := c.query.Get("separator")
	switch {
	case !c.query.Has("separator") || name == "comma":
		return ',', nil
	case name == "semicolon":
		return ';', nil
	}
	return 0, invalid(inQuery("separator", name, "comma or semicolon"))
}

const maxExaminer = 100 // characters

// asked returns an empty report in the language, and with the examiner and the zone, that the query asks for.
func asked(c *call) (r report.Report, err error) {
	_, badSeparator := separator(c)
	_, badName := c.truth("name")
	if r.Language, err = language(c); cmp.Or(badSeparator, badName, err) != nil {
		return r, cmp.Or(badSeparator, badName, err)
	}
	if r.Examiner = c.query.Get("examiner"); utf8.RuneCountInString(r.Examiner) > maxExaminer {
		return r, invalid(inQuery("examiner", r.Examiner, "at most 100 characters"))
	}
	if offset := c.query.Get("utcOffset"); c.query.Has("utcOffset") {
		minutes, err := jsonappend.Int(strings.TrimPrefix(offset, "+"))
		if err != nil || minutes < -720 || minutes > 840 {
			return r, invalid(inQuery("utcOffset", offset, "-720 to 840 minutes"))
		}
		r.Zone = time.FixedZone("", 60*int(minutes))
	}
	return r, nil
}

// version is that of this module in the running program, "" if it is unknown.
var version = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/bodymotion/motion" {
				return m.Version
			}
		}
	}
	return ""
})

// reportOf returns a report of keypoints without numbers.
func reportOf(c *call, e motion.Extraction) (r report.Report, err error) {
	r, _ = asked(c) // which exported has checked
	if r.Sequence, err = e.Sequence(); err != nil {
		return r, err
	}
	if r.Sequence.Empty() {
		return r, wire.Refuse(http.StatusNotFound, "There is no report: nobody was found in the recording.")
	}
	m, err := mediumOf(c, e)
	if err != nil {
		return r, err
	}
	r.Title, r.Text, r.Uploaded, r.Recorded, r.Person, r.Movie = orZero(m.Name), orZero(m.Text), m.CreatedAt, e.Filmed(), e.Track, c.movie
	for _, s := range e.Sketches {
		rgba, _ := cmp.Or(s.Color, draw.Yellow).RGBA()
		r.Sketches = append(r.Sketches, report.Sketch{Frame: s.Frame, Points: s.Points, Text: s.Text, Color: rgba})
	}
	for _, n := range e.Notes {
		r.Notes = append(r.Notes, report.Note{Time: n.Time, Text: n.Text})
	}
	if e.SubjectID != 0 {
		s, err := c.service.GetSubject(c.r.Context(), c.client, e.SubjectID)
		if err != nil && !errors.Is(err, motion.ErrNotFound) {
			return r, err
		}
		r.Subject = report.Subject{Name: s.Name, BirthYear: s.BirthYear, BodyHeight: s.BodyHeight, Side: s.Side}
		if c.query.Get("name") == "false" {
			r.Subject.Name = ""
		}
	}
	r.Quality, err = e.Quality()
	marks, bad := e.Marks()
	if err := cmp.Or(err, bad); err != nil {
		return r, err
	}
	for _, frame := range marks {
		for _, mark := range frame {
			if mark == correct.Corrected || mark == correct.Exchanged {
				r.Corrected++
			}
		}
	}
	how := e.Clean
	if how.Smooth != nil && e.Cleaned.Cutoff > 0 { // what the movement chose
		smooth := *how.Smooth
		smooth.Cutoff, how.Smooth = e.Cleaned.Cutoff, &smooth
	}
	r.Settings = report.Settings{Version: version(), Keypoints: e.ID, Rate: e.Rate, CaptureRate: e.CaptureRate, Cleaning: &how}
	return r, nil
}

// personOf returns a keypoint record as that of one of its people; track 0 is the chosen one.
func personOf(c *call, id int64, track int) (motion.Extraction, error) {
	e, err := c.service.GetExtraction(c.r.Context(), c.client, id)
	if err != nil {
		return e, err
	}
	return e.Person(track)
}

// mediumOf returns the record of the movie or image; of keypoints that were given without, one with their time.
func mediumOf(c *call, e motion.Extraction) (motion.Media, error) {
	kind, id := recording(e)
	if id == 0 {
		return motion.Media{CreatedAt: e.CreatedAt}, nil
	}
	return readMedia(c, kind, id)
}

// recording returns the movie or image of a keypoint record, the id 0 if keypoints were given without.
func recording(e motion.Extraction) (kind storage.Kind, id int64) {
	if e.ImageID != 0 {
		return storage.Images, e.ImageID
	}
	return storage.Movies, e.MovieID
}

// stills calls use with a function that returns pictures of a recording, put right if it is mirrored.
func stills(c *call, e motion.Extraction, use func(func(int) (goimage.Image, error)) error) error {
	kind, id := recording(e)
	return c.service.UseStills(c.r.Context(), c.client, kind, id, func(picture func(int) (goimage.Image, error)) error {
		return use(func(i int) (goimage.Image, error) {
			m, err := picture(i)
			if err == nil && e.Mirrored {
				m = film.Mirror(m)
			}
			return m, err
		})
	})
}

// trends follows what leads a recording, on both sides if they are known, over all recordings of the person.
func trends(c *call, e motion.Extraction, r report.Report) (list []trend.Trend, err error) {
	if e.SubjectID == 0 || r.Study == nil || r.Study.Lead == nil || r.Comparison != nil {
		return nil, nil
	}
	lead := r.Study.Lead.Type
	sides := []analyze.Side{""}
	if lead.Sided() {
		sides = []analyze.Side{analyze.LeftSide, analyze.RightSide}
	}
	for _, side := range sides {
		t, err := c.service.GetTrend(c.r.Context(), c.client, e.SubjectID, motion.TrendRequest{Measure: lead, Side: side})
		if errors.Is(err, motion.ErrNotFound) { // erased meanwhile
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if t.Change != nil && t.Change.To != e.ID {
			t.Sentence = nil // which is about a later recording
		}
		if len(t.Sessions) > 1 && slices.ContainsFunc(t.Sessions, func(s trend.Session) bool { return s.Value.Present }) {
			list = append(list, t)
		}
	}
	return list, nil
}

// writeReport writes a report of keypoints with what the person did before, and pictures from its movie or image.
func writeReport(c *call, w io.Writer, e motion.Extraction, r report.Report) (err error) {
	if r.Trend, err = trends(c, e, r); err != nil {
		return err
	}
	r.Pictures = map[int]goimage.Image{}
	if _, id := recording(e); id != 0 {
		err = stills(c, e, func(picture func(int) (goimage.Image, error)) error {
			for _, i := range r.Frames() {
				img, err := picture(i)
				if err != nil {
					return err
				}
				r.Pictures[i] = film.Shrunk(img, reportSide) // the picture is valid until the next one
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	return r.Write(w)
}

func reportKeypoint(c *call, w io.Writer, e motion.Extraction) error {
	r, err := reportOf(c, e)
	if err == nil {
		err = r.Analyze()
	}
	if err != nil {
		return err
	}
	return writeReport(c, w, e, r)
}

func reportAnalysis(c *call, w io.Writer, a motion.Analysis) error {
	e, err := personOf(c, a.KeypointID, a.Person)
	if err != nil {
		return err
	}
	r, err1 := reportOf(c, e)
	result, err2 := a.Result()
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	for k, one := range result.Results {
		r.Series = append(r.Series, report.Series{Rule: a.Rules[k], Result: one})
	}
	if r.Outdated, err = outdated(c, a.State); err != nil {
		return err
	}
	r.Gait, r.Jumps, r.Study, r.Exercise, r.Neutral = result.Gait, result.Jumps, result.Overview, result.Exercise, result.Neutral
	r.Settings.Analysis = a.ID
	if a.From != 0 || a.To != 0 {
		if r.Part, err = r.Sequence.Between(a.From, a.To); err != nil {
			return err
		}
	}
	r.NoSteps, r.NoJumps = a.Gait != nil && r.Gait == nil, a.Jump && len(r.Jumps) == 0
	if err := r.Analyze(); err != nil {
		return err
	}
	if c.query.Get("format") == "tables" {
		between, _ := separator(c) // which exported has checked
		return r.WriteTables(w, between)
	}
	return writeReport(c, w, e, r)
}

func reportComparison(c *call, w io.Writer, x motion.Comparison) error {
	source, err1 := personOf(c, x.SourceID, x.Person)
	target, err2 := personOf(c, x.TargetID, x.TargetPerson)
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	r, err := reportOf(c, source)
	if err != nil {
		return err
	}
	of := report.Comparison{Options: x.Options}
	of.Target, err1 = target.Sequence()
	of.Result, err2 = x.Result()
	m, err := mediumOf(c, target)
	if err := cmp.Or(err1, err2, err); err != nil {
		return err
	}
	if of.Title = orZero(m.Name); of.Title == "" || of.Title == r.Title {
		of.Title = fmt.Sprintf("%s (%d)", of.Title, target.ID)
	}
	opt := &of.Options
	if turned := compare.Opposite(r.Sequence, of.Target); !opt.Angles || turned && !opt.Mirror {
		opt.Angles, opt.Mirror = true, opt.Mirror || turned // as the report says
		opt.SourceQuality = r.Quality
		if opt.TargetQuality, err = target.Quality(); err != nil {
			return err
		}
		if of.Result, err = compare.Diff(r.Sequence, of.Target, *opt); err != nil {
			return err
		}
	}
	if err := r.Analyze(); err != nil {
		return err
	}
	if r.Outdated, err = outdated(c, x.State); err != nil {
		return err
	}
	r.Gait, r.Jumps, r.Comparison, r.Settings.Comparing = nil, nil, &of, x.ID
	return writeReport(c, w, source, r)
}
