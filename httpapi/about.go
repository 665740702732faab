package httpapi

import (
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/strictjson"
)

// about are the members of movies, images and keypoint records that say who was filmed and when, absent unless they are set.
type about struct {
	SubjectID  int64    `json:"subjectId,omitempty"`
	RecordedAt string   `json:"recordedAt,omitempty"`
	Tags       []string `json:"tags,omitempty"`
}

// about returns these members. A time that only the file says is for clients that ask for it.
func (c *call) about(r motion.Recording, filmed time.Time) about {
	x := about{SubjectID: r.SubjectID, Tags: r.Tags}
	if !r.RecordedAt.IsZero() || !filmed.IsZero() && c.includes("recordedAt") {
		x.RecordedAt = stamp(filmed)
	}
	return x
}

// aboutMembers are the names of these members in requests.
var aboutMembers = []string{"subjectId", "recordedAt", "tags"}

// about reads these members: 0, "" and an empty list remove a value.
func (b *body) about() (change motion.RecordingUpdate) {
	v := b.get("subjectId")
	if n, err := jsonappend.Int(string(v.Raw())); err == nil && n == 0 {
		change.SubjectID = new(int64)
	} else if id := b.id("subjectId"); v.Present() {
		change.SubjectID = &id
	}
	change.RecordedAt = wire.Time(b.get("recordedAt"))
	change.Tags = eachOf(b.get("tags"), "a word", func(v strictjson.Value) string { tag, _ := v.Text(); return tag })
	return change
}

// newRecording reads these members of a new record.
func (b *body) newRecording() motion.Recording {
	change := b.about()
	return motion.Recording{SubjectID: orZero(change.SubjectID), RecordedAt: orZero(change.RecordedAt), Tags: orZero(change.Tags)}
}

// eachOf reads those of a list of something, of objects those with no other members, nil if it is absent.
func eachOf[T any](v strictjson.Value, what string, read func(strictjson.Value) T, members ...string) *[]T {
	list, ok := v.Array()
	if !ok {
		return nil
	}
	all := []T{}
	for _, one := range list {
		if one.Require(what) && (members == nil || one.Known(members...)) {
			all = append(all, read(one))
		}
	}
	return &all
}

// notes reads what people noted, nil if the member is absent.
func (b *body) notes() *[]motion.Note {
	return eachOf(b.get("notes"), "a note", func(v strictjson.Value) (n motion.Note) {
		n.Time = present(v.Get("time").Number())
		v.Get("text").Require("what was noted")
		n.Text, _ = v.Get("text").Text()
		return n
	}, "time", "text")
}

// sketches reads what is drawn by hand, nil if the member is absent.
func (b *body) sketches() *[]draw.Sketch {
	return eachOf(b.get("sketches"), "a sketch", func(v strictjson.Value) (s draw.Sketch) {
		v.Get("frame").Require("a frame, from 0")
		first, _ := v.Get("frame").Int()
		last, _ := v.Get("last").Int()
		s.Frame, s.Last = int(first), int(last)
		v.Get("points").Require("one to three points")
		for _, at := range orZero(eachOf(v.Get("points"), "[x, y] in pixels", wire.Pixel)) {
			s.Points = append(s.Points, orZero(at))
		}
		s.Text, _ = v.Get("text").Text()
		s.Color = rulejson.OneOf(v.Get("color"), draw.Colors())
		return s
	}, "frame", "last", "points", "text", "color")
}

// includes reports whether the query asks for a member that is else left out.
func (c *call) includes(name string) bool {
	return slices.Contains(strings.Split(c.query.Get("include"), ","), name)
}

func (c *call) included(known ...string) error {
	if !c.query.Has("include") {
		return nil
	}
	for name := range strings.SplitSeq(c.query.Get("include"), ",") {
		if !slices.Contains(known, name) {
			return invalid(inQuery("include", c.query.Get("include"), strings.Join(known, ", ")+" or several with a comma between"))
		}
	}
	return nil
}
