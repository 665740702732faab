package formats

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// The places of the parts among the 25 points of OpenPose's model BODY_25, and among the 18 of its model COCO, −1 for none.
var (
	body25     = [keypoint.NumParts]int{0, 16, 15, 18, 17, 5, 2, 6, 3, 7, 4, 12, 9, 13, 10, 14, 11, 19, 22, 20, 23, 21, 24}
	cocoPoints = [keypoint.NumParts]int{0, 15, 14, 17, 16, 5, 2, 6, 3, 7, 4, 11, 8, 12, 9, 13, 10, -1, -1, -1, -1, -1, -1}
)

// ReadOpenPose reads the output of OpenPose's --write_json: the files "*.json" at the root of a folder, one per frame, in
// the order of the last number in their names, "squat_000000000012_keypoints.json". The names must differ only in that
// number, and the numbers must be consecutive: a folder with a gap or with two movies is an Error. A single file needs
// no number. A ZIP archive of such a folder and a single file are read by [Read] too, which see.
func ReadOpenPose(fsys fs.FS, opt Options) (keypoint.Sequence, error) {
	if err := opt.validate(); err != nil {
		return keypoint.Sequence{}, err
	}
	seq, err := readFolder(fsys, opt)
	return opt.complete("OpenPose", seq, err)
}

// readFolder reads the files of a folder.
func readFolder(fsys fs.FS, opt Options) (keypoint.Sequence, error) {
	if fsys == nil {
		return keypoint.Sequence{}, fmt.Errorf("%w folder: it is nil", keypoint.ErrInvalid)
	}
	names, err := openPoseFiles(fsys)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if detail := opt.Limits.tooMany(len(names)); detail != "" {
		return keypoint.Sequence{}, wrong("OpenPose", "", "%s", detail)
	}
	s := keypoint.Sequence{Frames: make([]keypoint.Frame, 0, len(names))}
	in := opt.Limits.bound("OpenPose", nil) // of all files together
	for _, name := range names {
		f, err := readOpenPose(fsys, name, in)
		if err != nil {
			return keypoint.Sequence{}, err
		}
		s.Frames = append(s.Frames, f)
	}
	return s, nil
}

// lastNumber takes a name apart before, at and after its last number, which is "" without one.
func lastNumber(name string) (before, number, after string) {
	const digits = "0123456789"
	end := strings.LastIndexAny(name, digits) + 1
	start := len(strings.TrimRight(name[:end], digits))
	return name[:start], name[start:end], name[end:]
}

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
	bad := func(file, detail string, args ...any) ([]string, error) {
		return nil, &Error{Format: "OpenPose", File: file, Detail: fmt.Sprintf(detail, args...)}
	}
	number := map[string]int64{}
	for _, name := range names {
		before, digits, after := lastNumber(name)
		if digits == "" {
			return bad(name, "there is no number in the name, want that of the frame")
		}
		if number[name], err = strconv.ParseInt(digits, 10, 63); err != nil {
			return bad(name, "the number in the name is too large")
		}
		if first, _, last := lastNumber(names[0]); before != first || after != last {
			return bad(name, "differs from %s not only in the number, want the files of one movie", quote(names[0]))
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(number[a], number[b]) })
	for i, name := range names[1:] {
		if want := number[names[i]] + 1; number[name] != want {
			return bad(name, "is frame %d, want %d after %s", number[name], want, quote(names[i]))
		}
	}
	return names, nil
}

// readOpenPose returns the person of a file.
func readOpenPose(fsys fs.FS, name string, b *bounded) (f keypoint.Frame, err error) {
	file, err := fsys.Open(name)
	if err != nil {
		return f, err
	}
	defer file.Close()
	b.r, b.file = file, name
	in := tokens("OpenPose", name, b)
	if f, err = in.openPose(""); err == nil {
		err = in.end()
	}
	return f, err
}

// openPose reads the people of a frame and returns the one to keep.
func (j *jsonReader) openPose(pointer string) (keypoint.Frame, error) {
	found, who := false, chosen{}
	err := j.object(pointer, map[string]func(string) error{"people": func(pointer string) error {
		found = true
		return j.array(pointer, func(_ int, pointer string) error {
			f, err := openPosePerson(j, pointer)
			who.add(&f)
			return err
		})
	}})
	if err == nil && !found {
		err = j.wrong(pointer+"/people", "is missing, want an array of people")
	}
	return who.frame, err
}

// openPosePerson reads a person; one with only hands or a face is empty.
func openPosePerson(in *jsonReader, pointer string) (f keypoint.Frame, err error) {
	var person struct {
		Points []*float64 `json:"pose_keypoints_2d"`
	}
	if err := in.decode(pointer, &person); err != nil || len(person.Points) == 0 {
		return f, err
	}
	places, ok := map[int]*[keypoint.NumParts]int{3 * 25: &body25, 3 * 18: &cocoPoints}[len(person.Points)]
	if !ok {
		return f, in.wrong(pointer+"/pose_keypoints_2d", "has %d numbers, want 75 of BODY_25 or 54 of COCO", len(person.Points))
	}
	for p, i := range places {
		if i >= 0 {
			triple(&f, keypoint.Part(p), person.Points, i)
		}
	}
	return f, nil
}
