// Package catalog is the table of record kinds: how texts call a record, which records it may be made from, and which
// files belong to it; and what the stored data of all kinds have in common. Nothing else switches over storage.Kind.
package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/storage"
)

// Kind is a row of the table.
type Kind struct {
	Kind     storage.Kind
	Singular string         // "keypoint extraction"
	Origins  []storage.Kind // what a record may be made from; empty for subjects, exercises and media, which have no status

	folder     string   // of its files in Blobs; "" for kinds without
	extensions []string // its files may have
}

// table lists all kinds, each behind those that it is made from.
var table = []Kind{
	{Kind: storage.Subjects, Singular: "subject"},
	{Kind: storage.Exercises, Singular: "exercise"},
	{Kind: storage.Movies, Singular: "movie", folder: "media/movies", extensions: []string{"", thumbnail}},
	{Kind: storage.Images, Singular: "image", folder: "media/images", extensions: []string{"", thumbnail}},
	{
		Kind: storage.Keypoints, Singular: "keypoint extraction",
		Origins: []storage.Kind{storage.Movies, storage.Images, storage.Keypoints},
		folder:  "media/keypoints", extensions: []string{thumbnail},
	},
	{Kind: storage.Comparisons, Singular: "comparison", Origins: []storage.Kind{storage.Keypoints}},
	{Kind: storage.Analyses, Singular: "analysis", Origins: []storage.Kind{storage.Keypoints}},
	{
		Kind: storage.Drawings, Singular: "drawing",
		Origins: []storage.Kind{storage.Keypoints, storage.Comparisons},
		folder:  "drawings", extensions: []string{".jpg", ".mp4"},
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
func (k Kind) Media() bool { return k.extensions != nil && len(k.Origins) == 0 }

// Recorded reports whether records of the kind are of somebody: media, keypoints and exercises.
func (k Kind) Recorded() bool {
	return k.Media() || k.Kind == storage.Keypoints || k.Kind == storage.Exercises
}

// Worked reports whether there is work on records of the kind, which has a status.
func (k Kind) Worked() bool { return len(k.Origins) > 0 }

// MadeFrom reports whether a record of the kind may be made directly from one of another kind.
func (k Kind) MadeFrom(other storage.Kind) bool { return slices.Contains(k.Origins, other) }

// FileName returns the name in Blobs of a record's file. Media have the extension "".
func FileName(kind storage.Kind, id int64, extension string) string {
	return fmt.Sprintf("%s/%d%s", Of(kind).folder, id, extension)
}

const thumbnail = ".thumbnail"

// ThumbnailName returns the name of the file with the thumbnail of a movie, an image or keypoints.
func ThumbnailName(key storage.Key) string { return FileName(key.Kind, key.ID, thumbnail) }

// FileNames returns the names of all files that Blobs may hold of a record.
func FileNames(key storage.Key) []string {
	var names []string
	for _, extension := range Of(key.Kind).extensions {
		names = append(names, FileName(key.Kind, key.ID, extension))
	}
	return names
}

// ParseFileName returns the record that a file belongs to; ok is false for names that FileName does not return.
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

// Folders returns the prefixes of the names of all files, which also the names of unknown files between them have.
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

// Missing is the error of a request that names a record which does not exist. It is a storage.ErrNotFound.
type Missing struct {
	Field string // of the request
	Key   storage.Key
}

// What names the field and the record, such as "subjectId: subject 4".
func (m *Missing) What() string {
	return fmt.Sprintf("%s: %s %d", m.Field, Of(m.Key.Kind).Singular, m.Key.ID)
}

func (m *Missing) Error() string { return m.What() + ": " + storage.ErrNotFound.Error() }

func (m *Missing) Unwrap() error { return storage.ErrNotFound }
