package server

// long is the help of the command.
const long = `Serve the page, on which people upload, look at and compare recordings, and the v1 HTTP API, and work
on its jobs.

The page is at /, the API at /anymotion/v1/, the token endpoint at /oauth/v1/accesstokens. A process that
serves and works also takes live pictures, at /anymotion/v1/live/.
/healthz answers 200 while the process lives. /readyz answers 503 from the start of the shutdown,
and while the database or the files do not answer; its text says which.
--ops is another address, for Prometheus at /metrics and for the two checks.

On a loopback address, the page gets a token of the first --client by itself: everybody who
can open the page on this machine sees that client's records. With --login, and on any other
address, the page asks for a client's id and secret. So it does with --base-url, which is
required behind a proxy: the proxy makes all requests look local. A line at the start says who
may do what.

ONE PROCESS

Media and drawings are stored in the folder of --data, records in the SQLite file --db, by default motion.db there. Both survive a crash: a server that is started again with the same folder and file
continues the unfinished jobs. Records belong to the client's ID: to see them again, give the
same one with --client. With --db memory, records and files are lost when the process ends.
Only one server at a time may use a folder or a SQLite file.

MANY PROCESSES

With a postgres:// address as --db, any number of processes share records and jobs. --blobs is
then a folder or an S3 bucket that all of them can reach, s3://BUCKET/PREFIX?endpoint=URL,
with the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Each process needs its
own --data. A process with --role serve only serves requests, one with --role work only works on
jobs; the latter has /metrics, /healthz and /readyz at --addr.

SECRETS

Everybody on the machine can read the flags of a process. Settings with secrets can therefore
be given in the environment: MOTION_DB, MOTION_BLOBS and MOTION_CLIENT (ID:SECRET, separated
by spaces) instead of --db, --blobs and --client. The server removes them, and the keys of S3, from
its environment before it starts FFmpeg.

Tokens and links are signed with a key that the server makes once and keeps in the file key in
the folder of --data, so they stay valid after a restart. MOTION_KEY, at least 16 bytes, takes its place. Servers
behind one address need the same MOTION_KEY: tokens and links of one are then valid in all.

BEHIND A POOLER

The server detects PgBouncer or another pooler; no setting is needed. It then polls for new
jobs every --poll instead of being notified.

At /metrics of a process that serves, motion_jobs_waiting and motion_jobs_running count the
jobs of all processes, for scaling the number of workers.

RETENTION

Records are kept for ever unless --keep is set: --keep drawings=12h,all=30d removes drawings 12
hours and all other records 30 days after their last change, but no record before those made
from it. --orphans removes files without a record, for example after a database was restored
from an old copy. Processes that work do both when they start and every --upkeep; with many
workers, give most of them --upkeep 0. --min-free keeps a part of the disk free.

SHUTDOWN

After SIGTERM a process drains for at most --grace: it refuses new requests and finishes
running requests and jobs. Unfinished jobs go back to the queue, where other processes take
them at once; this does not count as an attempt. A new version may be started before the old
one ends. The process ends at most 2 s after --grace, whatever a job or request does, and at once
with a second signal.

ENVIRONMENT

For what no other user of the machine may read:

  MOTION_KEY    signs tokens and links, at least 16 bytes
  MOTION_CLIENT, MOTION_DB, MOTION_BLOBS
                instead of --client, --db and --blobs; several clients are separated by spaces
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION
                for --blobs s3://…`
