package motion

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// Media is a registered movie or image.
type Media struct {
	ID                   int64
	Kind                 storage.Kind // storage.Movies or storage.Images
	Name                 string
	Text                 string // description
	ContentMD5           string // as given at registration
	CreatedAt, UpdatedAt time.Time

	Uploaded bool // the file is there

	// What is known of the uploaded file: zero until then, and where it is not a
	// movie or image that can be decoded.
	Size      image.Point // of the upright picture, pixels
	Frames    int         // of a movie: from the headers, then as decoded by an extraction
	FrameRate float64     // of a movie: frames per second
	Duration  float64     // of a movie: seconds
}

// NewMedia is a request to register a movie or an image.
type NewMedia struct {
	Name       string // optional, at most 1,000 bytes
	Text       string // optional, at most 10,000 bytes
	ContentMD5 string // required: the MD5 of the file, base64 of its 16 bytes or 32 hex digits
}

// mediaData is the stored form of a Media.
type mediaData struct {
	Name       string  `json:"name,omitempty"`
	Text       string  `json:"text,omitempty"`
	ContentMD5 string  `json:"contentMd5"`
	Uploaded   bool    `json:"uploaded,omitempty"`
	Bytes      int64   `json:"bytes,omitempty"` // of the uploaded file
	Width      int     `json:"width,omitempty"`
	Height     int     `json:"height,omitempty"`
	Frames     int     `json:"frames,omitempty"`
	FrameRate  float64 `json:"frameRate,omitempty"`
	Duration   float64 `json:"duration,omitempty"`
}

func (d mediaData) media(r storage.Record) Media {
	return Media{
		ID: r.ID, Kind: r.Kind, Name: d.Name, Text: d.Text, ContentMD5: d.ContentMD5,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Uploaded: d.Uploaded, Size: image.Pt(d.Width, d.Height),
		Frames: d.Frames, FrameRate: d.FrameRate, Duration: d.Duration,
	}
}

// parseMD5 reads an MD5 in one of its two spellings.
func parseMD5(s string) ([]byte, bool) {
	if len(s) == 32 {
		if b, err := hex.DecodeString(s); err == nil {
			return b, true
		}
	}
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	return b, err == nil && len(b) == 16
}

// RegisterMovie makes a record for a movie whose file is uploaded later.
func (s *Service) RegisterMovie(ctx context.Context, owner string, m NewMedia) (Media, error) {
	return s.register(ctx, owner, storage.Movies, m)
}

// RegisterImage makes a record for an image whose file is uploaded later.
func (s *Service) RegisterImage(ctx context.Context, owner string, m NewMedia) (Media, error) {
	return s.register(ctx, owner, storage.Images, m)
}

func (s *Service) register(ctx context.Context, owner string, kind storage.Kind, m NewMedia) (Media, error) {
	if err := (MediaChange{&m.Name, &m.Text}).check(); err != nil {
		return Media{}, err
	}
	if _, ok := parseMD5(m.ContentMD5); !ok {
		return Media{}, badRequest("contentMd5", "%q is not an MD5: want base64 of its 16 bytes or 32 hexadecimal digits", m.ContentMD5)
	}
	d := mediaData{Name: m.Name, Text: m.Text, ContentMD5: m.ContentMD5}
	r, err := s.create(ctx, owner, kind, "", d)
	if err != nil {
		return Media{}, err
	}
	return d.media(r), nil
}

// Movie returns a movie's record.
func (s *Service) Movie(ctx context.Context, owner string, id int64) (Media, error) {
	return s.media(ctx, storage.Key{Owner: owner, Kind: storage.Movies, ID: id})
}

// Image returns an image's record.
func (s *Service) Image(ctx context.Context, owner string, id int64) (Media, error) {
	return s.media(ctx, storage.Key{Owner: owner, Kind: storage.Images, ID: id})
}

func (s *Service) media(ctx context.Context, key storage.Key) (Media, error) {
	var d mediaData
	r, err := s.get(ctx, key, &d)
	if err != nil {
		return Media{}, err
	}
	return d.media(r), nil
}

// Movies lists the owner's movies, newest first, and says how many there are.
func (s *Service) Movies(ctx context.Context, owner string, page Page) ([]Media, int, error) {
	return s.listMedia(ctx, owner, storage.Movies, page)
}

// Images lists the owner's images, newest first, and says how many there are.
func (s *Service) Images(ctx context.Context, owner string, page Page) ([]Media, int, error) {
	return s.listMedia(ctx, owner, storage.Images, page)
}

func (s *Service) listMedia(ctx context.Context, owner string, kind storage.Kind, page Page) ([]Media, int, error) {
	page.Status = ""
	return list(ctx, s, owner, kind, page, func(r storage.Record) (Media, error) {
		var d mediaData
		err := d.read(r.Data)
		return d.media(r), err
	})
}

// Upload keeps the file of a registered movie or image (kind is storage.Movies or
// storage.Images). It reads r to its end and checks the MD5 while the bytes pass:
// content of another MD5 is ErrInvalid, more bytes than allowed ErrTooLarge, and
// then nothing is kept. The same file may be uploaded again.
//
// A file that is no movie or image is kept all the same: the extraction fails then,
// and says why.
func (s *Service) Upload(ctx context.Context, owner string, kind storage.Kind, id int64, r io.Reader) (Media, error) {
	if kind != storage.Movies && kind != storage.Images {
		return Media{}, fmt.Errorf("%w: nothing can be uploaded to %q", ErrInvalid, kind)
	}
	if s.cfg.Role == WorkOnly {
		return Media{}, errWorkOnly
	}
	key := storage.Key{Owner: owner, Kind: kind, ID: id}
	var d mediaData
	if _, err := s.get(ctx, key, &d); err != nil {
		return Media{}, err
	}
	sum, _ := parseMD5(d.ContentMD5)
	info, err := s.cfg.Blobs.Put(ctx, mediaKey(key), r, storage.PutOptions{MD5: sum, MaxSize: s.cfg.Limits.UploadBytes})
	if err != nil {
		return Media{}, err
	}
	m, err := s.uploaded(ctx, key, info.Size)
	if errors.Is(err, ErrNotFound) { // deleted in the meantime
		err = errors.Join(err, s.deleteFiles(ctx, key))
	}
	return m, err
}

// uploaded notes in the record that its file is there, and what it is.
func (s *Service) uploaded(ctx context.Context, key storage.Key, size int64) (Media, error) {
	var d mediaData
	if err := s.probe(ctx, key, &d); err != nil {
		return Media{}, err
	}
	return s.changeMedia(ctx, key, func(now *mediaData) {
		now.Uploaded, now.Bytes = true, size
		now.Width, now.Height, now.Frames, now.FrameRate, now.Duration = d.Width, d.Height, d.Frames, d.FrameRate, d.Duration
	})
}

func mediaKey(k storage.Key) string { return fmt.Sprintf("media/%s/%d", k.Kind, k.ID) }

// probe fills in what the file's headers say. A file that cannot be decoded leaves
// d as it is.
func (s *Service) probe(ctx context.Context, key storage.Key, d *mediaData) error {
	blob, err := s.cfg.Blobs.Open(ctx, mediaKey(key))
	if err != nil {
		return err
	}
	defer blob.Close()
	if key.Kind == storage.Images {
		size, err := inference.ProbeImageWith(ctx, s.cfg.Decoder, blob)
		if err == nil {
			d.Width, d.Height = size.X, size.Y
		}
		return notFormat(err)
	}
	if s.cfg.Decoder == nil {
		return nil
	}
	info, err := s.cfg.Decoder.Probe(ctx, blob)
	if err == nil {
		d.setInfo(info)
	}
	return notFormat(err)
}

func (d *mediaData) setInfo(info inference.Info) {
	d.Width, d.Height = info.Size.X, info.Size.Y
	d.Frames, d.FrameRate, d.Duration = info.Frames, info.FrameRate, info.Duration
}

// notFormat drops the errors that are about the file and not about the service.
func notFormat(err error) error {
	for _, kind := range []error{inference.ErrFormat, inference.ErrTooManyPixels, inference.ErrTooManyFrames} {
		if errors.Is(err, kind) {
			return nil
		}
	}
	return err
}

// Clock returns the duration of a movie as HH:MM:SS, rounded half up to the second.
func Clock(seconds float64) string {
	n := int64(math.Floor(max(seconds, 0) + 0.5))
	return fmt.Sprintf("%02d:%02d:%02d", n/3600, n/60%60, n%60)
}

// localBlobs are the Blobs of a Service. Decoders and encoders look for the method File of
// what they read, so blobs that wrap a local file have it.
type localBlobs struct{ storage.Blobs }

func (b localBlobs) Unwrap() storage.Blobs { return b.Blobs }

func (b localBlobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	blob, err := b.Blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	if local, ok := storage.As[storage.Local](blob); ok {
		return localBlob{blob, local}, nil
	}
	return blob, nil
}

type localBlob struct {
	storage.Blob
	storage.Local
}

func (b localBlob) Unwrap() storage.Blob { return b.Blob }
