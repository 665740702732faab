package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// told is a history in the making: each event takes from one second to the next, unless it says otherwise.
type told []*event

func (l *told) add(e event) *event {
	if e.began == 0 {
		e.began = time.Duration(len(*l)+1) * 2 * time.Second
		e.ended = e.began + time.Second
	}
	if e.told == nil {
		e.told = map[string]string{}
	}
	*l = append(*l, &e)
	return &e
}

var (
	picture   = record{"images", 1}
	keypoints = record{"keypoints", 1}
	values    = record{"analyses", 1}
)

func made(r record, key string, from ...record) event {
	return event{op: make_, of: r, key: key, from: from, code: 201}
}

// good is a history without anything wrong: a client that was answered, and one that was not at first.
func good() (l told) {
	l.add(made(picture, "a"))
	l.add(event{op: upload, of: picture, code: 503})
	l.add(event{op: upload, of: picture, code: 200})
	l.add(event{op: make_, of: record{kind: "keypoints"}, key: "b", from: []record{picture}})
	l.add(made(keypoints, "b", picture))
	l.add(made(values, "c", keypoints))
	l.add(event{op: read, of: keypoints, code: 200, state: "PROCESSING"})
	l.add(event{op: read, of: keypoints, code: 200, state: "SUCCESS"})
	l.add(event{op: write, of: picture, set: [2]string{"name", "n"}, code: 200})
	l.add(event{op: read, of: picture, code: 200, told: map[string]string{"name": "n", "file": "link"}})
	return l
}

// TestModel plants each kind of violation, and some histories that look like one.
func TestModel(t *testing.T) {
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	last := func(r record, code int, state string) event {
		return event{op: read, of: r, key: inTheEnd, code: code, state: state}
	}
	named := func(name string) event {
		return event{op: read, of: picture, code: 200, told: map[string]string{"name": name, "file": "link"}}
	}
	for _, c := range []struct {
		name  string
		plant func(l *told)
		want  string // part of the only kind of finding; "" for none
	}{
		{"nothing", func(*told) {}, ""},
		{"lost", func(l *told) { l.add(event{op: read, of: values, code: 404}) }, "analyses/1 is lost"},
		{"lost in the end", func(l *told) { l.add(last(values, 404, "")) }, "analyses/1 is lost"},
		{"not there yet", func(l *told) { l.add(event{op: read, of: picture, code: 404, began: at(1), ended: at(2.5)}) }, ""},
		{"not answered", func(l *told) { l.add(event{op: read, of: values, code: 503}) }, ""},
		{"deleted", func(l *told) {
			l.add(event{op: remove, of: values, code: 204})
			l.add(event{op: read, of: values, code: 404})
		}, ""},
		{"perhaps deleted", func(l *told) {
			l.add(event{op: remove, of: keypoints})
			l.add(event{op: read, of: values, code: 404})
			l.add(event{op: read, of: keypoints, code: 200, state: "SUCCESS"})
		}, ""},
		{"deleted and there", func(l *told) {
			l.add(event{op: remove, of: keypoints, code: 204})
			l.add(event{op: read, of: keypoints, code: 200, state: "SUCCESS"})
		}, "keypoints/1 was deleted and is there"},
		{"made from what was deleted", func(l *told) {
			l.add(event{op: remove, of: picture, code: 404})
			l.add(last(values, 200, "SUCCESS"))
		}, "analyses/1 was deleted and is there"},
		{"made from what is being deleted", func(l *told) {
			l.add(event{op: remove, of: keypoints, code: 204, began: at(100), ended: at(110)})
			l.add(event{op: make_, of: record{"analyses", 2}, key: "d", from: []record{keypoints}, code: 201, began: at(105), ended: at(111)})
			l.add(event{op: read, of: record{"analyses", 2}, code: 200, began: at(112), ended: at(113)})
			l.add(event{op: read, of: record{"analyses", 2}, key: inTheEnd, code: 404, began: at(120), ended: at(121)})
		}, ""},
		{"and stays", func(l *told) {
			l.add(event{op: remove, of: keypoints, code: 204, began: at(100), ended: at(110)})
			l.add(event{op: make_, of: record{"analyses", 2}, key: "d", from: []record{keypoints}, code: 201, began: at(105), ended: at(111)})
			l.add(event{op: read, of: record{"analyses", 2}, key: inTheEnd, code: 200, began: at(120), ended: at(121)})
		}, "analyses/2 was deleted and is there"},
		{"made after that", func(l *told) {
			l.add(event{op: remove, of: keypoints, code: 204})
			l.add(made(record{"analyses", 2}, "d", keypoints))
		}, "analyses/2 was made from keypoints/1, which was deleted before"},
		{"made before, and told after", func(l *told) {
			l.add(event{op: make_, of: record{kind: "analyses"}, key: "d", from: []record{keypoints}})
			l.add(event{op: remove, of: keypoints, code: 204})
			l.add(made(record{"analyses", 2}, "d", keypoints))
		}, ""},
		{"backwards", func(l *told) { l.add(event{op: read, of: keypoints, code: 200, state: "PROCESSING"}) }, "was SUCCESS and became PROCESSING"},
		{"another end", func(l *told) { l.add(last(keypoints, 200, "FAILURE")) }, "was SUCCESS and became FAILURE"},
		{"an interrupted job", func(l *told) {
			l.add(event{op: read, of: values, code: 200, state: "PROCESSING"})
			l.add(event{op: read, of: values, code: 200, state: "UNPROCESSED"})
		}, ""},
		{"two records of a key", func(l *told) { l.add(made(record{"analyses", 2}, "c", keypoints)) }, "the key c gave analyses/1, and then analyses/2"},
		{"a key again", func(l *told) { l.add(made(values, "c", keypoints)) }, ""},
		{"an ID again", func(l *told) { l.add(made(values, "d", keypoints)) }, "analyses/1 was given to the key c, and again to d"},
		{"an ID again, of what was deleted", func(l *told) {
			l.add(event{op: remove, of: values, code: 204})
			l.add(made(values, "d", keypoints))
		}, "analyses/1 was given to the key c, and again to d"},
		{"a smaller ID", func(l *told) {
			l.add(made(record{"images", 7}, "d"))
			l.add(made(record{"images", 6}, "e"))
		}, "images/6 was made after images/7 was"},
		{"no file", func(l *told) {
			l.add(event{op: read, of: picture, code: 200, told: map[string]string{"name": "n"}})
		}, "the file of images/1 is lost"},
		{"the name before", func(l *told) { l.add(named("a")) }, "name of images/1 is \"a\""},
		{"a name of nobody", func(l *told) { l.add(named("x")) }, "name of images/1 is \"x\""},
		{"a name without an answer", func(l *told) {
			l.add(event{op: write, of: picture, set: [2]string{"name", "m"}, ended: forever, began: at(50)})
			l.add(named("n"))
			l.add(event{op: read, of: picture, code: 200, told: map[string]string{"name": "m", "file": "link"}, began: at(60), ended: at(61)})
		}, ""},
		{"a name that comes back", func(l *told) {
			l.add(event{op: write, of: picture, set: [2]string{"name", "m"}, code: 200})
			l.add(named("n"))
		}, "name of images/1 is \"n\""},
		{"given to a person who is erased, and stays", func(l *told) {
			l.add(made(record{"subjects", 1}, "s"))
			l.add(event{op: write, of: picture, set: [2]string{person, "1"}, code: 200})
			l.add(event{op: remove, of: record{"subjects", 1}, code: 200})
			l.add(event{op: read, of: picture, key: inTheEnd, code: 200, told: map[string]string{"name": "n", "file": "link", person: "1"}})
		}, "images/1 is of a person who was erased, and is there"},
		{"given to a person who is erased, and goes", func(l *told) {
			l.add(made(record{"subjects", 1}, "s"))
			l.add(event{op: write, of: picture, set: [2]string{person, "1"}, code: 200})
			l.add(event{op: remove, of: record{"subjects", 1}, code: 200})
			l.add(last(picture, 404, ""))
			l.add(last(values, 404, ""))
		}, ""},
		{"not given to a person who is erased", func(l *told) {
			l.add(made(record{"subjects", 1}, "s"))
			l.add(event{op: write, of: picture, set: [2]string{person, "1"}, code: 404, began: at(100), ended: at(102)})
			l.add(event{op: remove, of: record{"subjects", 1}, code: 200, began: at(100), ended: at(102)})
			l.add(event{op: read, of: picture, key: inTheEnd, code: 200, told: map[string]string{"name": "n", "file": "link"}, began: at(103), ended: at(104)})
		}, ""},
		{"given and lost", func(l *told) {
			l.add(made(record{"subjects", 1}, "s"))
			l.add(event{op: write, of: picture, set: [2]string{person, "1"}, code: 200})
			l.add(named("n"))
		}, "subject of images/1 is \"\""},
		{"refused", func(l *told) {
			l.add(event{op: make_, of: record{kind: "keypoints"}, key: "d", from: []record{picture}, code: 404})
		}, "refused without a reason"},
		{"refused while it is deleted", func(l *told) {
			l.add(event{op: remove, of: picture, began: at(50), ended: at(60)})
			l.add(event{op: make_, of: record{kind: "keypoints"}, key: "d", from: []record{picture}, code: 404, began: at(51), ended: at(52)})
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := good()
			c.plant(&l)
			_, findings := judge(l)
			if c.want == "" && len(findings) > 0 {
				t.Errorf("found %q", findings)
			}
			if c.want != "" && (len(findings) == 0 || slices.ContainsFunc(findings, func(f string) bool { return !strings.Contains(f, c.want) })) {
				t.Errorf("found %q, want %q", findings, c.want)
			}
		})
	}
}

// TestStrangers: of each request without an answer there is one record at most.
func TestStrangers(t *testing.T) {
	l := good()
	l.add(event{op: make_, of: record{kind: "analyses"}, key: "d", from: []record{keypoints}})
	l.add(event{op: make_, of: record{kind: "analyses"}, key: "d", from: []record{keypoints}, code: 503})
	m, _ := judge(l)
	group := (&wish{kind: "analyses", from: []record{keypoints}}).group()
	for n, want := range []int{0, 0, 1} {
		if found := m.strangers(map[string]int{group: n}); len(found) != want {
			t.Errorf("%d strangers: %q", n, found)
		}
	}
	if found := m.strangers(map[string]int{"drawings[keypoints/1]": 1}); len(found) != 1 {
		t.Errorf("of another kind: %q", found)
	}
}
