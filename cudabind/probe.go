package cudabind

// Probe loads the kernel library and lists the devices, for a doctor: it never fails, it reports.
func Probe() Report {
	library, err := Open()
	if err != nil {
		return Report{Problem: err}
	}
	info := library.Info()
	devices, err := library.Devices()
	return Report{Library: &info, Devices: devices, Problem: err}
}
