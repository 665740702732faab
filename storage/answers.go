package storage

import (
	"context"
	"time"
)

// Request is a request that its client may repeat, for example because the connection was lost before the answer arrived.
type Request struct {
	Owner string   // the client, any text but ""
	Key   string   // the client's name for the request
	Hash  [32]byte // of what the client asks for
}

// Reservation is the answer to a Request, or the right to make it.
type Reservation struct {
	ID     int64    // of a new reservation, never given again; 0 if the key is in use
	Lapsed bool     // a new reservation of a key of which an earlier one has lapsed: its request may have been executed
	Hash   [32]byte // of the request that uses the key
	Answer []byte   // to that request; nil while it is in progress
}

// AnswerKeeper is an optional interface of stores that keep the answers to requests, so that a
// request that is repeated is not executed again, in whichever process it arrives.
//
// Promises, tested by storagetest.AnswerKeeper:
//   - Methods may be called from many goroutines and, if the Store can, from many processes. Of
//     several concurrent calls with the same owner and key, one gets the reservation.
//   - What a method has returned without error survives a crash, unless the driver documents
//     that it keeps its records in memory.
//   - Keys belong to their owner. Byte slices are not shared with the store.
type AnswerKeeper interface {
	// ReserveAnswer returns what is kept for the owner and key, or a new reservation. The reservation lapses after the lease, so
	// that the death of a process does not block the key: another call then gets a new one. Of an owner's reservations and answers,
	// those that were reserved last are kept, at most keys; keys below 1 is ErrInvalid.
	ReserveAnswer(ctx context.Context, r Request, lease time.Duration, keys int) (Reservation, error)

	// KeepAnswer keeps the answer, which is not empty, for a time. It does nothing if the reservation no longer exists, or has an answer.
	KeepAnswer(ctx context.Context, id int64, answer []byte, keep time.Duration) error

	// ReleaseAnswer removes a reservation without an answer, so that its key can be used again. It returns nil if there is none.
	ReleaseAnswer(ctx context.Context, id int64) error

	// ForgetAnswers removes the answers of an owner. Their keys are then as those of reservations that have just lapsed.
	ForgetAnswers(ctx context.Context, owner string) error

	// ExpireAnswers removes the answers whose time is over, and reservations a day after that, so that
	// Reservation.Lapsed tells of them. The other methods ignore both in any case.
	ExpireAnswers(ctx context.Context) error
}
