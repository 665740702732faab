package motion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"time"
	"unicode/utf8"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/fair"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
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

	Uploaded bool // the file was uploaded

	// Properties of the uploaded file: zero before the upload, and if the file is not a
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

func mediaOf(r storage.Record) (Media, error) {
	var d catalog.Media
	err := catalog.Decode(r, &d)
	return Media{
		ID: r.ID, Kind: r.Kind, Name: d.Name, Text: d.Text, ContentMD5: d.ContentMD5,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Uploaded: d.Uploaded, Size: image.Pt(d.Width, d.Height),
		Frames: d.Frames, FrameRate: d.FrameRate, Duration: d.Duration,
	}, err
}

// RegisterMovie creates a record for a movie whose file is uploaded later.
func (s *Service) RegisterMovie(ctx context.Context, owner string, m NewMedia) (Media, error) {
	return s.register(ctx, owner, storage.Movies, m)
}

// RegisterImage creates a record for an image whose file is uploaded later.
func (s *Service) RegisterImage(ctx context.Context, owner string, m NewMedia) (Media, error) {
	return s.register(ctx, owner, storage.Images, m)
}

func (s *Service) register(ctx context.Context, owner string, kind storage.Kind, m NewMedia) (Media, error) {
	if err := (MediaChange{&m.Name, &m.Text}).check(); err != nil {
		return Media{}, err
	}
	if _, ok := catalog.ParseMD5(m.ContentMD5); !ok {
		return Media{}, badRequest("contentMd5", "%q is not an MD5: want base64 of its 16 bytes or 32 hexadecimal digits", m.ContentMD5)
	}
	return create(ctx, s, owner, kind, catalog.Media{Name: m.Name, Text: m.Text, ContentMD5: m.ContentMD5}, mediaOf)
}

// Movie returns a movie's record.
func (s *Service) Movie(ctx context.Context, owner string, id int64) (Media, error) {
	return find(ctx, s, storage.Key{Owner: owner, Kind: storage.Movies, ID: id}, mediaOf)
}

// Image returns an image's record.
func (s *Service) Image(ctx context.Context, owner string, id int64) (Media, error) {
	return find(ctx, s, storage.Key{Owner: owner, Kind: storage.Images, ID: id}, mediaOf)
}

// Movies returns a page of the owner's movies, newest first, and the number of all.
func (s *Service) Movies(ctx context.Context, owner string, page Page) ([]Media, int, error) {
	page.Status = ""
	return list(ctx, s, owner, storage.Movies, page, mediaOf)
}

// Images returns a page of the owner's images, newest first, and the number of all.
func (s *Service) Images(ctx context.Context, owner string, page Page) ([]Media, int, error) {
	page.Status = ""
	return list(ctx, s, owner, storage.Images, page, mediaOf)
}

// Upload stores the file of a registered movie or image (kind is storage.Movies or
// storage.Images). It reads r to its end. If the content has another MD5, the error is
// ErrInvalid; if it exceeds Limits.UploadBytes, ErrTooLarge; nothing is stored then. The same
// file may be uploaded again.
//
// A file that is no movie or image is stored all the same: its extraction fails and says why. If
// too many other files are being examined for too long, the error is ErrUnavailable: upload it
// again.
func (s *Service) Upload(ctx context.Context, owner string, kind storage.Kind, id int64, r io.Reader) (Media, error) {
	if !catalog.Of(kind).Media() {
		return Media{}, fmt.Errorf("%w: nothing can be uploaded to %q", ErrInvalid, kind)
	}
	if s.cfg.Role == WorkOnly {
		return Media{}, errWorkOnly
	}
	key := storage.Key{Owner: owner, Kind: kind, ID: id}
	m, err := find(ctx, s, key, mediaOf)
	if err != nil {
		return Media{}, err
	}
	sum, _ := catalog.ParseMD5(m.ContentMD5)
	info, err := s.cfg.Blobs.Put(ctx, mediaKey(key), r, storage.PutOptions{MD5: sum, MaxSize: s.cfg.Limits.UploadBytes})
	if err != nil {
		return Media{}, err
	}
	m, err = s.uploaded(ctx, key, info.Size)
	if errors.Is(err, ErrNotFound) { // deleted in the meantime
		err = errors.Join(err, s.keeper.DeleteFiles(ctx, key))
	}
	return m, err
}

// uploaded stores in the record that its file was uploaded, and what it is.
func (s *Service) uploaded(ctx context.Context, key storage.Key, size int64) (Media, error) {
	var d catalog.Media
	if err := s.probe(ctx, key, &d); err != nil {
		return Media{}, err
	}
	return s.changeMedia(ctx, key, func(now *catalog.Media) {
		now.Uploaded, now.Bytes = true, size
		now.Width, now.Height, now.Frames, now.FrameRate, now.Duration = d.Width, d.Height, d.Frames, d.FrameRate, d.Duration
	})
}

// mediaKey returns the name in Blobs of the file of a movie or image.
func mediaKey(k storage.Key) string { return catalog.FileName(k.Kind, k.ID, "") }

// OpenMedia opens the uploaded file of a movie or image (kind is storage.Movies or storage.Images). A
// file that has not been uploaded is ErrConflict. The caller closes the file.
func (s *Service) OpenMedia(ctx context.Context, owner string, kind storage.Kind, id int64) (storage.Blob, error) {
	if !catalog.Of(kind).Media() {
		return nil, fmt.Errorf("%w: %s have no uploaded file", ErrInvalid, kind)
	}
	r, err := s.cfg.Store.Get(ctx, storage.Key{Owner: owner, Kind: kind, ID: id})
	if err != nil {
		return nil, err
	}
	if _, ok, err := catalog.FileOf(r); err == nil && !ok {
		return nil, notUploaded(r.Key)
	}
	return s.keeper.OpenFile(ctx, r)
}

// placeWait is how long a request waits for a place in which a file is decoded.
const placeWait = 18 * time.Second

// place waits for one of the places, and returns ErrUnavailable if that takes too long.
func place(ctx context.Context, places *fair.Places, owner string) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, placeWait)
	defer cancel()
	if leave, err = places.Take(waiting, owner); err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: too many files are being decoded for requests", ErrUnavailable)
	}
	return leave, err
}

// probe sets the properties in the file's headers. If the file cannot be decoded, it leaves d
// as it is.
func (s *Service) probe(ctx context.Context, key storage.Key, d *catalog.Media) error {
	leave, err := place(ctx, s.probes, key.Owner)
	if err != nil {
		return err
	}
	defer leave()
	blob, err := s.cfg.Blobs.Open(ctx, mediaKey(key))
	if err != nil {
		return err
	}
	defer blob.Close()
	if key.Kind == storage.Images {
		size, err := s.cfg.Limits.pictures(s.cfg.Decoder, nil).Probe(ctx, blob)
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
		d.Width, d.Height = info.Size.X, info.Size.Y
		d.Frames, d.FrameRate, d.Duration = info.Frames, info.FrameRate, info.Duration
	}
	return notFormat(err)
}

// Stills calls use with a function that returns the upright picture of a frame of an uploaded movie,
// counted from 0, or that of an image as frame 0; draw/sheet.Draw takes such a function. Frames have to
// be asked for in ascending order, and each picture is valid until another one is asked for. Decoding
// stops after the last one. Stills returns use's errors, ErrConflict for a file that has not been
// uploaded or cannot be decoded, and ErrUnavailable if too many others decode for too long.
func (s *Service) Stills(ctx context.Context, owner string, kind storage.Kind, id int64, use func(picture func(frame int) (image.Image, error)) error) error {
	leave, err := place(ctx, s.looks, owner)
	if err != nil {
		return err
	}
	defer leave()
	f, err := s.OpenMedia(ctx, owner, kind, id)
	if err != nil {
		return err
	}
	defer f.Close()
	if kind == storage.Images {
		err = s.cfg.Limits.pictures(s.cfg.Decoder, s.turn).Use(ctx, f, func(img image.Image) error {
			return use(func(int) (image.Image, error) { return img, nil })
		})
	} else {
		err = film.UseStills(ctx, s.cfg.Decoder, f, s.cfg.Limits.check, use)
	}
	if err != nil {
		err = s.mediaFailure(ctx, storage.Key{Owner: owner, Kind: kind, ID: id}, err)
	}
	if failure := new(worker.Failure); errors.As(err, &failure) {
		err = fmt.Errorf("%w: %s", ErrConflict, failure.Detail)
	}
	return err
}

// correctMedia replaces what a movie's headers promised by what was decoded.
func (s *Service) correctMedia(ctx context.Context, key storage.Key, seq keypoint.Sequence) error {
	if key.Kind != storage.Movies {
		return nil
	}
	_, err := s.changeMedia(ctx, key, func(d *catalog.Media) {
		d.Width, d.Height, d.Frames = seq.Size.X, seq.Size.Y, seq.Len()
	})
	return ignoreConflict(err) // it may have been deleted in the meantime
}

// notUploaded is the error of media without a file.
func notUploaded(key storage.Key) error {
	return fmt.Errorf("%w: the file of %s %d has not been uploaded yet: put it to its uploadUrl first", ErrConflict, catalog.Of(key.Kind).Singular, key.ID)
}

// notFormat drops errors about the file and returns those of the service.
func notFormat(err error) error {
	for _, kind := range []error{inference.ErrFormat, inference.ErrTooManyPixels, inference.ErrTooManyFrames, inference.ErrTooSlow} {
		if errors.Is(err, kind) {
			return nil
		}
	}
	return err
}

// MediaChange is a change of a movie's or image's record.
type MediaChange struct {
	Name *string // at most 1,000 bytes; nil leaves it, "" removes it
	Text *string // at most 10,000 bytes; nil leaves it, "" removes it
}

// ChangeMedia changes the name and the text of a movie or image (kind is storage.Movies or
// storage.Images). Its results stay.
func (s *Service) ChangeMedia(ctx context.Context, owner string, kind storage.Kind, id int64, change MediaChange) (Media, error) {
	if !catalog.Of(kind).Media() {
		return Media{}, fmt.Errorf("%w: %s have no name", ErrInvalid, kind)
	}
	if err := change.check(); err != nil {
		return Media{}, err
	}
	return s.changeMedia(ctx, storage.Key{Owner: owner, Kind: kind, ID: id}, func(d *catalog.Media) {
		if change.Name != nil {
			d.Name = *change.Name
		}
		if change.Text != nil {
			d.Text = *change.Text
		}
	})
}

// changeMedia reads the data of a media record, changes it and writes it back. If another
// change came between, perhaps of another process, it starts over: no change is lost.
func (s *Service) changeMedia(ctx context.Context, key storage.Key, change func(*catalog.Media)) (Media, error) {
	for {
		r, err := s.cfg.Store.Get(ctx, key)
		if err != nil {
			return Media{}, err
		}
		var d catalog.Media
		if err := catalog.Decode(r, &d); err != nil {
			return Media{}, err
		}
		before := d
		if change(&d); d == before {
			return mediaOf(r)
		}
		if r.Data, err = json.Marshal(d); err != nil {
			return Media{}, err
		}
		if r, err = s.cfg.Store.Update(ctx, r, r.Status); err == nil {
			return mediaOf(r)
		}
		// Each conflict means that another change has succeeded.
		if !errors.Is(err, ErrConflict) {
			return Media{}, err
		}
	}
}

func (c MediaChange) check() error {
	for _, f := range []struct {
		name  string
		value *string
		most  int
	}{{"name", c.Name, 1000}, {"text", c.Text, 10_000}} {
		switch {
		case f.value == nil:
		case len(*f.value) > f.most:
			return badRequest(f.name, "is %d bytes long, want at most %d", len(*f.value), f.most)
		case !utf8.ValidString(*f.value):
			return badRequest(f.name, "is not valid UTF-8")
		}
	}
	return nil
}

// Clock returns the duration of a movie as HH:MM:SS, rounded half up to the second.
func Clock(seconds float64) string {
	n := int64(math.Floor(max(seconds, 0) + 0.5))
	return fmt.Sprintf("%02d:%02d:%02d", n/3600, n/60%60, n%60)
}
