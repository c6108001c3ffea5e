package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// usage is what a finished process took, as wait4 tells it.
type usage struct {
	wall    time.Duration
	peakRSS int64 // bytes
	stdout  []byte
}

// measure runs a program to its end. A child's peak counts what it shared with its parent before it
// became another program, so the process that measures must itself stay small: it does no proving
// and no verifying.
func measure(ctx context.Context, argv []string) (usage, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return usage{}, fmt.Errorf("%q: %w\n%s%s", argv, err, tail(stdout.Bytes()), tail(stderr.Bytes()))
	}
	kib := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	return usage{wall, kib << 10, stdout.Bytes()}, nil
}

// tail returns the end of a program's output.
func tail(output []byte) []byte {
	return output[max(0, len(output)-2000):]
}
