package formats

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// writeCOCO writes annotations.
func writeCOCO(w io.Writer, seq keypoint.Sequence) error {
	order := listed(seq)
	if len(order) == keypoint.NumParts {
		copy(order[keypoint.NumBody:], wholeBodyFeet[:])
	}
	category := cocoWrittenCategory{ID: 1, Name: "person", Supercategory: "person"}
	for _, p := range order {
		category.Keypoints = append(category.Keypoints, cocoNames[p])
	}
	for _, e := range keypoint.Skeleton() {
		if from, to := slices.Index(order, e[0]), slices.Index(order, e[1]); from >= 0 && to >= 0 {
			category.Skeleton = append(category.Skeleton, [2]int{from + 1, to + 1})
		}
	}
	images, annotations := make([]cocoWrittenImage, seq.Len()), []cocoWrittenAnnotation{}
	for i := range seq.Frames {
		images[i] = cocoWrittenImage{ID: i + 1, File: fmt.Sprintf("%06d.jpg", i)}
		if seq.Size.X > 0 || seq.Size.Y > 0 {
			images[i].Width, images[i].Height = &seq.Size.X, &seq.Size.Y
		}
		if seq.Times != nil {
			images[i].Time = &seq.Times[i]
		}
		if f := &seq.Frames[i]; !f.Empty() {
			a := cocoWrittenAnnotation{ID: len(annotations) + 1, ImageID: i + 1, CategoryID: 1, Count: f.Len()}
			a.describe(f, order)
			annotations = append(annotations, a)
		}
	}
	return json.NewEncoder(w).Encode(struct {
		Images      []cocoWrittenImage      `json:"images"`
		Annotations []cocoWrittenAnnotation `json:"annotations"`
		Categories  [1]cocoWrittenCategory  `json:"categories"`
	}{images, annotations, [1]cocoWrittenCategory{category}})
}

type cocoWrittenImage struct {
	ID     int      `json:"id"`
	File   string   `json:"file_name"`
	Width  *int     `json:"width,omitempty"`
	Height *int     `json:"height,omitempty"`
	Time   *float64 `json:"time,omitempty"`
}

type cocoWrittenAnnotation struct {
	ID         int        `json:"id"`
	ImageID    int        `json:"image_id"`
	CategoryID int        `json:"category_id"`
	Crowd      int        `json:"iscrowd"`
	Count      int        `json:"num_keypoints"`
	Keypoints  []float64  `json:"keypoints"`
	Scores     []float64  `json:"keypoint_scores"`
	Box        [4]float64 `json:"bbox"`
	Area       float64    `json:"area"`
}

type cocoWrittenCategory struct {
	ID            int      `json:"id"`
	Name          string   `json:"name"`
	Supercategory string   `json:"supercategory"`
	Keypoints     []string `json:"keypoints"`
	Skeleton      [][2]int `json:"skeleton"`
}

// describe fills in what depends on the positions of the parts, which are listed in an order.
func (a *cocoWrittenAnnotation) describe(f *keypoint.Frame, order []keypoint.Part) {
	for _, p := range order {
		visibility := 0.0
		if f.Has(p) {
			visibility = 2
		}
		at, _ := f.At(p)
		a.Keypoints = append(a.Keypoints, at[0], at[1], visibility)
		a.Scores = append(a.Scores, f.Confidence(p))
	}
	low, high, _ := f.Bounds()
	a.Box = [4]float64{low[0], low[1], min(high[0]-low[0], math.MaxFloat64), min(high[1]-low[1], math.MaxFloat64)}
	a.Area = area(low, high)
}
