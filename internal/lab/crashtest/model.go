package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// model is what the answers in a history say about the records: since when each was there for sure, from when on it may
// have been deleted, and from when on it was.
type model struct {
	lives    map[record]*life
	keys     map[string]*wish
	findings []string
}

// life is the life of a record.
type life struct {
	record
	wish         *wish
	since        time.Duration // when a client was told of it
	uploaded     time.Duration // when a client was told that its file is there
	doubt, death time.Duration // when its deletion began and when a client was told of its end, without that of its origins
	writes       map[string][]*event
	reads        []*event
}

// wish is a record that a client wants: all attempts with one key.
type wish struct {
	key, kind, what string
	from            []record
	first           time.Duration // attempt
	got             record        // id 0: no client was told
}

// judge holds a history against the model and returns what is wrong. The last events are reads of what is stored in the
// end, made as if by a client: see look.
func judge(events []*event) (*model, []string) {
	m := &model{lives: map[record]*life{}, keys: map[string]*wish{}}
	for _, e := range events {
		if e.op == make_ {
			m.wished(e)
		}
	}
	for _, e := range events {
		l := m.lives[e.of]
		if l == nil || e.op == make_ {
			continue
		}
		switch e.op {
		case upload:
			if e.done() {
				l.uploaded = min(l.uploaded, e.ended)
			}
		case write:
			l.writes[e.set[0]] = append(l.writes[e.set[0]], e)
		case read:
			l.reads = append(l.reads, e)
		case remove:
			if l.doubt = min(l.doubt, e.began); e.done() {
				l.death = min(l.death, e.ended)
			}
		}
	}
	m.order()
	for _, l := range slices.SortedFunc(maps.Values(m.lives), func(a, b *life) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	}) {
		m.there(l)
		m.forward(l)
		m.latest(l)
	}
	for _, e := range events {
		if e.op == make_ {
			m.granted(e)
		}
	}
	return m, m.findings
}

func (m *model) find(format string, args ...any) {
	m.findings = append(m.findings, fmt.Sprintf(format, args...))
}

// wished notes an attempt to make a record: a key gives one record, and a record has one key.
func (m *model) wished(e *event) {
	w := m.keys[e.key]
	if w == nil {
		w = &wish{key: e.key, kind: e.of.kind, what: e.what, from: e.from, first: e.began}
		m.keys[e.key] = w
	}
	if !e.done() {
		return
	}
	if w.got.id != 0 && w.got != e.of {
		m.find("the key %s gave %v, and then %v", e.key, w.got, e.of)
		return
	}
	w.got = e.of
	l := m.lives[e.of]
	if l == nil {
		l = &life{record: e.of, wish: w, since: e.ended, uploaded: forever, doubt: forever, death: forever, writes: map[string][]*event{}}
		m.lives[e.of] = l
	}
	if l.wish != w {
		m.find("%v was given to the key %s, and again to %s", e.of, l.wish.key, e.key)
	}
	l.since = min(l.since, e.ended)
}

// order checks that IDs grow: what is asked for after an answer has a larger one, whatever was deleted meanwhile.
func (m *model) order() {
	told := slices.SortedFunc(maps.Values(m.lives), func(a, b *life) int { return cmp.Compare(a.since, b.since) })
	for _, w := range m.keys {
		if w.got.id == 0 {
			continue
		}
		for _, l := range told {
			if l.since >= w.first {
				break
			}
			if l.kind == w.kind && l.id > w.got.id {
				m.find("%v was made after %v was", w.got, l.record)
				break
			}
		}
	}
}

// end returns when a record may begin to be gone, and when it is gone for sure: with one that it is made from, directly or not, or
// with the person it is of.
func (m *model) end(r record) (doubt, death time.Duration) {
	l := m.lives[r]
	if l == nil {
		return forever, forever
	}
	doubt, death = l.doubt, l.death
	for _, from := range l.wish.from {
		mayBe, is := m.end(from)
		doubt = min(doubt, mayBe)
		if from.kind != "subjects" || len(l.writes[person]) == 0 { // given to somebody else, it may outlive the first one
			death = min(death, is)
		}
	}
	for _, e := range l.writes[person] {
		if mayBe, _ := m.end(e.given()); mayBe < forever {
			doubt = min(doubt, max(mayBe, e.began))
		}
	}
	return doubt, death
}

// given returns the person to whom a write gives a recording.
func (e *event) given() record {
	id, _ := strconv.ParseInt(e.set[1], 10, 64)
	return record{"subjects", id}
}

// erased returns whether a movie or image was given to one person and nobody else, and that person was erased.
func (m *model) erased(l *life) bool {
	told := false
	for _, e := range l.writes[person] {
		if e.set != l.writes[person][0].set {
			return false
		}
		told = told || e.done()
	}
	if !told || !l.media() {
		return false
	}
	_, death := m.end(l.writes[person][0].given())
	return death < forever
}

// there checks that a record is there from the answer that told of it until it is deleted, and not after that.
func (m *model) there(l *life) {
	doubt, death := m.end(l.record)
	for _, e := range l.reads {
		switch {
		case e.unanswered():
		case e.code == 404:
			if e.began > l.since && e.ended < doubt {
				m.find("%v is lost: %v", l.record, e)
			}
		case e.began > death && (l.since < death || e.last()):
			m.find("%v was deleted and is there: %v", l.record, e)
		case e.last() && m.erased(l):
			m.find("%v is of a person who was erased, and is there: %v", l.record, e)
		case e.began > l.uploaded && e.told["file"] == "":
			m.find("the file of %v is lost: %v", l.record, e)
		}
	}
}

// last reports whether an event is a look at what is stored in the end, rather than a request.
func (e *event) last() bool { return e.key == inTheEnd }

const inTheEnd = "in the end"

// forward checks that what a record has become, it stays.
func (m *model) forward(l *life) {
	for _, a := range l.reads {
		if a.state != "SUCCESS" && a.state != "FAILURE" {
			continue
		}
		for _, b := range l.reads {
			if b.state != "" && b.began > a.ended && b.state != a.state {
				m.find("%v was %s and became %s: %v", l.record, a.state, b.state, b)
				return
			}
		}
	}
}

// latest checks that a read tells what was written last, or is being written.
func (m *model) latest(l *life) {
	for field, writes := range l.writes {
		if field == person && !l.media() {
			continue // keypoints become those of another person with their movie or image, too
		}
		for _, r := range l.reads {
			if r.code != 200 {
				continue
			}
			got, first := r.told[field], true
			possible := false
			for _, w := range writes {
				if w.done() && w.ended < r.began {
					first = false
				}
				if w.set[1] != got || w.began > r.ended {
					continue
				}
				// Attempts of one client are one write, which may take place as long as one of them may.
				over := slices.ContainsFunc(writes, func(o *event) bool {
					return o.set[1] != got && o.done() && o.ended < r.began && o.began > lastEnd(writes, got)
				})
				possible = possible || !over
			}
			if !possible && !(first && got == l.wish.initial(field)) {
				m.find("%s of %v is %q: %v, after %v", field, l.record, got, r, writes)
				return
			}
		}
	}
}

// lastEnd returns when the attempts to write a value had ended. One without an answer may take place until the next
// one has one: a server goes on after its client has gone, but no longer than a request takes.
func lastEnd(writes []*event, value string) (end time.Duration) {
	for _, w := range writes {
		if w.set[1] == value {
			end = max(end, w.ended)
		}
	}
	return end
}

func (w *wish) initial(field string) string {
	switch {
	case field == "name":
		return w.key
	case field == person && len(w.from) > 0:
		return fmt.Sprint(w.from[0].id)
	}
	return ""
}

// granted checks that no record is made from a deleted one, and that none is refused without a reason.
func (m *model) granted(e *event) {
	alive := true
	for _, from := range e.from {
		doubt, death := m.end(from)
		if e.done() && m.keys[e.key].first > death { // a repeated request may be answered as the first one was
			m.find("%v was made from %v, which was deleted before", e.of, from)
		}
		l := m.lives[from]
		alive = alive && l != nil && doubt > e.ended && (!l.media() || l.uploaded < e.began)
	}
	if alive && !e.done() && !e.unanswered() && e.code != 409 {
		m.find("refused without a reason: %v", e)
	}
}

// strangers checks the stored records of which no client was told, by group: each is of a wish without an answer, and no
// wish has two.
func (m *model) strangers(stored map[string]int) (findings []string) {
	unanswered := map[string]int{}
	for _, w := range m.keys {
		if w.got.id == 0 {
			unanswered[w.group()]++
		}
	}
	for _, group := range slices.Sorted(maps.Keys(stored)) {
		if stored[group] > unanswered[group] {
			findings = append(findings, fmt.Sprintf("%d records of which no client was told: %s; %d requests for such ones were not answered",
				stored[group], group, unanswered[group]))
		}
	}
	return findings
}

func (w *wish) group() string { return fmt.Sprint(w.kind, w.from, w.what) }
