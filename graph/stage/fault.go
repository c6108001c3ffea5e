package stage

import "errors"

// A DeviceFault is an error that says whether the device of an item is the cause of it, and not the item. What a device is
// to blame for can go better on another; what an item is to blame for cannot.
type DeviceFault interface {
	error
	DeviceFault() bool
}

// IsDeviceFault reports whether an error, or one that it wraps, is a DeviceFault that says so.
func IsDeviceFault(err error) bool {
	var fault DeviceFault
	return errors.As(err, &fault) && fault.DeviceFault()
}
