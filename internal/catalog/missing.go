package catalog

import (
	"fmt"

	"github.com/bodymotion/motion/storage"
)

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
