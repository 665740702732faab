package evalpose

import (
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// The elements of a COCO file. A pointer is nil where the member is missing or null.
type (
	cocoImage struct {
		ID            *int64  `json:"id"`
		FileName      *string `json:"file_name"`
		Width, Height *int
	}
	cocoCategory struct {
		ID        *int64 `json:"id"`
		Name      string
		Keypoints []string
	}
	cocoAnnotation struct {
		ImageID      *int64 `json:"image_id"`
		CategoryID   *int64 `json:"category_id"`
		Keypoints    []float64
		NumKeypoints *int `json:"num_keypoints"`
		BBox         []float64
		Area         *float64
		IsCrowd      int
	}
)

func (c *coco) image(_ int, v *cocoImage) error {
	switch {
	case v.ID == nil:
		return mistakef("id is required")
	case v.FileName == nil:
		return mistakef("file_name is required")
	case !local(*v.FileName):
		return mistakef("file_name is %q, want a path below the folder of pictures, with forward slashes", *v.FileName)
	}
	if _, twice := c.images[*v.ID]; twice {
		return mistakef("the id %d is given twice", *v.ID)
	}
	s, err := size(v.Width, v.Height)
	if err != nil {
		return err
	}
	c.images[*v.ID] = len(c.pictures)
	c.ids = append(c.ids, *v.ID)
	c.pictures = append(c.pictures, Labelled{Image: *v.FileName, Size: s, Dominant: -1})
	return nil
}

// category finds the category of people and checks its parts.
func (c *coco) category(_ int, v *cocoCategory) error {
	if v.ID == nil {
		return mistakef("id is required")
	}
	if v.Name != "person" {
		return nil
	}
	if v.Keypoints != nil && !slices.Equal(v.Keypoints, cocoNames()) {
		return mistakef("keypoints are %v, want the 17 of COCO in their order: %v", v.Keypoints, cocoNames())
	}
	c.person = *v.ID
	return nil
}

// annotation keeps a person with its error, which matters only if its category is that of people.
func (c *coco) annotation(i int, v *cocoAnnotation) error {
	switch {
	case v.ImageID == nil:
		return mistakef("image_id is required")
	case v.CategoryID == nil:
		return mistakef("category_id is required")
	}
	a := cocoPerson{index: i, image: *v.ImageID, category: *v.CategoryID}
	a.Person, a.wrong = v.person()
	c.annotations = append(c.annotations, a)
	return nil
}

func (v *cocoAnnotation) person() (p Person, err error) {
	if p.Parts, err = v.parts(); err != nil {
		return p, err
	}
	if len(v.BBox) != 4 || slices.ContainsFunc(v.BBox, func(n float64) bool { return !place(n) }) {
		return p, mistakef("bbox is %v, want [x, y, width, height] in pixels", v.BBox)
	}
	p.Box = Box{v.BBox[0], v.BBox[1], v.BBox[2], v.BBox[3]}
	if p.Box.Width < 0 || p.Box.Height < 0 {
		return p, mistakef("bbox is %v, with a negative width or height", v.BBox)
	}
	if v.Area == nil || *v.Area < 0 || *v.Area > maxArea {
		return p, mistakef("area is missing or out of range, want square pixels")
	}
	p.Area = *v.Area
	if v.IsCrowd != 0 && v.IsCrowd != 1 {
		return p, mistakef("iscrowd is %d, want 0 or 1", v.IsCrowd)
	}
	p.Crowd = v.IsCrowd == 1
	return p, nil
}

func (v *cocoAnnotation) parts() (f keypoint.Frame, err error) {
	if v.Keypoints == nil {
		return f, mistakef("keypoints are required: is this a person_keypoints file?")
	}
	if len(v.Keypoints) != 3*keypoint.NumBody {
		return f, mistakef("keypoints has %d numbers, want 17 times x, y, v", len(v.Keypoints))
	}
	for p := range keypoint.Part(keypoint.NumBody) {
		x, y, seen := v.Keypoints[3*p], v.Keypoints[3*p+1], v.Keypoints[3*p+2]
		switch {
		case seen != 0 && seen != 1 && seen != 2:
			return f, mistakef("keypoints: %v has v = %v, want 0, 1 or 2", p, seen)
		case !place(x) || !place(y):
			return f, mistakef("keypoints: %v is at %v, %v, want %s", p, x, y, wantPlace)
		case seen != 0:
			f.Set(p, keypoint.Point{x, y}, 1)
		}
	}
	if v.NumKeypoints != nil && *v.NumKeypoints != f.Len() {
		return f, mistakef("num_keypoints is %d, but %d are labelled", *v.NumKeypoints, f.Len())
	}
	return f, nil
}

// cocoNames are the names of the parts in COCO's categories.
func cocoNames() []string {
	return []string{
		"nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
		"left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip",
		"left_knee", "right_knee", "left_ankle", "right_ankle",
	}
}
