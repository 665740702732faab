package inference

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bep/imagemeta"
)

// maxEXIF is how many bytes of a file are searched for EXIF, which comes before the pixels in every format but WebP.
const maxEXIF = 256 << 10

// withEXIF are the formats of pictures that may have EXIF.
var withEXIF = map[string]imagemeta.ImageFormat{
	"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP, "tiff": imagemeta.TIFF, "heif": imagemeta.HEIF,
}

// exif returns what a picture's EXIF has of some tags, without those that are missing or damaged. The error is one of r.
func exif(r io.ReadSeeker, format string, names ...string) (tags map[string]any, err error) {
	of, ok := withEXIF[format]
	if !ok {
		return nil, nil
	}
	head := make([]byte, maxEXIF)
	n, err := readAt(r, head)
	tags = map[string]any{}
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(head[:n]), ImageFormat: of, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(t imagemeta.TagInfo) bool {
			return tags[t.Tag] == nil && strings.HasPrefix(t.Namespace, "IFD0") && slices.Contains(names, t.Tag)
		},
		HandleTag: func(t imagemeta.TagInfo) error {
			tags[t.Tag] = t.Value
			return nil
		},
	})
	return tags, err
}

// orientation returns the EXIF orientation of a picture, 1 to 8; 1 if it is missing, invalid or damaged. The error is one of r.
func orientation(r io.ReadSeeker, format string) (int, error) {
	tags, err := exif(r, format, "Orientation")
	if o, ok := tags["Orientation"].(uint16); ok && o >= 1 && o <= 8 {
		return int(o), err
	}
	return 1, err
}

// ImageRecorded returns when a picture was taken, by its EXIF: DateTimeOriginal in the zone OffsetTimeOriginal, or in
// UTC without that one; zero if it is unknown. The error is one of r.
func ImageRecorded(r io.ReadSeeker) (time.Time, error) {
	format, err := FormatOf(r)
	if err != nil {
		return time.Time{}, err
	}
	tags, err := exif(r, format, "DateTimeOriginal", "OffsetTimeOriginal")
	taken, _ := tags["DateTimeOriginal"].(string)
	zone, _ := tags["OffsetTimeOriginal"].(string)
	const layout = "2006:01:02 15:04:05"
	if zoned, err := time.Parse(layout+"-07:00", taken+zone); err == nil {
		return zoned.UTC(), nil
	}
	if local, err := time.Parse(layout, taken); err == nil {
		return local, nil
	}
	return time.Time{}, err
}
