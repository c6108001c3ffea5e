// Command rss runs a command and prints the most anonymous resident memory (RssAnon) that its process ever had, the most
// resident memory of any kind, and its wall and processor time. It samples /proc, so it runs on Linux.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const interval = 5 * time.Millisecond

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: rss COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	began := time.Now()
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "rss:", err)
		os.Exit(1)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	peak := watch(cmd.Process.Pid, ended)
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Fprintf(os.Stderr, "rss: wall %.2f s, cpu %.2f s, peak RssAnon %d KiB, peak RSS %d KiB\n", time.Since(began).Seconds(),
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), peak, usage.Maxrss)
	os.Exit(cmd.ProcessState.ExitCode())
}

// watch samples the process until it has ended, and gives the peak in KiB.
func watch(pid int, ended <-chan error) (peak int64) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return peak
		case <-tick.C:
			peak = max(peak, rssAnon(pid))
		}
	}
}

// rssAnon reads a process's anonymous resident memory in KiB, 0 where it is gone.
func rssAnon(pid int) int64 {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), "RssAnon:"); found {
			n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			return n
		}
	}
	return 0
}
