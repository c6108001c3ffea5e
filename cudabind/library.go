//go:build cgo && linux

package cudabind

// #cgo LDFLAGS: -ldl
// #include <stdlib.h>
// #include "loader.h"
import "C"

import (
	"errors"
	"os"
	"sync"
	"unsafe"
)

// Library is the kernel library of this process.
type Library struct {
	info LibraryInfo
}

var loaded struct {
	sync.Mutex
	once *Library // nil until Open has succeeded
}

// Open loads the kernel library, once in a process; later calls return the same. Its errors wrap ErrUnavailable and
// say where it was looked for and what was wrong with it.
func Open() (*Library, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.once != nil {
		return loaded.once, nil
	}
	path, err := libraryPath()
	if err != nil {
		return nil, unavailable("%s", err)
	}
	library, err := load(path)
	if err != nil {
		return nil, unavailable("%s", err)
	}
	loaded.once = library
	return library, nil
}

func load(path string) (*Library, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, absent(path, err)
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var info C.pg_handshake_info
	var problem [512]C.char
	if C.load_library(name, &info, &problem[0], C.size_t(len(problem))) == 0 {
		return nil, errors.New(C.GoString(&problem[0]))
	}
	return &Library{LibraryInfo{
		Path:          path,
		ABI:           int(info.abi_version),
		RuntimeCUDA:   int(info.cuda_runtime),
		DriverCUDA:    int(info.cuda_driver),
		Architectures: C.GoString(&info.architectures[0]),
	}}, nil
}

// Info describes the library.
func (l *Library) Info() LibraryInfo { return l.info }

// Devices lists the GPUs, in CUDA's order. Without a driver or a GPU it fails with CUDA's word for that.
func (l *Library) Devices() ([]DeviceInfo, error) {
	var count C.int32_t
	if err := failed(C.pg_device_count(&count)); err != nil {
		return nil, err
	}
	devices := make([]DeviceInfo, count)
	for i := range devices {
		var info C.pg_device_info
		if err := failed(C.pg_device_describe(C.int32_t(i), &info)); err != nil {
			return nil, err
		}
		devices[i] = DeviceInfo{
			Name:            C.GoString(&info.name[0]),
			PCI:             C.GoString(&info.pci[0]),
			TotalBytes:      uint64(info.total_bytes),
			Major:           int(info.major),
			Minor:           int(info.minor),
			Multiprocessors: int(info.multiprocessors),
			L2Bytes:         int(info.l2_bytes),
		}
	}
	return devices, nil
}

// failed turns the library's error by value into a Go error, nil for success.
func failed(e C.pg_error) error {
	switch e.code {
	case 0:
		return nil
	case codeNotReady:
		return ErrNotReady
	}
	return &Error{
		Code:       int(e.code),
		Name:       C.GoString(&e.name[0]),
		Expression: C.GoString(&e.expression[0]),
		File:       C.GoString(&e.file[0]),
		Line:       int(e.line),
	}
}
