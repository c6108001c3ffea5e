// What Go calls of faults.c: mappings whose faults do not end the process.
#pragma once
#include <stddef.h>

// watched is a mapping under watch.
typedef struct watched watched;

// faults_install makes SIGBUS come here first; 0, or an errno.
int faults_install(void);

// faults_watch watches a mapping until faults_unwatch, which comes before it is unmapped; NULL where memory is short.
watched *faults_watch(void *start, size_t size);
void faults_unwatch(watched *mapping);

// faults_seen tells whether a page of the mapping could not be read.
int faults_seen(watched *mapping);
