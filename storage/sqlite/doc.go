// Package sqlite keeps records in one SQLite file, for one machine, without a server and without cgo:
//
//	store, err := sqlite.Open("motion.db", sqlite.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//
// What a method has returned without error survives a crash of the process and of the system, and a loss of power if
// the disk syncs as it says: SQLite syncs its log at every commit (synchronous=FULL; on macOS with F_FULLFSYNC).
//
// Several Stores, in one process or in many, may open the file at once. One writes at a time while the others wait; readers do not
// wait. The file must be on a local disk: SQLite's log does not work over a network. While the file is open, and after a crash, two
// more files whose names end in -wal and -shm belong to it: a copy without them lacks the latest records. storage.ErrUnavailable
// means that the disk is full or fails, or that another process has been writing for longer than Options.Wait. A file whose name
// ends in -room keeps back 4 MiB, so that records can be deleted on a full disk; Store.Check tells that it is full.
package sqlite
