package httpapi

import (
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/jsonappend"
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
	if list, ok := b.get("tags").Array(); ok {
		tags := []string{}
		for _, v := range list {
			v.Require("a word")
			tag, _ := v.Text()
			tags = append(tags, tag)
		}
		change.Tags = &tags
	}
	return change
}

// newRecording reads these members of a new record.
func (b *body) newRecording() motion.Recording {
	change := b.about()
	return motion.Recording{SubjectID: orZero(change.SubjectID), RecordedAt: orZero(change.RecordedAt), Tags: orZero(change.Tags)}
}

// notes reads what people noted, nil if the member is absent.
func (b *body) notes() *[]motion.Note {
	list, ok := b.get("notes").Array()
	if !ok {
		return nil
	}
	notes := []motion.Note{}
	for _, v := range list {
		if !v.Require("a note") || !v.Known("time", "text") {
			continue
		}
		var n motion.Note
		n.Time = present(v.Get("time").Number())
		v.Get("text").Require("what was noted")
		n.Text, _ = v.Get("text").Text()
		notes = append(notes, n)
	}
	return &notes
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
