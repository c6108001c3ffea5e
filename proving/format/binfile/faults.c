//go:build cgo && linux

// A page of a mapped file that is no longer there (the file was cut short, or its disk fails) raises SIGBUS in whatever thread
// touches it: in Go, in assembly, in a kernel in C, in a driver. The handler here puts pages of zeros in the mapping's place, marks
// the mapping, and lets the thread go on. Who reads on gets zeros, and learns of it by asking. Every other SIGBUS goes to the
// handler that was there before, which is Go's.
//
// X servers guard shared memory of their clients in the same way (https://gitlab.freedesktop.org/xorg/xserver, os/busfault.c).
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

struct watched {
	uintptr_t start;
	size_t size; // 0: free
	atomic_int seen;
	struct watched *next;
};

static struct watched *all; // never freed: the handler walks the list
static atomic_flag busy = ATOMIC_FLAG_INIT;
static struct sigaction before;

// Nobody touches a mapping while it holds the lock, so the handler never waits for its own thread.
static void lock(void) {
	while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) sched_yield();
}

static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

watched *faults_watch(void *start, size_t size) {
	watched *fresh = calloc(1, sizeof *fresh), *mapping;
	if (!fresh) return NULL;
	lock();
	for (mapping = all; mapping && mapping->size != 0; mapping = mapping->next) {}
	if (!mapping) {
		mapping = fresh;
		mapping->next = all;
		all = mapping;
		fresh = NULL;
	}
	mapping->start = (uintptr_t)start;
	mapping->size = size;
	atomic_store(&mapping->seen, 0);
	unlock();
	free(fresh);
	return mapping;
}

void faults_unwatch(watched *mapping) {
	lock();
	mapping->size = 0;
	unlock();
}

int faults_seen(watched *mapping) { return atomic_load(&mapping->seen); }

// replace puts zeros in place of the mapping that has the address; 0 where there is none.
static int replace(uintptr_t address) {
	int done = 0;
	lock();
	for (watched *w = all; w; w = w->next) {
		if (address - w->start >= w->size) continue;
		const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
		done = mmap((void *)w->start, w->size, PROT_READ, flags, -1, 0) != MAP_FAILED;
		if (done) atomic_store(&w->seen, 1);
		break;
	}
	unlock();
	return done;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
	const int kept = errno;
	const int fault = info->si_code == BUS_ADRERR || info->si_code == BUS_OBJERR;
	if (!fault || !replace((uintptr_t)info->si_addr)) {
		if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(signal, info, context);
		else sigaction(SIGBUS, &before, NULL); // the default: the fault comes again, and ends the process
	}
	errno = kept;
}

int faults_install(void) {
	if (sigaction(SIGBUS, NULL, &before) != 0) return errno;
	struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
	sigfillset(&ours.sa_mask); // as Go's own
	return sigaction(SIGBUS, &ours, NULL) == 0 ? 0 : errno;
}
