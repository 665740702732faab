// Package postgres keeps records and work in PostgreSQL 13 or newer: storage for many
// machines. Store is the storage.Store, Queue the storage.Queue, which is made of River
// (riverqueue.com). All tables, River's too, lie in one schema of their own.
//
//	store, err := postgres.Open(ctx, "postgres://motion@db/motion", postgres.Options{})
//	queue, err := postgres.NewQueue(ctx, store, postgres.QueueOptions{})
//
// # Crashes
//
// What a method has returned without error survives a crash of the process, and one of
// the server as far as its settings keep what is committed (synchronous_commit, which is on
// by default). A record and its job are created in one transaction: see
// storage.JobCreator.
//
// A job belongs to the process that works on it for a lease, which that process renews.
// When the process dies, another one takes the job over when the lease has run out
// (QueueOptions.Lease). When the process lives and cannot reach the server, the context of
// its handlers ends before their leases do.
//
// # Errors
//
// storage.ErrUnavailable means that the server cannot be reached, goes down, is full, or has
// refused a transaction that may be tried again. Where the connection breaks while a
// transaction is committed, the call asks the server over a new connection what has become
// of it; only where the server does not come back for ten seconds is the outcome unknown.
//
// # Sharing
//
// Any number of processes may share a schema, and may open it at the same moment. PgBouncer
// may stand between, in whatever mode the pool's settings for prepared statements allow.
// Records of one owner and kind are created, and change their status, one transaction after
// the other, because they share their count.
package postgres
