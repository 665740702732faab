package formats

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"

	"github.com/bodymotion/motion/keypoint"
)

// OpenPoseModel is the set and order of body points in a file of OpenPose.
type OpenPoseModel uint8

// The models. BODY_25B has as many points as BODY_25 and cannot be detected: the caller has to
// name it.
const (
	OpenPoseAny     OpenPoseModel = iota // BODY_25 for 25 points, COCO for 18
	OpenPoseBody25                       // BODY_25, the default of OpenPose
	OpenPoseCOCO                         // COCO, 18 points
	OpenPoseBody25B                      // BODY_25B
)

// openPoseModels are the names, numbers of points and places of the parts of the models, −1 for none.
var openPoseModels = [...]struct {
	name   string
	points int
	places [keypoint.NumParts]int
}{
	OpenPoseAny:     {"any", 25, body25},
	OpenPoseBody25:  {"BODY_25", 25, body25},
	OpenPoseCOCO:    {"COCO", 18, [...]int{0, 15, 14, 17, 16, 5, 2, 6, 3, 7, 4, 11, 8, 12, 9, 13, 10, -1, -1, -1, -1, -1, -1}},
	OpenPoseBody25B: {"BODY_25B", 25, [...]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19, 22, 20, 23, 21, 24}},
}

var body25 = [...]int{0, 16, 15, 18, 17, 5, 2, 6, 3, 7, 4, 12, 9, 13, 10, 14, 11, 19, 22, 20, 23, 21, 24}

// String returns OpenPose's name of the model, "any" for OpenPoseAny.
func (m OpenPoseModel) String() string {
	if int(m) < len(openPoseModels) {
		return openPoseModels[m].name
	}
	return fmt.Sprintf("OpenPoseModel(%d)", uint8(m))
}

// points returns the number of points of a person in the model.
func (m OpenPoseModel) points() int { return openPoseModels[m].points }

// index returns the place of a part in the model, −1 if the model does not have it.
func (m OpenPoseModel) index(p keypoint.Part) int { return openPoseModels[m].places[p] }

// OpenPoseOptions configure ReadOpenPose. The zero value reads a recording without times.
type OpenPoseOptions struct {
	Model OpenPoseModel
	// FrameRate of the movie in frames per second: frame i is at i / FrameRate seconds. 0 means
	// no times.
	FrameRate float64
	// Limits bound the input.
	Limits Limits
}

// ReadOpenPose reads the output of OpenPose's --write_json: the files "*.json" at the root of a
// folder, one per frame, in the order of the last number in their names,
// "squat_000000000012_keypoints.json". The names must differ only in that number, and the
// numbers must be consecutive: a folder with a gap or with two movies is an Error. A single
// file needs no number.
//
// Coordinates must be pixels (--keypoint_scale 0). Points other than the parts are ignored;
// a point with a confidence of 0 is absent. Of several people in a frame, ReadOpenPose keeps
// the one with the largest product of bounding box and sum of confidences, of equal ones the
// first; it does not follow people from frame to frame. The files have no times and no picture
// size.
func ReadOpenPose(fsys fs.FS, opt OpenPoseOptions) (keypoint.Sequence, error) {
	if err := checkRate("OpenPose", opt.FrameRate); err != nil {
		return keypoint.Sequence{}, err
	}
	if opt.Model > OpenPoseBody25B {
		return keypoint.Sequence{}, wrong("OpenPose", "Model", "is %v, want one of the models", opt.Model)
	}
	if fsys == nil {
		return keypoint.Sequence{}, wrong("OpenPose", "", "the file system is nil")
	}
	names, err := openPoseFiles(fsys)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if detail := opt.Limits.tooMany(len(names)); detail != "" {
		return keypoint.Sequence{}, wrong("OpenPose", "", "%s", detail)
	}
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 0, len(names)), Times: atRate(len(names), opt.FrameRate)}
	in := opt.Limits.bound("OpenPose", nil) // of all files together
	for _, name := range names {
		people, err := opt.read(fsys, name, in)
		if err != nil {
			return keypoint.Sequence{}, err
		}
		s.Frames = append(s.Frames, choose(people))
	}
	return s, nil
}

// lastNumber takes a name apart before and after its last number.
var lastNumber = regexp.MustCompile(`^(.*?)([0-9]+)([^0-9]*)$`)

// openPoseFiles returns the names of the files in the order of their frames.
func openPoseFiles(fsys fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && path.Ext(e.Name()) == ".json" {
			names = append(names, e.Name())
		}
	}
	switch len(names) {
	case 0:
		return nil, wrong("OpenPose", "", "there is no file *.json in the folder, want one a frame")
	case 1:
		return names, nil
	}
	number := map[string]int64{}
	var first []string
	for _, name := range names {
		part := lastNumber.FindStringSubmatch(name)
		bad := func(detail string, args ...any) error {
			return &Error{Format: "OpenPose", File: name, Detail: fmt.Sprintf(detail, args...)}
		}
		if part == nil {
			return nil, bad("there is no number in the name, want that of the frame")
		}
		if number[name], err = strconv.ParseInt(part[2], 10, 63); err != nil {
			return nil, bad("the number in the name is too large")
		}
		if first == nil {
			first = part
		}
		if part[1] != first[1] || part[3] != first[3] {
			return nil, bad("differs from %s not only in the number, want the files of one movie", quote(first[0]))
		}
	}
	slices.SortFunc(names, func(a, b string) int { return int(min(max(number[a]-number[b], -1), 1)) })
	for i, name := range names[1:] {
		if want := number[names[i]] + 1; number[name] != want {
			return nil, &Error{Format: "OpenPose", File: name, Detail: fmt.Sprintf("is frame %d, want %d after %s", number[name], want, quote(names[i]))}
		}
	}
	return names, nil
}

// read returns the people of a file.
func (opt OpenPoseOptions) read(fsys fs.FS, name string, b *bounded) (people []person, err error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b.r, b.file = file, name
	in := &jsonReader{json.NewDecoder(b), "OpenPose", name}
	found := false
	err = in.object("", map[string]func(string) error{"people": func(pointer string) error {
		found = true
		return in.array(pointer, func(_ int, pointer string) error {
			f, err := opt.person(in, pointer)
			if !f.Empty() {
				people = append(people, personOf(f))
			}
			return err
		})
	}})
	if err == nil {
		err = in.end()
	}
	if err == nil && !found {
		err = in.wrong("/people", "is missing, want an array of people")
	}
	return people, err
}

// person reads a person; one with only hands or a face is empty.
func (opt OpenPoseOptions) person(in *jsonReader, pointer string) (f keypoint.Frame, err error) {
	var person struct {
		Points numbers `json:"pose_keypoints_2d"`
	}
	if err := in.decode(pointer, &person); err != nil || len(person.Points) == 0 {
		return f, err
	}
	model, want := opt.Model, "75 of BODY_25 or 54 of COCO"
	if model != OpenPoseAny {
		want = fmt.Sprintf("%d of %v", 3*model.points(), model)
	} else if len(person.Points) == 3*OpenPoseCOCO.points() {
		model = OpenPoseCOCO
	}
	if len(person.Points) != 3*model.points() {
		return f, in.wrong(pointer+"/pose_keypoints_2d", "has %d numbers, want %s", len(person.Points), want)
	}
	for p := range keypoint.Part(keypoint.NumParts) {
		if i := model.index(p); i >= 0 {
			triple(&f, p, person.Points, i)
		}
	}
	return f, nil
}
