// Package sqlite keeps records in one SQLite file: storage for one machine, without a
// server and without cgo.
//
// # Crashes
//
// What a method has returned without error survives a crash of the process and of the
// system, and a loss of power as far as the disk keeps its word: SQLite writes ahead
// into a log, which is synced at every commit (synchronous=FULL; on macOS with
// F_FULLFSYNC). There is no option for synchronous=NORMAL, which only syncs now and then and
// writes three times as fast: a crash of the process would lose nothing, but one of the
// system would take the last commits back.
//
// # Sharing
//
// Several Stores, in one process or in many, may have the file open at once. One writes
// at a time and the others wait, those that read do not. The file must lie on a local
// disk: SQLite's log does not work over a network. Beside it lie two more, whose names
// end in -wal and -shm, while it is open and after a crash. They belong to it: a copy
// without them lacks the latest records.
//
// A Store opens the file itself and does not take the caller's *sql.DB: the promises
// hang on settings that every single connection needs.
//
// # Errors
//
// storage.ErrUnavailable means that the disk is full or fails, or that another process
// has been writing for longer than Options.Wait.
//
// # Speed
//
// Every write waits for one sync of the disk: 4,800 records/s, one after the other, where
// that takes 0.2 ms. On two cores of a Xeon, a page of 20 with its total takes 0.07 ms, of
// 1,000 records and of a million; page 5,000 of a million takes 0.11 ms and the last one,
// page 50,000, 0.29 ms (BenchmarkStore, BenchmarkPages).
//
// The driver is github.com/ncruces/go-sqlite3. Measured with this schema, it writes as
// fast as modernc.org/sqlite does (both wait for the disk), lists a page in 0.072 ms
// instead of 0.058, writes and reads results of megabytes in 0.5 and 0.7 of the time, and
// brings a tenth of the code along.
package sqlite
