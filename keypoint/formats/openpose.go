package formats

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
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

// WriteOpenPose writes the file of one frame as OpenPose does with --write_json, in pixels, with one person, or none if
// the frame is empty, in the points of the model BODY_25. Neck and MidHip are halfway between the shoulders and between
// the hips, with the lower confidence of the two; other points that are no parts are absent. OpenPose marks absent
// points with a confidence of 0, so parts of this confidence are lost, as are times and the picture size.
func WriteOpenPose(w io.Writer, f *keypoint.Frame) error {
	if f == nil {
		return fmt.Errorf("%w frame: it is nil", keypoint.ErrInvalid)
	}
	people := ""
	if !f.Empty() {
		points, err := json.Marshal(openPoseNumbers(f))
		if err != nil {
			return err
		}
		people = `{"person_id":[-1],"pose_keypoints_2d":` + string(points) +
			`,"face_keypoints_2d":[],"hand_left_keypoints_2d":[],"hand_right_keypoints_2d":[]` +
			`,"pose_keypoints_3d":[],"face_keypoints_3d":[],"hand_left_keypoints_3d":[],"hand_right_keypoints_3d":[]}`
	}
	_, err := io.WriteString(w, `{"version":1.3,"people":[`+people+"]}\n")
	return err
}

// writeOpenPoseZip writes a ZIP archive with a file per frame as WriteOpenPose writes it, named as OpenPose does for a movie called
// keypoints: "keypoints_", the number of the frame from 0 in twelve digits, and "_keypoints.json". ReadOpenPose reads a zip.Reader of it.
func writeOpenPoseZip(w io.Writer, seq keypoint.Sequence) error {
	out := zip.NewWriter(w)
	for i := range seq.Frames {
		file, err := out.Create(fmt.Sprintf("keypoints_%012d_keypoints.json", i))
		if err == nil {
			err = WriteOpenPose(file, &seq.Frames[i])
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// openPoseNumbers returns x, y and confidence of the points of BODY_25.
func openPoseNumbers(f *keypoint.Frame) []float64 {
	numbers := make([]float64, 3*25)
	put := func(i int, at keypoint.Point, confidence float64) {
		if confidence > 0 {
			copy(numbers[3*i:], []float64{at[0], at[1], confidence})
		}
	}
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		put(body25[p], at, f.Confidence(p))
	}
	between := func(i int, a, b keypoint.Part) {
		if at, ok := keypoint.MidpointSelector(a, b).At(f); ok && finite(at[0]) && finite(at[1]) {
			put(i, at, min(f.Confidence(a), f.Confidence(b)))
		}
	}
	between(1, keypoint.LeftShoulder, keypoint.RightShoulder)
	between(8, keypoint.LeftHip, keypoint.RightHip)
	return numbers
}
