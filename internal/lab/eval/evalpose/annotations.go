package evalpose

import (
	"image"
	"io"

	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// Read reads labelled pictures in one of two formats. A JSON array has an object a picture:
//
//	[{"image": "images/a.jpg", "width": 640, "height": 425, "dominantIndex": 0, "persons": [
//	  {"bbox": [280, 44, 218, 346], "area": 27789, "areaSource": "segmentation", "iscrowd": 0,
//	   "numKeypoints": 2, "keypoints": {"nose": [367, 81, 2], "leftEye": [374, 73, 1]}}]}]
//
// The unit is the pixel. A part has x, y and v: 2 visible, 1 labelled but hidden, 0 not labelled, as is
// an absent part. Required are image and persons, and bbox and keypoints of each person.
//
// area is the area of the person's outline. If it is missing, or areaSource is "bbox", BoxArea
// estimates it. dominantPerson is whether somebody stands out, and dominantIndex who; if both are
// missing, Dominant decides. numKeypoints must agree with the keypoints. Other members, such as
// sources and licences, are ignored.
//
// A JSON object is COCO's keypoint annotations, such as person_keypoints_val2017.json: images (id, file_name, width, height)
// and annotations (image_id, category_id, keypoints as 17 times x, y, v, num_keypoints, bbox, area, iscrowd), and perhaps
// categories. Only annotations of the category named person (default 1) count; Dominant decides who stands out. See
// https://cocodataset.org/#format-data.
//
// An error wraps keypoint.ErrInvalid and has each mistake with its JSON Pointer. A file of more than
// 64 MiB is an error.
func Read(r io.Reader) ([]Labelled, error) {
	data, err := readOwn(r)
	if err != nil {
		return nil, err
	}
	doc, err := strictjson.Parse(data)
	if err != nil {
		return nil, invalid("%w", err)
	}
	pictures := []Labelled{}
	if root := doc.Root(); root.IsObject() {
		pictures = cocoPictures(root)
	} else {
		root.Require("an array of pictures")
		list, _ := root.Array()
		for _, v := range list {
			pictures = append(pictures, labelledPicture(v))
		}
	}
	if err := doc.Err(); err != nil {
		return nil, invalid("%w", err)
	}
	return pictures, nil
}

// pictureOf reads a picture without its people; the member path has the path.
func pictureOf(v strictjson.Value, path string) (l Labelled) {
	l.Dominant = -1
	if !v.Require("a picture") || !isObject(v) {
		return l
	}
	if name := v.Get(path); name.Require("the path of the picture") {
		path, ok := name.Text()
		if ok && !local(path) {
			name.Errorf("is %q, want a path below the folder of pictures, with forward slashes", path)
		}
		l.Image = path
	}
	l.Size = image.Pt(pixelCount(v.Get("width")), pixelCount(v.Get("height")))
	return l
}

func labelledPicture(v strictjson.Value) Labelled {
	l := pictureOf(v, "image")
	persons := v.Get("persons")
	if !v.IsObject() || !persons.Require("an array of people") {
		return l
	}
	list, _ := persons.Array()
	for _, p := range list {
		l.People = append(l.People, labelledPerson(p, "numKeypoints", labelledParts))
	}
	l.Dominant = dominantIndex(v, l.People)
	return l
}

// dominantIndex reads dominantPerson and dominantIndex.
func dominantIndex(v strictjson.Value, people []Person) int {
	stands, index := v.Get("dominantPerson"), v.Get("dominantIndex")
	given := -1
	if index.Present() {
		i, ok := index.Int()
		switch {
		case !ok:
		case i < 0 || i >= int64(len(people)):
			index.Errorf("is %d, but there are %d persons", i, len(people))
		default:
			given = int(i)
		}
	}
	if stands.Present() {
		yes, ok := stands.Bool()
		if ok && !yes {
			return -1
		}
		if yes && !index.Present() {
			stands.Errorf("is true, but dominantIndex is missing")
		}
	} else if !index.Present() {
		i, _ := Dominant(people)
		return i
	}
	if given >= 0 && !people[given].Scored() {
		index.Errorf("is %d, a person without keypoints or a crowd", given)
		return -1
	}
	return given
}

// labelledPerson reads a person, whose keypoints read reads and the member count counts.
func labelledPerson(v strictjson.Value, count string, read func(strictjson.Value) keypoint.Frame) (p Person) {
	if !v.Require("a person") || !isObject(v) {
		return p
	}
	if box := v.Get("bbox"); box.Require("[x, y, width, height] in pixels") {
		if n, ok := pixels(box, 4, "[x, y, width, height]"); ok {
			p.Box = Box{n[0], n[1], n[2], n[3]}
			if p.Box.Width < 0 || p.Box.Height < 0 {
				box.Errorf("has a negative width or height")
			}
		}
	}
	p.Area = BoxArea(p.Box.Area())
	if area := v.Get("area"); area.Present() {
		if a, ok := area.Number(); ok {
			p.Area = a
			if a < 0 || a > maxArea {
				area.Errorf("is %v, want square pixels", a)
			}
		}
		if source := v.Get("areaSource"); source.Present() {
			if s, ok := source.Text(); ok && s == "bbox" {
				p.Area = BoxArea(p.Area)
			}
		}
	}
	if crowd := v.Get("iscrowd"); crowd.Present() {
		i, ok := crowd.Int()
		if ok && i != 0 && i != 1 {
			crowd.Errorf("is %d, want 0 or 1", i)
		}
		p.Crowd = i == 1
	}
	parts := v.Get("keypoints")
	if !parts.Require("x, y and v of each part: is this a file of keypoints?") {
		return p
	}
	p.Parts = read(parts)
	if count := v.Get(count); count.Present() {
		if n, ok := count.Int(); ok && n != int64(p.Parts.Len()) {
			count.Errorf("is %d, but %d keypoints are labelled", n, p.Parts.Len())
		}
	}
	return p
}

// labelledParts reads an object from part name to [x, y, v].
func labelledParts(v strictjson.Value) (f keypoint.Frame) {
	if !v.Known(partNames()...) {
		return f
	}
	for p := range keypoint.Part(keypoint.NumBody) {
		m := v.Get(p.String())
		if !m.Present() {
			continue
		}
		if n, ok := pixels(m, 3, "[x, y, v]"); ok {
			label(&f, p, m, n)
		}
	}
	return f
}

// label sets a part to x, y and v.
func label(f *keypoint.Frame, p keypoint.Part, v strictjson.Value, n []float64) {
	switch n[2] {
	case 0:
	case 1, 2:
		f.Set(p, keypoint.Point{n[0], n[1]}, 1)
	default:
		v.Errorf("has v = %v of %v, want 0, 1 or 2", n[2], p)
	}
}

func partNames() []string {
	names := make([]string, keypoint.NumBody)
	for p := range keypoint.Part(keypoint.NumBody) {
		names[p] = p.String()
	}
	return names
}

// isObject records a mistake if v is not an object.
func isObject(v strictjson.Value) bool {
	if !v.IsObject() {
		v.Errorf("is %s, want an object", v.Kind())
	}
	return v.IsObject()
}

// pixelCount reads an optional number of pixels.
func pixelCount(v strictjson.Value) int {
	if !v.Present() {
		return 0
	}
	n, ok := v.Int()
	if ok && (n < 1 || n > 1e6) {
		v.Errorf("is %d, want 1 to 1000000 pixels", n)
	}
	return int(n)
}

// pixels reads an array of count numbers.
func pixels(v strictjson.Value, count int, want string) ([]float64, bool) {
	list, ok := v.Array()
	if !ok {
		return nil, false
	}
	if len(list) != count {
		v.Errorf("has %d elements, want %s", len(list), want)
		return nil, false
	}
	numbers := make([]float64, count)
	for i, e := range list {
		if !e.Require("a number") {
			return nil, false
		}
		n, ok := e.Number()
		if !ok {
			return nil, false
		}
		if !place(n) {
			e.Errorf("is %v, want %s", n, wantPlace)
			return nil, false
		}
		numbers[i] = n
	}
	return numbers, true
}
