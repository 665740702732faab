package motion

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/bodymotion/motion/storage"
)

// MediaChange says what of a movie's or image's record becomes another.
type MediaChange struct {
	Name *string // at most 1,000 bytes; nil leaves it, "" removes it
	Text *string // at most 10,000 bytes; nil leaves it, "" removes it
}

// ChangeMedia changes the name and the text of a movie or image (kind is storage.Movies or
// storage.Images). Results that were made from it stay.
func (s *Service) ChangeMedia(ctx context.Context, owner string, kind storage.Kind, id int64, change MediaChange) (Media, error) {
	if kind != storage.Movies && kind != storage.Images {
		return Media{}, fmt.Errorf("%w: %s have no name", ErrInvalid, kind)
	}
	if err := change.check(); err != nil {
		return Media{}, err
	}
	return s.changeMedia(ctx, storage.Key{Owner: owner, Kind: kind, ID: id}, func(d *mediaData) {
		if change.Name != nil {
			d.Name = *change.Name
		}
		if change.Text != nil {
			d.Text = *change.Text
		}
	})
}

// changeMedia reads the data of a media record, changes them and writes them back. Where
// somebody else, perhaps in another process, has changed the record in between, it does so
// again with what that has left: no change undoes another one.
func (s *Service) changeMedia(ctx context.Context, key storage.Key, change func(*mediaData)) (Media, error) {
	for {
		var d mediaData
		r, err := s.get(ctx, key, &d)
		if err != nil {
			return Media{}, err
		}
		before := d
		if change(&d); d == before {
			return d.media(r), nil
		}
		r, err = s.update(ctx, r, r.Status, d)
		if err == nil {
			return d.media(r), nil
		}
		// Each conflict is a change of somebody else's that has got through.
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
