package server

// long is the help of the command.
const long = `Serve the page on which people upload, look at and compare recordings, and the v1 HTTP API, and work on
its jobs: the page is at /, the API at /anymotion/v1/, tokens are at /oauth/v1/accesstokens, and live
pictures at /anymotion/v1/live/.

On a loopback address, a line at the start has the address of the page with a key: a browser that opens it gets
a token of the first --client and sees that client's records. The browser keeps the key, which stays the same
as long as the key of the server does. Without it, with --login, and on any other address, the page asks for
a client's id and secret. So it does with --base-url, which is required behind a proxy.

Files are kept in the folder of --data, records in a SQLite file there. Both survive a crash: a server that
is started again with the same folder continues the unfinished jobs. Only one server at a time may use a
folder or a SQLite file. With --db memory, records and files are lost when the process ends.

With a postgres:// address as --db, any number of processes share records and jobs, and --blobs is a folder
or an S3 bucket that all of them reach. Each process needs its own --data. PgBouncer and other poolers are
detected.

/healthz answers 200 while the process lives. /readyz answers 503 from the start of the shutdown, and while
the database or the files do not answer; its text says which. /metrics of --ops is for Prometheus, and
counts the waiting and running jobs of all processes.

After SIGTERM a process refuses new requests and finishes running requests and jobs, for at most --grace.
Unfinished jobs go back to the queue; this does not count as an attempt. The process ends at most 2 s after
--grace, whatever a job or request does, and at once with a second signal.

Everybody on the machine can read the flags of a process. Settings with secrets can therefore be given in
the environment, from which the server removes them before it starts FFmpeg:

  MOTION_KEY     signs tokens and links, at least 16 bytes. Servers behind one address need the same key;
                 default: made once and kept in the file key in the folder of --data
  MOTION_CLIENT  instead of --client: ID:SECRET, several separated by spaces
  MOTION_DB, MOTION_BLOBS
                 instead of --db and --blobs
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION
                 for --blobs s3://…`
