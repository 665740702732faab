package motion

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/image/tiff"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// Media is a registered movie or image.
type Media struct {
	ID   int64
	Kind storage.Kind // storage.Movies or storage.Images
	NewMedia
	CreatedAt, UpdatedAt time.Time

	Uploaded bool // the file was uploaded

	// Info is about the uploaded file: zero before the upload, and if the file is not a movie or image that can be decoded.
	// Size is that of the upright picture; the others are of a movie, from the headers, and then as decoded by an extraction.
	inference.Info
}

// NewMedia is a request to register a movie or an image.
type NewMedia struct {
	Name       *string `json:"name,omitempty"` // optional, at most 1,000 bytes
	Text       *string `json:"text,omitempty"` // optional description, at most 10,000 bytes
	ContentMD5 string  `json:"contentMd5"`     // required: the MD5 of the file, base64 of its 16 bytes or 32 hex digits

	Recording `json:"-"`
	Key       Key `json:"-"` // of requests; a record has none
}

type mediaForm = catalog.Form[NewMedia, inference.Info]

func mediaOf(r storage.Record) (Media, error) {
	var d mediaForm
	err := catalog.Decode(r, &d)
	told, file := aboutOf(d.About)
	d.Request.Recording, d.Outcome.Recorded = told.Recording, file
	return Media{
		ID: r.ID, Kind: r.Kind, NewMedia: d.Request, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Uploaded: d.File != nil, Info: d.Outcome,
	}, err
}

// Filmed returns when the recording began, as the client says, or else the file; zero if neither does.
func (m Media) Filmed() time.Time { return cmp.Or(m.RecordedAt, m.Recorded) }

// checkMedia returns ErrInvalid unless records of a kind are movies or images.
func checkMedia(kind storage.Kind) error {
	if !catalog.Of(kind).Media() {
		return fmt.Errorf("%w: %s are neither movies nor images", ErrInvalid, kind)
	}
	return nil
}

// mediaRecord returns the record of a movie or image. Another kind is an ErrInvalid.
func (s *Service) mediaRecord(ctx context.Context, owner string, kind storage.Kind, id int64) (storage.Record, error) {
	if err := checkMedia(kind); err != nil {
		return storage.Record{}, err
	}
	return s.cfg.Store.Head(ctx, storage.Key{Owner: owner, Kind: kind, ID: id})
}

// RegisterMedia creates a record for a movie or image (kind is storage.Movies or storage.Images, as in all
// methods about media) whose file is uploaded later.
func (s *Service) RegisterMedia(ctx context.Context, owner string, kind storage.Kind, m NewMedia) (Media, error) {
	if err := cmp.Or(checkMedia(kind), m.check()); err != nil {
		return Media{}, err
	}
	if err := s.checkSubject(ctx, owner, m.SubjectID); err != nil {
		return Media{}, err
	}
	form := mediaForm{Request: m}
	form.About = About{Recording: m.Recording}.stored(nil)
	return create(ctx, s, owner, kind, m.Key, form, mediaOf)
}

func (m NewMedia) check() error {
	err := cmp.Or(m.checkTexts(), m.Recording.check())
	if _, ok := catalog.ParseMD5(m.ContentMD5); err == nil && !ok {
		err = badRequest("contentMd5", "%q is not an MD5: want base64 of its 16 bytes or 32 hexadecimal digits", m.ContentMD5)
	}
	return err
}

func (m NewMedia) checkTexts() error {
	var name, text string
	set(&name, m.Name)
	set(&text, m.Text)
	return cmp.Or(checkText("name", name, 1000), checkText("text", text, 10_000))
}

// GetMedia returns the record of a movie or image.
func (s *Service) GetMedia(ctx context.Context, owner string, kind storage.Kind, id int64) (Media, error) {
	return typedOf(mediaOf)(s.mediaRecord(ctx, owner, kind, id))
}

// ListMedia returns a page of the owner's movies or images, newest first, and the number of all.
func (s *Service) ListMedia(ctx context.Context, owner string, kind storage.Kind, page Page) ([]Media, int, error) {
	if err := checkMedia(kind); err != nil {
		return nil, 0, err
	}
	page.Status = ""
	return list(ctx, s, owner, kind, page, mediaOf)
}

// UploadMedia stores the file of a registered movie or image. It reads r to its end. If the content has another MD5, the error
// is ErrInvalid; if it exceeds Limits.UploadBytes, ErrTooLarge; nothing is stored then. The same file may be uploaded again.
//
// A file that is no movie or image is stored all the same: its extraction fails and says why. If too many other
// files are being examined for too long, the error is ErrUnavailable: upload it again.
func (s *Service) UploadMedia(ctx context.Context, owner string, kind storage.Kind, id int64, r io.Reader) (Media, error) {
	if s.cfg.Role == WorkOnly {
		return Media{}, errWorkOnly
	}
	record, err := s.mediaRecord(ctx, owner, kind, id)
	if err != nil {
		return Media{}, err
	}
	m, err := mediaOf(record)
	if err != nil {
		return Media{}, err
	}
	sum, _ := catalog.ParseMD5(m.ContentMD5)
	name := catalog.FileName(kind, id, "")
	put, err := s.cfg.Blobs.Put(ctx, name, r, storage.PutOptions{MD5: sum, MaxSize: s.cfg.Limits.UploadBytes})
	if err != nil {
		return Media{}, err
	}
	info, err := s.probe(ctx, record.Key, name)
	if err == nil {
		m, err = s.changeMedia(ctx, record, func(d *mediaForm) {
			d.File, d.Outcome = &catalog.File{Size: put.Size, MD5: sum}, info
			told, _ := aboutOf(d.About)
			d.About = told.stored(&catalog.About{Filmed: storable(info.Recorded)})
		})
	}
	if errors.Is(err, ErrNotFound) { // deleted in the meantime
		err = errors.Join(err, s.keeper.DeleteFiles(ctx, record.Key))
	}
	return m, err
}

// AddFile registers a file on the disk and uploads it. Without a Name the record has the file's; ContentMD5 is optional here.
// After an error no record is left.
func (s *Service) AddFile(ctx context.Context, owner string, kind storage.Kind, path string, m NewMedia) (Media, error) {
	f, err := os.Open(path)
	if err != nil {
		return Media{}, err
	}
	defer f.Close()
	hash := md5.New()
	_, err = io.Copy(hash, f)
	if _, back := f.Seek(0, io.SeekStart); err != nil || back != nil {
		return Media{}, cmp.Or(err, back)
	}
	m.Name = cmp.Or(m.Name, new(filepath.Base(path)))
	m.ContentMD5 = cmp.Or(m.ContentMD5, hex.EncodeToString(hash.Sum(nil)))
	added, err := s.RegisterMedia(ctx, owner, kind, m)
	if err != nil {
		return Media{}, err
	}
	uploaded, err := s.UploadMedia(ctx, owner, kind, added.ID, f)
	if err != nil && !added.Uploaded {
		err = errors.Join(err, s.DeleteRecord(context.WithoutCancel(ctx), owner, kind, added.ID))
	}
	return uploaded, err
}

// OpenMedia opens the uploaded file of a movie or image. A file that has not been uploaded is ErrConflict. The caller closes the file.
func (s *Service) OpenMedia(ctx context.Context, owner string, kind storage.Kind, id int64) (storage.Blob, error) {
	r, err := s.mediaRecord(ctx, owner, kind, id)
	if err != nil {
		return nil, err
	}
	return s.keeper.OpenFile(ctx, r, notUploaded(r.Key))
}

// examineTime is how long an upload waits for what is known of a movie; its extraction finds out more.
const examineTime = 15 * time.Second

// decoding is what requests do in the places of a Service.
const decoding = "files are being decoded for requests"

// probe reads the headers of a file; zero if it cannot be decoded.
func (s *Service) probe(ctx context.Context, key storage.Key, name string) (info inference.Info, err error) {
	leave, err := s.probes.Enter(ctx, key.Owner, decoding)
	if err != nil {
		return info, err
	}
	defer leave()
	blob, err := s.cfg.Blobs.Open(ctx, name)
	if err != nil {
		return info, err
	}
	defer blob.Close()
	if key.Kind == storage.Images {
		if info.Size, err = s.cfg.Limits.pictures(s.cfg.Decoder, nil).Probe(ctx, blob); err == nil {
			info.Recorded, err = inference.ImageRecorded(blob)
		}
	} else if s.cfg.Decoder != nil {
		limited, cancel := context.WithTimeout(ctx, examineTime)
		defer cancel()
		if info, err = s.cfg.Decoder.Probe(limited, blob); err != nil && ctx.Err() == nil && limited.Err() != nil {
			err = inference.ErrTooSlow
		}
	}
	for _, kind := range []error{inference.ErrFormat, inference.ErrTooManyPixels, inference.ErrTooManyFrames, inference.ErrTooSlow} {
		if errors.Is(err, kind) {
			return inference.Info{}, nil
		}
	}
	if info.Recorded.Before(oldest) || info.Recorded.After(time.Now().Add(24*time.Hour)) {
		info.Recorded = time.Time{}
	}
	return info, err
}

// oldest is before any digital recording, and after the times at which clocks that nobody has set begin: 1904, 1970, 1980.
var oldest = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)

// UseStills calls use with a function that returns the upright picture of a frame of an uploaded movie, counted from 0, or that of
// an image as frame 0; draw/sheet.Draw takes such a function. Frames have to be asked for in ascending order, and each picture is
// valid until another one is asked for. Frames of more pixels than Limits.FramePixels allow are scaled down. Decoding stops after the
// last one. UseStills returns use's errors, ErrConflict for a file that has not been uploaded or cannot be decoded, and
// ErrUnavailable if too many others decode for too long.
func (s *Service) UseStills(ctx context.Context, owner string, kind storage.Kind, id int64, use func(picture func(frame int) (image.Image, error)) error) error {
	if use == nil {
		return fmt.Errorf("%w function: it is nil", ErrInvalid)
	}
	leave, err := s.looks.Enter(ctx, owner, decoding)
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
		err = film.UseStills(ctx, film.Within(s.cfg.Decoder, s.cfg.Limits.FramePixels), f, s.cfg.Limits.check, use)
	}
	if err != nil {
		err = s.mediaFailure(ctx, storage.Key{Owner: owner, Kind: kind, ID: id}, err)
	}
	switch failure := new(worker.Failure); {
	case errors.As(err, &failure):
		err = fmt.Errorf("%w: %s", ErrConflict, failure.Detail)
	case errors.Is(err, inference.ErrTooSlow): // a movie, and a busy machine
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// notUploaded is the error of media without a file.
func notUploaded(key storage.Key) error {
	return fmt.Errorf("%w: the file of %s %d has not been uploaded yet: put it to its uploadUrl first", ErrConflict, catalog.Of(key.Kind).Singular, key.ID)
}

// MediaUpdate is a change of a movie's or image's record: nil leaves a member as it is.
type MediaUpdate struct {
	Name *string // at most 1,000 bytes
	Text *string // at most 10,000 bytes
	RecordingUpdate
}

func (c MediaUpdate) apply(m *NewMedia) {
	m.Name, m.Text = cmp.Or(c.Name, m.Name), cmp.Or(c.Text, m.Text)
	c.RecordingUpdate.apply(&m.Recording)
}

// UpdateMedia changes the record of a movie or image. Its results stay. A RecordingUpdate is one of its keypoints, too.
func (s *Service) UpdateMedia(ctx context.Context, owner string, kind storage.Kind, id int64, change MediaUpdate) (Media, error) {
	var wanted NewMedia
	change.apply(&wanted)
	if err := cmp.Or(checkMedia(kind), wanted.checkTexts(), wanted.Recording.check()); err != nil {
		return Media{}, err
	}
	r, err := s.mediaRecord(ctx, owner, kind, id)
	if err == nil {
		err = s.checkSubject(ctx, owner, wanted.SubjectID)
	}
	if err != nil {
		return Media{}, err
	}
	m, err := s.changeMedia(ctx, r, func(d *mediaForm) {
		told, _ := aboutOf(d.About)
		d.Request.Recording = told.Recording
		change.apply(&d.Request)
		d.About = About{Recording: d.Request.Recording}.stored(d.About)
	})
	if err == nil {
		err = s.changeMade(ctx, r.Key, change.RecordingUpdate)
	}
	return m, err
}

// changeMedia changes a media record and writes it back.
func (s *Service) changeMedia(ctx context.Context, r storage.Record, change func(*mediaForm)) (Media, error) {
	return typedOf(mediaOf)(s.change(ctx, r, s.cfg.Store.Head, func(r storage.Record) (storage.Record, error) {
		var d mediaForm
		err := catalog.Decode(r, &d)
		if err == nil {
			change(&d)
			r.Data, err = json.Marshal(d)
		}
		return r, err
	}))
}

// mediaFailure returns the error of work on the file of a movie or image: that the file is damaged,
// or else what Limits.mediaFailure makes of the error. It reads the file.
func (s *Service) mediaFailure(ctx context.Context, key storage.Key, err error) error {
	if ctx.Err() != nil || errors.Is(err, ErrUnavailable) {
		return err
	}
	if damage := s.keeper.CheckFile(ctx, key); damage != nil {
		return fmt.Errorf("%w (%w)", damage, err)
	}
	return s.cfg.Limits.mediaFailure(key.Kind, err)
}

// tiffAdvice is what the failure of a TIFF picture of a kind that is not read says besides.
const tiffAdvice = " TIFF in CMYK or YCbCr, or with JPEG inside, is not read: save it as PNG, JPEG or TIFF in RGB."

// mediaFailure turns an error of decoding into the failure that the interface specifies, and returns all other errors as they are.
func (l Limits) mediaFailure(kind storage.Kind, err error) error {
	format := "The image format is not supported."
	if _, kind := errors.AsType[tiff.UnsupportedError](err); kind {
		format += tiffAdvice
	}
	pixels := fmt.Sprintf("The total number of pixels in the image file has to be less than %s.", count(l.ImagePixels))
	slow := fmt.Sprintf("The time for decoding the image file has to be less than %g seconds.", l.ImageTime.Seconds())
	if kind == storage.Movies {
		slow = "" // that is the machine's fault: the work is tried again
		format = "The video format is not supported."
		pixels = fmt.Sprintf("The total number of pixels in a single frame of the video file has to be less than %s.", count(l.FramePixels))
	}
	for _, f := range []struct {
		of     error
		detail string
	}{
		{inference.ErrFormat, format},
		{inference.ErrTooManyPixels, pixels},
		{inference.ErrTooManyScans, fmt.Sprintf("The total number of scans in the image file has to be at most %d.", inference.MaxScans)},
		{inference.ErrTooSlow, slow},
		{inference.ErrTooManyFrames, fmt.Sprintf("The total number of frames in the video file has to be less than %s.", count(l.Frames))},
		{inference.ErrNoFinder, "The service cannot tell several people apart."},
	} {
		if errors.Is(err, f.of) && f.detail != "" {
			return &worker.Failure{Detail: f.detail, Cause: err}
		}
	}
	return err
}

// count writes a limit as the interface does: 12200000 is "12.2 million".
func count(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%.4g million", float64(n)/1e6)
	}
	return fmt.Sprint(n)
}
