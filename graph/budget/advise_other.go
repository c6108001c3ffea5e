//go:build unix && !linux

package budget

func adviseHugePages([]byte) {}

func avoidHugePages([]byte) {}
