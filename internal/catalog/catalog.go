// Package catalog is the table of record kinds: how texts call a record, which records it is
// made from, which files belong to it, whether work on it is slow, and what its stored data
// look like. Nothing else switches over storage.Kind.
package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/storage"
)

// Kind is a row of the table.
type Kind struct {
	Kind     storage.Kind
	Singular string   // "keypoint extraction"
	Origins  []Origin // what a record may be made from; empty for media, which have no status

	folder     string   // of its files in Blobs; "" for kinds without
	extensions []string // its files may have

	data func() any                                           // a new stored form
	slow func(storage.Record) bool                            // nil: never
	file func(storage.Record) (want File, ok bool, err error) // nil: none
}

// Origin is one of the records that a record may be made from.
type Origin struct {
	Member string // of the stored data, which holds the id
	Kind   storage.Kind
}

// table lists all kinds, each behind those that it is made from.
var table = []Kind{
	{
		Kind: storage.Movies, Singular: "movie",
		folder: "media/movies", extensions: []string{""},
		data: func() any { return new(Media) }, file: mediaFile,
	},
	{
		Kind: storage.Images, Singular: "image",
		folder: "media/images", extensions: []string{""},
		data: func() any { return new(Media) }, file: mediaFile,
	},
	{
		Kind: storage.Keypoints, Singular: "keypoint extraction",
		Origins: []Origin{{"movie", storage.Movies}, {"image", storage.Images}, {"keypoint", storage.Keypoints}},
		data:    func() any { return new(Extraction) }, slow: slowExtraction,
	},
	{
		Kind: storage.Comparisons, Singular: "comparison",
		Origins: []Origin{{"source", storage.Keypoints}, {"target", storage.Keypoints}},
		data:    func() any { return new(Comparison) },
	},
	{
		Kind: storage.Analyses, Singular: "analysis",
		Origins: []Origin{{"keypoint", storage.Keypoints}},
		data:    func() any { return new(Analysis) },
	},
	{
		Kind: storage.Drawings, Singular: "drawing",
		Origins: []Origin{{"keypoint", storage.Keypoints}, {"comparison", storage.Comparisons}},
		folder:  "drawings", extensions: []string{".jpg", ".mp4"},
		data: func() any { return new(Drawing) }, slow: slowDrawing, file: drawingFile,
	},
}

// Kinds returns all kinds, each behind those that it is made from.
func Kinds() []Kind { return slices.Clone(table) }

// Of returns the row of a kind; of an unknown kind one without anything but its name.
func Of(kind storage.Kind) Kind {
	if i := slices.IndexFunc(table, func(k Kind) bool { return k.Kind == kind }); i >= 0 {
		return table[i]
	}
	return Kind{Kind: kind, Singular: string(kind)}
}

// Media reports whether records of the kind are media: made from nothing, and without status.
func (k Kind) Media() bool { return k.data != nil && len(k.Origins) == 0 }

// MadeFrom reports whether a record of the kind may be made directly from one of another kind.
func (k Kind) MadeFrom(other storage.Kind) bool {
	return slices.ContainsFunc(k.Origins, func(o Origin) bool { return o.Kind == other })
}

// Decode reads the data of a record into its stored form.
func Decode(r storage.Record, form any) error {
	if err := json.Unmarshal(r.Data, form); err != nil {
		return fmt.Errorf("record %s/%d: %w", r.Kind, r.ID, err)
	}
	return nil
}

// Origins returns the keys of the records that a record is made from.
func Origins(r storage.Record) ([]storage.Key, error) {
	row := Of(r.Kind)
	if len(row.Origins) == 0 {
		return nil, nil
	}
	var members map[string]json.RawMessage
	if err := Decode(r, &members); err != nil {
		return nil, err
	}
	var keys []storage.Key
	for _, o := range row.Origins {
		var id int64
		if text, ok := members[o.Member]; ok {
			if err := json.Unmarshal(text, &id); err != nil {
				return nil, fmt.Errorf("record %s/%d: %s: %w", r.Kind, r.ID, o.Member, err)
			}
		}
		if id != 0 {
			keys = append(keys, storage.Key{Owner: r.Owner, Kind: o.Kind, ID: id})
		}
	}
	return keys, nil
}

// Slow reports whether the work on a record may be on every frame of a movie.
func Slow(r storage.Record) bool {
	row := Of(r.Kind)
	return row.slow != nil && row.slow(r)
}

// WithProgress returns a record with another progress in its data, 0 for none. Media have none.
func WithProgress(r storage.Record, part float64) (storage.Record, error) {
	row := Of(r.Kind)
	if row.data == nil {
		return r, nil
	}
	form := row.data()
	if err := Decode(r, form); err != nil {
		return r, err
	}
	work, ok := form.(interface{ work() *Work })
	if !ok || work.work().Progress == part {
		return r, nil
	}
	work.work().Progress = part
	var err error
	r.Data, err = json.Marshal(form)
	return r, err
}

// File describes the file of a record. Size 0 and an empty MD5 are not known.
type File struct {
	Name string // its key in Blobs
	Size int64
	MD5  []byte

	extension string
}

// FileOf returns what a record says of its file; ok is false when it says that there is none.
// Data that cannot be read are an error, of every kind.
func FileOf(r storage.Record) (want File, ok bool, err error) {
	row := Of(r.Kind)
	if row.file != nil {
		want, ok, err = row.file(r)
		want.Name = FileName(r.Kind, r.ID, want.extension)
		return want, ok, err
	}
	if row.data == nil {
		return File{}, false, nil
	}
	return File{}, false, Decode(r, row.data())
}

// FileName returns the name in Blobs of a record's file. Media have the extension "".
func FileName(kind storage.Kind, id int64, extension string) string {
	return fmt.Sprintf("%s/%d%s", Of(kind).folder, id, extension)
}

// FileNames returns the names of all files that Blobs may hold of a record.
func FileNames(key storage.Key) []string {
	var names []string
	for _, extension := range Of(key.Kind).extensions {
		names = append(names, FileName(key.Kind, key.ID, extension))
	}
	return names
}

// ParseFileName returns the record that a file belongs to; ok is false for names that
// FileName does not return.
func ParseFileName(name string) (kind storage.Kind, id int64, ok bool) {
	for _, k := range table {
		number, below := strings.CutPrefix(name, k.folder+"/")
		if !below {
			continue
		}
		number, _, _ = strings.Cut(number, ".")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil || id < 1 || !slices.Contains(FileNames(storage.Key{Kind: k.Kind, ID: id}), name) {
			continue
		}
		return k.Kind, id, true
	}
	return "", 0, false
}

// Folders returns the prefixes of the names of all files, which also the names of unknown
// files between them have.
func Folders() []string {
	var folders []string
	for _, k := range table {
		top, _, _ := strings.Cut(k.folder, "/")
		if top != "" && !slices.Contains(folders, top+"/") {
			folders = append(folders, top+"/")
		}
	}
	return folders
}
