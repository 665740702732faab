package program

// WatchMemory kills a program that takes too much memory, on systems without a limit for it.
var WatchMemory = watchMemory
