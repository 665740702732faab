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
// Any number of processes may share a schema, and may open it at the same moment.
// PgBouncer, or another pooler, may stand between, in session mode or in transaction mode,
// where one connection to the server is enough for all of them: Open sees that it does and
// prepares no statements, and Work looks for new jobs each QueueOptions.Poll instead of being
// told of them. Neither needs a setting. To parse each statement anew costs some 0.2 ms;
// where the pooler keeps prepared statements, default_query_exec_mode=cache_statement in the
// address uses them. PgBouncer's own server_login_retry is better 1 than its 15 s, for which
// it takes a server that has come back for gone: a commit whose connection broke is asked
// after for ten.
// Records of one owner and kind are created, and change their status, one transaction after
// the other, because they share their count.
//
// # Speed
//
// Measured on two busy cores of a Xeon over a socket, with a disk that syncs in a
// millisecond or two. A page of 20 with its total takes 0.13 ms, of 1,000 records and of a
// million; page 5,000 of a million takes 0.31 ms and the last one, page 50,000, 0.40 ms
// (BenchmarkPages). Every write waits for one sync of the server's disk: some 400 records/s
// are created, one after the other, and a record without a result is read in 0.05 ms
// (BenchmarkStore).
package postgres
