package truth

import (
	"encoding/json"
	"fmt"
	"image"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/bodymotion/motion/keypoint"
)

// Person is one labelled person of a picture, in pixels.
type Person struct {
	Parts keypoint.Frame // hidden ones that are labelled count, as in COCO
	Box   Box
	Area  float64 // of the person's outline, the scale of OKS; BoxArea estimates it
	Crowd bool    // the label is of several people together
}

// Box is a rectangle in pixels.
type Box struct {
	X, Y          float64 // the top left corner
	Width, Height float64 // 0 or more
}

// Area returns width × height in square pixels.
func (b Box) Area() float64 { return b.Width * b.Height }

// BoxArea estimates the area of a person's outline from the area of the box: 0.53 times it, the factor that xtcocotools and
// MMPose use for data sets without outlines.
func BoxArea(box float64) float64 { return 0.53 * box }

// Scored reports whether results are compared with the person: it is not a crowd, and at least one part is labelled.
func (p *Person) Scored() bool { return !p.Crowd && !p.Parts.Empty() }

// Picture is a labelled picture and the people in it.
type Picture struct {
	Image    string      // path of the picture
	Size     image.Point // pixels; zero if the labels do not have it
	People   []Person
	Dominant int // index of the person that a program for one person should choose; -1 if nobody stands out
}

// Nobody reports whether the picture has neither a person nor a crowd.
func (l *Picture) Nobody() bool { return len(l.People) == 0 }

// Dominant returns the index of the person who stands out: the one with the largest box, if that is
// more than half of the total area of all boxes and at least twice the next. ok is false if nobody
// stands out or the person with the largest box is not Scored.
func Dominant(people []Person) (index int, ok bool) {
	var sum, next float64
	index = -1
	for i := range people {
		a := people[i].Box.Area()
		sum += a
		switch {
		case index < 0:
			index = i
		case a > people[index].Box.Area():
			index, next = i, people[index].Box.Area()
		default:
			next = max(next, a)
		}
	}
	if index < 0 || !people[index].Scored() {
		return -1, false
	}
	if a := people[index].Box.Area(); a <= sum/2 || a < 2*next {
		return -1, false
	}
	return index, true
}

// Set is one file of labels.
type Set struct {
	Name     string
	Pictures []Picture
}

// Sets reads the files of labels that match a pattern of filepath.Glob, each beside its pictures, which must exist. Without
// a pattern there are no sets.
func Sets(pattern string) (sets []Set, err error) {
	if pattern == "" {
		return nil, nil
	}
	paths, err := filepath.Glob(pattern)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("there is no file %s", pattern)
	}
	for _, path := range paths {
		s := Set{Name: filepath.Base(path)}
		if s.Name == "annotations.json" {
			s.Name = filepath.Base(filepath.Dir(path))
		}
		data, err := os.ReadFile(path)
		if err == nil {
			s.Pictures, err = Pictures(data)
		}
		for i := range s.Pictures {
			l := &s.Pictures[i]
			l.Image = filepath.Join(filepath.Dir(path), filepath.FromSlash(l.Image))
			if _, missing := os.Stat(l.Image); err == nil {
				err = missing
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		sets = append(sets, s)
	}
	return sets, err
}

// labels is a picture of a file of labels.
type labels struct {
	Image         string
	Width, Height int
	Stands        *bool `json:"dominantPerson"`
	Index         *int  `json:"dominantIndex"`
	Persons       *[]struct {
		BBox       []float64
		Area       *float64
		AreaSource string
		Crowd      int `json:"iscrowd"`
		Keypoints  map[string][]float64
	}
}

// Pictures reads labelled pictures, an array of an object a picture:
//
//	[{"image": "images/a.jpg", "width": 640, "height": 425, "dominantIndex": 0, "persons": [
//	  {"bbox": [280, 44, 218, 346], "area": 27789, "areaSource": "segmentation", "iscrowd": 0,
//	   "keypoints": {"nose": [367, 81, 2], "leftEye": [374, 73, 1]}}]}]
//
// The unit is the pixel. A part has x, y and v: 2 visible, 1 labelled but hidden, 0 not labelled, as is an absent part.
// Required are image and persons, and bbox and keypoints of each person. BoxArea estimates an area that is missing or whose
// areaSource is "bbox". dominantPerson is whether somebody stands out, and dominantIndex who; if both are missing, Dominant
// decides. Other members are ignored. An error wraps keypoint.ErrInvalid.
func Pictures(data []byte) ([]Picture, error) {
	var list []labels
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, invalid("%w", err)
	}
	if len(list) == 0 {
		return nil, invalid("there is no picture in the file")
	}
	pictures := make([]Picture, len(list))
	for i, l := range list {
		var err error
		if pictures[i], err = l.picture(); err != nil {
			return nil, invalid("picture %d: %w", i, err)
		}
	}
	return pictures, nil
}

// picture checks the labels of a picture.
func (l labels) picture() (p Picture, err error) {
	p = Picture{Image: l.Image, Size: image.Pt(l.Width, l.Height), Dominant: -1}
	if !fs.ValidPath(l.Image) || l.Image == "." {
		return p, fmt.Errorf("image is %q, want a path below the folder of the labels", l.Image)
	}
	if l.Persons == nil {
		return p, fmt.Errorf("persons is missing")
	}
	for k, x := range *l.Persons {
		if len(x.BBox) != 4 || x.BBox[2] < 0 || x.BBox[3] < 0 || x.Keypoints == nil {
			return p, fmt.Errorf("person %d: want bbox, [x, y, width, height], and keypoints", k)
		}
		who := Person{Box: Box{x.BBox[0], x.BBox[1], x.BBox[2], x.BBox[3]}, Crowd: x.Crowd == 1}
		if who.Area = who.Box.Area(); x.Area != nil {
			who.Area = *x.Area
		}
		if x.Area == nil || x.AreaSource == "bbox" {
			who.Area = BoxArea(who.Area)
		}
		for name, at := range x.Keypoints {
			part, err := keypoint.ParsePart(name)
			if err != nil || len(at) != 3 || math.Abs(at[0])+math.Abs(at[1]) > 1e7 || at[2] != 0 && at[2] != 1 && at[2] != 2 {
				return p, fmt.Errorf("person %d: %s is %v, want [x, y, v] of a part", k, name, at)
			}
			if at[2] > 0 {
				who.Parts.Set(part, keypoint.Point{at[0], at[1]}, 1)
			}
		}
		p.People = append(p.People, who)
	}
	switch {
	case l.Index == nil && l.Stands == nil:
		p.Dominant, _ = Dominant(p.People)
	case l.Stands != nil && !*l.Stands:
	case l.Index == nil || *l.Index < 0 || *l.Index >= len(p.People) || !p.People[*l.Index].Scored():
		return p, fmt.Errorf("dominantIndex is not that of a person with keypoints")
	default:
		p.Dominant = *l.Index
	}
	return p, nil
}
