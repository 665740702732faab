// Package sqlite keeps records in one SQLite file: storage for one machine, without a
// server and without cgo.
//
// What a method has returned without error survives a crash of the process and of the
// system, and a loss of power as far as the disk keeps its word: SQLite writes ahead
// into a second file, which is synced at every commit (synchronous=FULL; on macOS
// F_FULLFSYNC). synchronous=NORMAL would write three times as fast and lose the last
// seconds with the power.
//
// Several Stores, in one process or in many, may have the file open at once. It must lie
// on a local disk: SQLite's write-ahead log does not work over a network. Beside the
// file lie two more, whose names end in -wal and -shm, while it is open and after a
// crash: they belong to it and must be moved or copied with it.
//
// Errors: storage.ErrUnavailable where the disk is full or fails, and where another
// process holds the file for longer than Options.Wait.
package sqlite
