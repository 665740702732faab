package ffexec

// ThreadsFor returns Threads for a machine of cores, of which some may be used.
var ThreadsFor = threads
