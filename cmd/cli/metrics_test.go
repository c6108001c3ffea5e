package cli_test

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cmd/cli"
)

var metricsURL = regexp.MustCompile(`metrics at (http://127\.0\.0\.1:\d+)/metrics`)

// get reads a page; host is what the request calls the machine.
func get(t *testing.T, url, host string) (int, string) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	require.NoError(t, err)
	if host != "" {
		request.Host = host
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}

// While a run waits for jobs, its metrics and profiles can be read; with the run they end.
func TestMetricsOfARun(t *testing.T) {
	lines, feed := io.Pipe()
	var stdout, stderr safeBuffer
	app := &cli.App{Stdin: lines, Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
	code := make(chan int)
	go func() {
		code <- app.RunContext(context.Background(), []string{"run", "groth16", "--jobs", "-", "--metrics", "127.0.0.1:0"})
	}()
	_, err := io.WriteString(feed, job(t, "a", "bn254", t.TempDir()))
	require.NoError(t, err)
	soon(t, "the answer", func() bool { return strings.Contains(stdout.String(), `"ok":true`) })
	address := metricsURL.FindStringSubmatch(stderr.String())
	require.NotNil(t, address, stderr.String())

	var page string
	soon(t, "the proof in the metrics", func() bool {
		_, page = get(t, address[1]+"/metrics", "")
		return strings.Contains(page, `proofgraph_stage_finished_total{kind="groth16.write",stage="write"} 1`)
	})
	for _, line := range []string{
		`proofgraph_edge_passed_total{from="synthesize.abc",to="ntt.abc"} 1`,
		`proofgraph_class_leases_total{class="abc",pool="host"} 1`,
		`proofgraph_pool_bytes{pool="host"} 0`,
		`proofgraph_items 0`,
	} {
		assert.Contains(t, page, line)
	}
	status, _ := get(t, address[1]+"/debug/pprof/goroutine?debug=1", "")
	assert.Equal(t, http.StatusOK, status)
	for host, want := range map[string]int{"localhost:80": http.StatusOK, "127.0.0.1": http.StatusOK, "example.org": http.StatusForbidden} {
		status, _ = get(t, address[1]+"/metrics", host)
		assert.Equal(t, want, status, host)
	}

	require.NoError(t, feed.Close())
	assert.Equal(t, done, <-code)
	_, err = http.Get(address[1] + "/metrics")
	assert.Error(t, err, "the listener is gone")
}

func TestMetricsAddressInUse(t *testing.T) {
	args := []string{"prove", "--zkey", golden("bn254", "cells.zkey"), "--wtns", golden("bn254", "cells.wtns"), "--out", t.TempDir()}
	proofgraph(t, append(args, "--metrics", "127.0.0.1:99999")...).requireEnds(t, failed, "--metrics: ")
	page := write(t, t.TempDir(), "run.html", []byte("an earlier run's"))
	proofgraph(t, append(args, "--metrics", "127.0.0.1:99999", "--html", page)...).requireEnds(t, failed)
	assert.Equal(t, "an earlier run's", string(read(t, page)), "a run that does not begin writes nothing")
	proofgraph(t, append(args, "--metrics", "localhost:0")...).requireEnds(t, done, "metrics at http://127.0.0.1:")
	proofgraph(t, append(args, "--metrics", "[::1]")...).requireEnds(t, usage, "loopback")
}
