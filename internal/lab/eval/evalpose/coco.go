package evalpose

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"reflect"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// ReadCOCO reads COCO's keypoint annotations, such as person_keypoints_val2017.json: an
// object with images (id, file_name, width, height) and annotations (id, image_id,
// category_id, keypoints as 17 times x, y, v, num_keypoints, bbox, area, iscrowd) in any
// order, and optionally categories. Only annotations of the category named person (default 1) count;
// other annotations and members are ignored. See https://cocodataset.org/#format-data.
//
// ReadCOCO returns images in the order of their ids; Dominant decides who stands out. It streams the
// file instead of loading it.
//
// An error wraps keypoint.ErrInvalid and has the first mistake with its JSON Pointer. A file of more
// than MaxBytes is an error.
func ReadCOCO(r io.Reader) ([]Labelled, error) {
	c := &coco{dec: json.NewDecoder(&limited{r: r, left: MaxBytes}), images: map[int64]int{}, person: 1}
	if err := c.document(); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.Is(err, keypoint.ErrInvalid):
			return nil, err
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, invalid("the document ends too early")
		case errors.As(err, &syntax), errors.As(err, &kind):
			return nil, invalid("%w", err)
		}
		return nil, err
	}
	return c.join()
}

// limited reads at most a number of bytes and returns an error if there are more.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, invalid("the file is longer than %d MiB", MaxBytes>>20)
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// coco collects the elements until the end of the document.
type coco struct {
	dec         *json.Decoder
	pictures    []Labelled
	ids         []int64       // of pictures
	images      map[int64]int // from id to the index in pictures
	annotations []cocoPerson
	person      int64 // the category of people
}

// cocoPerson is a person whose picture may not be known yet.
type cocoPerson struct {
	Person
	index           int // in annotations
	image, category int64
	wrong           error
}

// document reads the members of the document.
func (c *coco) document() error {
	if err := c.open('{', "COCO annotations, a JSON object"); err != nil {
		return err
	}
	seen := map[string]bool{}
	for c.dec.More() {
		tok, err := c.dec.Token()
		if err != nil {
			return err
		}
		name, _ := tok.(string)
		if seen[name] {
			return invalid("/%s: the property is given twice", name)
		}
		seen[name] = true
		switch name {
		case "images":
			err = list(c.dec, "/images", c.image)
		case "annotations":
			err = list(c.dec, "/annotations", c.annotation)
		case "categories":
			err = list(c.dec, "/categories", c.category)
		default:
			var skip json.RawMessage
			err = c.dec.Decode(&skip)
		}
		if err != nil {
			return err
		}
	}
	if _, err := c.dec.Token(); err != nil {
		return err
	}
	for _, name := range []string{"images", "annotations"} {
		if !seen[name] {
			return invalid("/%s: is required: want COCO annotations, an object with images and annotations", name)
		}
	}
	if _, err := c.dec.Token(); err == nil {
		return invalid("there is more after the JSON document")
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (c *coco) open(want json.Delim, what string) error {
	tok, err := c.dec.Token()
	if err != nil {
		return err
	}
	if tok != want {
		return invalid("the file is not %s", what)
	}
	return nil
}

// list reads an array element by element.
func list[T any](dec *json.Decoder, place string, add func(i int, v *T) error) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	if tok != json.Delim('[') {
		return invalid("%s: is no array", place)
	}
	for i := 0; dec.More(); i++ {
		v := new(T)
		err := dec.Decode(v)
		if err == nil {
			err = add(i, v)
		}
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			err = typed(wrong)
		} else if err != nil && !errors.As(err, new(*mistake)) {
			return err
		}
		if err != nil {
			return invalid("%s/%d: %w", place, i, err)
		}
	}
	_, err = dec.Token()
	return err
}

// typed describes a member of the wrong type in JSON's words.
func typed(e *json.UnmarshalTypeError) error {
	want := "an object"
	switch e.Type.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Slice:
		want = "an array"
	case reflect.Float64:
		want = "a number"
	case reflect.Int, reflect.Int64:
		want = "an integer"
	}
	return mistakef("%s is %s, want %s", cmp.Or(e.Field, "the element"), e.Value, want)
}

// mistake is an error in an element; list adds its place.
type mistake struct{ text string }

func (m *mistake) Error() string { return m.text }

func mistakef(format string, args ...any) error { return &mistake{fmt.Sprintf(format, args...)} }

// join adds the people to their pictures.
func (c *coco) join() ([]Labelled, error) {
	for i := range c.annotations {
		a := &c.annotations[i]
		if a.category != c.person {
			continue
		}
		if a.wrong != nil {
			return nil, invalid("/annotations/%d: %w", a.index, a.wrong)
		}
		at, ok := c.images[a.image]
		if !ok {
			return nil, invalid("/annotations/%d/image_id: there is no image %d", a.index, a.image)
		}
		c.pictures[at].People = append(c.pictures[at].People, a.Person)
	}
	order := make([]int, len(c.pictures))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.ids[a], c.ids[b]) })
	sorted := make([]Labelled, 0, len(order))
	for _, i := range order {
		p := c.pictures[i]
		p.Dominant, _ = Dominant(p.People)
		sorted = append(sorted, p)
	}
	return sorted, nil
}

// size returns a picture's size; zero if the file does not have it.
func size(width, height *int) (image.Point, error) {
	var p image.Point
	for _, s := range []struct {
		to *int
		v  *int
	}{{&p.X, width}, {&p.Y, height}} {
		if s.v == nil {
			continue
		}
		if *s.v < 1 || *s.v > 1e6 {
			return p, mistakef("width or height is %d, want 1 to 1000000 pixels", *s.v)
		}
		*s.to = *s.v
	}
	return p, nil
}
