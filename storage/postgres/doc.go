// Package postgres keeps records and jobs in PostgreSQL 13 or newer, for many machines. Its Queue uses River
// (riverqueue.com). All tables, including River's, are in one schema:
//
//	store, err := postgres.Open(ctx, "postgres://motion@db/motion", postgres.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	queue, err := postgres.NewQueue(ctx, store, postgres.QueueOptions{})
//
// Any number of processes may share a schema, and may open it at the same time. What a method has returned without
// error survives a crash of the process, and a crash of the server unless its setting synchronous_commit is off. A
// record and its job are created in one transaction: see storage.JobCreator. A process that works on a job holds a
// lease and renews it: if the process dies, another one takes over the job when the lease expires. If it lives but
// cannot reach the server, the contexts of its handlers end before their leases expire.
//
// storage.ErrUnavailable means that the server cannot be reached, shuts down, is full, or has refused a transaction
// that may be tried again. If the connection breaks during a commit, the call asks the server over a new connection
// whether the transaction was committed. Only if the server does not come back within ten seconds is that unknown.
//
// PgBouncer or another pooler may be in between, in session mode or in transaction mode. Open detects it and prepares
// no statements, and Work polls for new jobs (QueueOptions.Poll). If the pooler keeps prepared statements, set
// default_query_exec_mode=cache_statement in the address. Set PgBouncer's server_login_retry to 1: with its default of
// 15 s, a server that has come back seems to be away for longer than a commit waits.
package postgres
