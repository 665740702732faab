package fakes

import (
	"context"
	"image"
	"image/draw"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

// Estimator is inferencetest.Estimator.
type Estimator struct {
	Before func(ctx context.Context, img image.Image) error
	Feet   bool
}

// confidence is that of every part, and the score of every person.
const confidence = 0.9

// Picture is inferencetest.Picture.
func Picture(size image.Point, people ...image.Rectangle) *image.RGBA {
	img := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(img, img.Rect, image.Black, image.Point{}, draw.Src)
	for _, box := range people {
		draw.Draw(img, box, image.White, image.Point{}, draw.Src)
	}
	return img
}

// body is somebody who stands upright and faces the camera, in a box of width and height 1.
var body = [keypoint.NumParts]keypoint.Point{
	keypoint.Nose:    {0.5, 0.05},
	keypoint.LeftEye: {0.55, 0}, keypoint.RightEye: {0.45, 0},
	keypoint.LeftEar: {0.6, 0.05}, keypoint.RightEar: {0.4, 0.05},
	keypoint.LeftShoulder: {0.8, 0.2}, keypoint.RightShoulder: {0.2, 0.2},
	keypoint.LeftElbow: {0.95, 0.35}, keypoint.RightElbow: {0.05, 0.35},
	keypoint.LeftWrist: {1, 0.5}, keypoint.RightWrist: {0, 0.5},
	keypoint.LeftHip: {0.65, 0.5}, keypoint.RightHip: {0.35, 0.5},
	keypoint.LeftKnee: {0.7, 0.75}, keypoint.RightKnee: {0.3, 0.75},
	keypoint.LeftAnkle: {0.7, 1}, keypoint.RightAnkle: {0.3, 1},
	keypoint.LeftBigToe: {0.72, 1}, keypoint.RightBigToe: {0.28, 1},
	keypoint.LeftSmallToe: {0.78, 1}, keypoint.RightSmallToe: {0.22, 1},
	keypoint.LeftHeel: {0.66, 1}, keypoint.RightHeel: {0.34, 1},
}

// Body is inferencetest.Body.
func Body(box image.Rectangle) keypoint.Frame { return standing(box, keypoint.Body) }

// standing returns some parts of a person.
func standing(box image.Rectangle, parts keypoint.Parts) keypoint.Frame {
	var f keypoint.Frame
	for _, p := range parts.List() {
		at := body[p]
		f.Set(p, keypoint.Point{
			float64(box.Min.X) + at[0]*float64(box.Dx()), float64(box.Min.Y) + at[1]*float64(box.Dy()),
		}, confidence)
	}
	return f
}

// Find implements inference.Finder.
func (e Estimator) Find(ctx context.Context, img image.Image) ([]inference.Candidate, error) {
	if e.Before != nil {
		if err := e.Before(ctx, img); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	parts := keypoint.Body
	if e.Feet {
		parts = keypoint.All
	}
	return find(img, parts), nil
}

// Estimate implements inference.Estimator.
func (e Estimator) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	people, err := e.Find(ctx, img)
	if err != nil || len(people) == 0 {
		return keypoint.Frame{}, err
	}
	if hint.Region == (inference.Region{}) {
		if i := hint.Choose.Choose(img.Bounds(), people); i >= 0 {
			return people[i].Keypoints, nil
		}
		return keypoint.Frame{}, nil
	}
	var same keypoint.Frame
	most := 0.3
	for _, p := range people {
		if o := p.Box.Overlap(hint.Region.Box); o >= most {
			same, most = p.Keypoints, o
		}
	}
	return same, nil
}

// find returns the people in a picture with some of their parts, from top to bottom.
func find(img image.Image, parts keypoint.Parts) (people []inference.Candidate) {
	at, picture := img.Bounds().Min, ToRGBA(img)
	isWhite := func(x, y int) bool {
		c := picture.RGBAAt(x, y)
		return int(c.R)+int(c.G)+int(c.B) >= 3*0x80
	}
	size := picture.Rect.Size()
	white := make([]bool, size.X*size.Y)
	for i := range white {
		white[i] = isWhite(i%size.X, i/size.X)
	}
	for i := range white {
		box := connected(white, size.X, i)
		if box.Dx() < minSide || box.Dy() < minSide {
			continue
		}
		f := standing(box.Add(at), parts)
		for _, p := range f.Present().List() {
			point, _ := f.At(p)
			if !isWhite(min(int(point[0])-at.X, box.Max.X-1), min(int(point[1])-at.Y, box.Max.Y-1)) {
				f.Unset(p)
			}
		}
		box = box.Add(at)
		people = append(people, inference.Candidate{Keypoints: f, Score: confidence, Box: inference.Box{
			Min: keypoint.Point{float64(box.Min.X), float64(box.Min.Y)}, Max: keypoint.Point{float64(box.Max.X), float64(box.Max.Y)},
		}})
	}
	return people
}

// minSide is the smallest width and height of a person, pixels.
const minSide = 4

// connected removes the white pixels around one of a picture of some width, and returns the rectangle they fill.
func connected(white []bool, width, start int) (box image.Rectangle) {
	for queue := []int{start}; len(queue) > 0; {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !white[i] {
			continue
		}
		white[i] = false
		p := image.Pt(i%width, i/width)
		box = box.Union(image.Rectangle{p, p.Add(image.Pt(1, 1))})
		if p.X > 0 {
			queue = append(queue, i-1)
		}
		if p.X < width-1 {
			queue = append(queue, i+1)
		}
		if i >= width {
			queue = append(queue, i-width)
		}
		if i+width < len(white) {
			queue = append(queue, i+width)
		}
	}
	return box
}
