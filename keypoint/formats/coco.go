package formats

import (
	"cmp"
	"fmt"
	"image"
	"io"
	"math"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// readCOCO reads annotations or results.
func readCOCO(r io.Reader, o Options) (keypoint.Sequence, error) {
	c := cocoReader{in: o.Limits.json("COCO", r), limits: o.Limits, index: map[jsonappend.Whole]int{}}
	var found *keypoint.Sequence // of results
	results := func(p string) error {
		s, err := c.results(p)
		found = &s
		return err
	}
	if c.in.PeekKind() == '[' {
		err := cmp.Or(results(""), c.in.end())
		return *found, err
	}
	err := c.in.object("", map[string]func(string) error{
		"images": func(p string) error {
			c.images = []cocoImage{}
			return c.in.array(p, c.image)
		},
		"annotations": func(p string) error { return c.in.array(p, c.annotation) },
		"categories":  func(p string) error { return c.in.array(p, c.category) },

		"instance_info": results, // of MMPose
	})
	if err == nil {
		err = c.in.end()
	}
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if found != nil {
		return *found, nil
	}
	if c.images == nil {
		return keypoint.Sequence{}, c.in.wrong("/images", "is missing, want an array with an image a frame")
	}
	return c.sequence()
}

// cocoImage holds the members of an image that matter.
type cocoImage struct {
	ID     *jsonappend.Whole `json:"id"`
	Width  jsonappend.Whole  `json:"width"`
	Height jsonappend.Whole  `json:"height"`
	Time   *float64          `json:"time"`
}

// cocoAnnotation holds the keypoints of one person.
type cocoAnnotation struct {
	ImageID    *jsonappend.Whole `json:"image_id"`
	CategoryID jsonappend.Whole  `json:"category_id"`
	Keypoints  []*float64        `json:"keypoints"`
	Scores     []*float64        `json:"keypoint_scores"`
	Feet       []*float64        `json:"foot_kpts"`
	Box        []*float64        `json:"bbox"` // x, y, width, height
	Crowd      jsonappend.Whole  `json:"iscrowd"`

	pointer string
}

// cocoCategory names the keypoints of an annotation.
type cocoCategory struct {
	ID        *jsonappend.Whole `json:"id"`
	Keypoints []string          `json:"keypoints"`
}

// cocoReader collects the parts of a document, which come in any order.
type cocoReader struct {
	in          *jsonReader
	limits      Limits
	images      []cocoImage              // nil without the member
	index       map[jsonappend.Whole]int // of images, by id
	annotations []cocoAnnotation
	categories  map[jsonappend.Whole][]keypoint.Part // of the keypoints, NumParts for others; nil without any
}

func (c *cocoReader) image(i int, pointer string) error {
	if detail := c.limits.tooMany(i + 1); detail != "" {
		return c.in.wrong(pointer, "%s", detail)
	}
	var m cocoImage
	if err := c.in.decode(pointer, &m); err != nil {
		return err
	}
	switch {
	case m.ID == nil:
		return c.in.wrong(pointer+"/id", "is missing, want a whole number")
	case m.Width < 0 || m.Height < 0:
		return c.in.wrong(pointer, "has the size %d×%d, want no negative number", m.Width, m.Height)
	}
	if _, twice := c.index[*m.ID]; twice {
		return c.in.wrong(pointer+"/id", "is %d, which another image has", *m.ID)
	}
	c.index[*m.ID] = i
	c.images = append(c.images, m)
	return nil
}

func (c *cocoReader) annotation(_ int, pointer string) error {
	a := cocoAnnotation{pointer: pointer}
	if err := c.in.decode(pointer, &a); err != nil {
		return err
	}
	if len(a.Keypoints) == 0 || a.Crowd != 0 {
		return nil
	}
	if a.ImageID == nil {
		return c.in.wrong(pointer+"/image_id", "is missing, want the id of an image")
	}
	c.annotations = append(c.annotations, a)
	return nil
}

func (c *cocoReader) category(_ int, pointer string) error {
	var k cocoCategory
	if err := c.in.decode(pointer, &k); err != nil {
		return err
	}
	if k.ID == nil {
		return c.in.wrong(pointer+"/id", "is missing, want a whole number")
	}
	if _, twice := c.categories[*k.ID]; twice {
		return c.in.wrong(pointer+"/id", "is %d, which another category has", *k.ID)
	}
	if c.categories == nil {
		c.categories = map[jsonappend.Whole][]keypoint.Part{}
	}
	order := make([]keypoint.Part, len(k.Keypoints))
	var seen keypoint.Parts
	for i, name := range k.Keypoints {
		p, ok := parts[name]
		switch order[i] = p; {
		case !ok:
			order[i] = keypoint.NumParts
		case seen.Has(p):
			return c.in.wrong(pointer+"/keypoints", "has %v twice", p)
		default:
			seen |= keypoint.PartsOf(p)
		}
	}
	c.categories[*k.ID] = order
	return nil
}

// sequence puts the annotations into the frames of their images.
func (c *cocoReader) sequence() (s keypoint.Sequence, err error) {
	people := make([]chosen, len(c.images))
	for i := range c.annotations {
		a := &c.annotations[i]
		at, ok := c.index[*a.ImageID]
		if !ok {
			return s, c.in.wrong(a.pointer+"/image_id", "is %d, want the id of one of the images", *a.ImageID)
		}
		f, err := c.frame(a)
		if err != nil {
			return s, err
		}
		if b := a.Box; len(b) == 4 && b[2] != nil && b[3] != nil {
			people[at].addBox(&f, area(keypoint.Point{}, keypoint.Point{*b[2], *b[3]}))
		} else {
			people[at].add(&f)
		}
	}
	s.Frames = make([]keypoint.Frame, len(c.images))
	for i := range people {
		s.Frames[i] = people[i].frame
	}
	return s, c.head(&s)
}

// frame returns the keypoints of an annotation.
func (c *cocoReader) frame(a *cocoAnnotation) (f keypoint.Frame, err error) {
	parts, ok := c.categories[a.CategoryID]
	if c.categories == nil {
		parts, ok = keypoint.Body.List(), true
	}
	switch n := len(parts); {
	case !ok:
		return f, c.in.wrong(a.pointer+"/category_id", "is %d, want the id of one of the categories", a.CategoryID)
	case len(a.Keypoints) != 3*n:
		return f, c.in.wrong(a.pointer+"/keypoints", "has %d numbers, want %d: x, y and v of the %d keypoints of the category",
			len(a.Keypoints), 3*n, n)
	case a.Scores != nil && len(a.Scores) != n:
		return f, c.in.wrong(a.pointer+"/keypoint_scores", "has %d numbers, want %d, one a keypoint", len(a.Scores), n)
	case a.Feet != nil && len(a.Feet) != 3*len(wholeBodyFeet):
		return f, c.in.wrong(a.pointer+"/foot_kpts", "has %d numbers, want 18: x, y and v of the 6 points of the feet", len(a.Feet))
	}
	for i, p := range wholeBodyFeet {
		if a.Feet != nil {
			triple(&f, p, a.Feet, i)
		}
	}
	for i, p := range parts {
		if p == keypoint.NumParts {
			continue
		}
		triple(&f, p, a.Keypoints, i)
		if at, ok := f.At(p); ok && a.Scores != nil && a.Scores[i] != nil {
			f.Set(p, at, *a.Scores[i])
		}
	}
	return f, nil
}

// head gives a sequence the size and the times of the images.
func (c *cocoReader) head(s *keypoint.Sequence) error {
	last := math.Inf(-1)
	for i, m := range c.images {
		if size := image.Pt(int(m.Width), int(m.Height)); i == 0 {
			s.Size = size
		} else if size != s.Size {
			s.Size = image.Point{} // of no image but one without a size
		}
		if (m.Time != nil) != (c.images[0].Time != nil) {
			return c.in.wrong(fmt.Sprintf("/images/%d/time", i), "is there on some images and not on others, want it on all or on none")
		}
		if m.Time == nil {
			continue
		}
		if *m.Time <= last {
			return c.in.wrong(fmt.Sprintf("/images/%d/time", i), "is %v s, want more than the %v s of the image before", *m.Time, last)
		}
		last = *m.Time
		s.Times = append(s.Times, last)
	}
	return nil
}
