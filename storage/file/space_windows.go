package file

import (
	"os"
	"syscall"
	"unsafe"
)

// noSpace are the errors of a full disk: ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
var noSpace = []error{syscall.Errno(39), syscall.Errno(112)}

var getDiskFreeSpaceEx = syscall.NewLazyDLL("kernel32.dll").NewProc("GetDiskFreeSpaceExW")

// freeSpace returns the number of bytes that the user may still write in a folder.
func freeSpace(root *os.Root) (free int64, err error) {
	path, err := syscall.UTF16PtrFromString(root.Name())
	if err != nil {
		return 0, err
	}
	done, _, err := getDiskFreeSpaceEx.Call(uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&free)), 0, 0)
	if done == 0 {
		return 0, err
	}
	return free, nil
}
