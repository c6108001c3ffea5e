//go:build linux

package standin

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/cudabind/kernels"
)

//go:embed library
var library embed.FS

// ErrNoCompiler says that this machine has no C++ compiler.
var ErrNoCompiler = errors.New("no C++ compiler (CXX, g++, c++ or clang++)")

const fileName = "libproofgraph_standin.so"

var flags = []string{"-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden"}

// Path returns the stand-in's path, after building it if it is not in the user's cache yet. The cache is keyed by the
// sources and the compiler; processes that want it at the same time build it once. Errors may be ErrNoCompiler.
func Path(ctx context.Context) (string, error) {
	compiler, err := findCompiler()
	if err != nil {
		return "", err
	}
	sources, err := readSources()
	if err != nil {
		return "", err
	}
	dir, err := cacheDir(compiler, sources)
	if err != nil {
		return "", err
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	path := filepath.Join(dir, fileName)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, build(ctx, compiler, sources, path)
}

func findCompiler() (string, error) {
	for _, name := range []string{os.Getenv("CXX"), "g++", "c++", "clang++"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path, nil
		}
	}
	return "", ErrNoCompiler
}

// readSources returns the library's and the kernels' files by their path below cudabind.
func readSources() (map[string][]byte, error) {
	sources := map[string][]byte{}
	for prefix, tree := range map[string]fs.FS{"standin": library, "kernels": kernels.Sources} {
		err := fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			sources[filepath.Join(prefix, path)], err = fs.ReadFile(tree, path)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("sources of the stand-in: %w", err)
		}
	}
	return sources, nil
}

// cacheDir makes the directory of these sources, this compiler and these flags.
func cacheDir(compiler string, sources map[string][]byte) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.GOARCH, compiler, flags)
	for _, path := range sortedPaths(sources) {
		fmt.Fprintln(hash, path, len(sources[path]))
		hash.Write(sources[path])
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "proofgraph", "standin-"+hex.EncodeToString(hash.Sum(nil)[:8]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cache of the stand-in: %w", err)
	}
	return dir, nil
}

func sortedPaths(sources map[string][]byte) []string {
	paths := make([]string, 0, len(sources))
	for path := range sources {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// lock holds a file's lock, across processes, until unlock is called.
func lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock of the stand-in: %w", err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock of the stand-in: %w", err)
	}
	return func() { _ = file.Close() }, nil
}

// build compiles in a directory of its own and moves the finished library to path.
func build(ctx context.Context, compiler string, sources map[string][]byte, path string) error {
	dir, err := os.MkdirTemp(filepath.Dir(path), "build-")
	if err != nil {
		return fmt.Errorf("building the stand-in: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := write(dir, sources); err != nil {
		return err
	}
	objects, err := compile(ctx, compiler, dir, sources)
	if err != nil {
		return err
	}
	linked := filepath.Join(dir, fileName)
	if err := run(ctx, compiler, append([]string{"-shared", "-pthread", "-o", linked}, objects...)); err != nil {
		return err
	}
	return os.Rename(linked, path)
}

func write(dir string, sources map[string][]byte) error {
	for path, content := range sources {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("building the stand-in: %w", err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return fmt.Errorf("building the stand-in: %w", err)
		}
	}
	return nil
}

// compile makes an object of every translation unit, as many at a time as there are processors.
func compile(ctx context.Context, compiler, dir string, sources map[string][]byte) (objects []string, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	for _, path := range sortedPaths(sources) {
		if !strings.HasSuffix(path, ".cpp") {
			continue
		}
		input := filepath.Join(dir, path)
		object := input + ".o"
		objects = append(objects, object)
		group.Go(func() error {
			return run(ctx, compiler, append(slices.Clone(flags), "-c", input, "-o", object))
		})
	}
	return objects, group.Wait()
}

func run(ctx context.Context, compiler string, arguments []string) error {
	if log, err := exec.CommandContext(ctx, compiler, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("building the stand-in: %w\n%s", err, log)
	}
	return nil
}
