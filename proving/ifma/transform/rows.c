//go:build amd64

// The rows of a constraint system: sums of coefficients times signals. Eight records make eight products at once; which rows they
// belong to does not matter then, for sums are taken limb by limb in general registers, which have nothing else to do. Eight rows
// are reduced at once again.
#include "lanes.h"
#include "memory.h"

#define RECORD 44     // bytes: matrix, row and signal, 32 bits each, then the value times 2^512
#define VALUE 12      // where that is
#define MAX_TERMS 1024 // a sum of as many normal products, each below 2p, is below 2^12 p
#define AHEAD 32      // records that signals are asked for in advance

// The sums of eight rows, by A and by B: rows are finished in order, and written when all eight are.
typedef struct {
	const field *f;
	uint64_t *to[3];   // the rows of A, B and their product, or NULL
	size_t done;       // rows that are finished
	uint32_t terms[2]; // of the row at hand
	lane sums[2][LIMBS][LANES];
} row_writer;

// A number of a record, at any alignment. Records may lie in a file that somebody writes to: every reading may be another number, and
// each use checks the one that it has read.
typedef volatile const uint32_t __attribute__((aligned(1))) changing;

INLINE uint32_t record_number(const uint8_t *record, int i) { return ((changing *)record)[i]; }

static scalars reduced_sums(const row_writer *w, int matrix) {
	scalars s;
	memcpy(&s, w->sums[matrix], sizeof s);
	return scalars_reduce(w->f, s);
}

// times16 makes up for products that divide by 2^260 instead of 2^256.
INLINE scalars times16(scalars a) {
	EACH_LIMB a.l[i] = _mm512_slli_epi64(a.l[i], 4);
	return scalars_normal(a);
}

// write_rows writes normal values below 2p.
static void write_rows(const row_writer *w, int which, size_t first, size_t count, scalars s) {
	if (!w->to[which]) return;
	uint64_t eight[WORDS * LANES], *to = w->to[which] + WORDS * first;
	rows_store_strided(count == LANES ? to : eight, WORDS, limbs_rows(scalars_canonical(w->f, s)));
	if (count < LANES) memcpy(to, eight, sizeof(uint64_t) * WORDS * count);
}

// flush writes the last count finished rows.
static void flush(row_writer *w, size_t count) {
	const scalars a = reduced_sums(w, 0), b = reduced_sums(w, 1);
	const size_t first = w->done - count;
	write_rows(w, 0, first, count, a);
	write_rows(w, 1, first, count, b);
	if (w->to[2]) write_rows(w, 2, first, count, scalars_normal(scalars_mul(w->f, times16(a), b)));
	memset(w->sums, 0, sizeof w->sums);
}

static void finish_row(row_writer *w) {
	w->terms[0] = w->terms[1] = 0;
	if (++w->done % LANES == 0) flush(w, LANES);
}

// fold reduces a sum in the middle of a long row.
static void fold(row_writer *w, int matrix, size_t at) {
	const scalars s = reduced_sums(w, matrix);
	const lane *limbs = (const lane *)&s;
	EACH_LIMB w->sums[matrix][i][at] = limbs[LANES * i + at];
	w->terms[matrix] = 1;
}

static void add_term(row_writer *w, int matrix, const scalars *products, int k) {
	const lane *limbs = (const lane *)products;
	const size_t at = w->done % LANES;
	EACH_LIMB w->sums[matrix][i][at] += limbs[LANES * i + k];
	if (++w->terms[matrix] == MAX_TERMS) fold(w, matrix, at);
}

// products multiplies eight records' values and signals; normal, below 2p.
INLINE scalars products(const field *f, const uint8_t *const record[LANES], const uint8_t *witness, size_t signals) {
	const uint64_t *value[LANES], *signal[LANES];
	UNROLL for (int k = 0; k < LANES; k++) {
		const size_t number = record_number(record[k], 2);
		value[k] = (const uint64_t *)(record[k] + VALUE);
		signal[k] = (const uint64_t *)(witness + 32 * (number < signals ? number : 0));
	}
	return scalars_normal(scalars_mul(f, rows_limbs(rows_pick(value), 4), rows_limbs(rows_pick(signal), 0)));
}

// in_range tells whether a record's row and signal exist, and that its row is none of the finished ones.
static int in_range(const row_writer *w, const uint8_t *record, size_t first_row, size_t rows, size_t signals) {
	const size_t row = record_number(record, 1), signal = record_number(record, 2);
	return row >= first_row + w->done && row < first_row + rows && signal < signals;
}

// add_records adds up to eight records from `records` on; 0, or 1 where one is out of range.
static int add_records(row_writer *w, const uint8_t *records, size_t count, size_t first_row, size_t rows, const uint8_t *witness,
                       size_t signals) {
	const uint8_t *each[LANES];
	for (size_t k = 0; k < LANES; k++) {
		each[k] = records + RECORD * (k < count ? k : 0);
		if (!in_range(w, each[k], first_row, rows, signals)) return 1;
	}
	const scalars p = products(w->f, each, witness, signals);
	for (size_t k = 0; k < LANES && k < count; k++) {
		const size_t row = record_number(each[k], 1) - first_row;
		if (row < w->done || row >= rows) return 1;
		while (w->done < row) finish_row(w);
		add_term(w, record_number(each[k], 0) & 1, &p, (int)k);
	}
	return 0;
}

int transform_rows(const transform_field *f, const uint8_t *records, size_t count, size_t first_row, size_t rows,
                   const uint8_t *witness, size_t signals, uint64_t *a, uint64_t *b, uint64_t *c) {
	row_writer w = {.f = f, .to = {a, b, c}};
	for (size_t i = 0; i < count; i += LANES) {
		for (size_t k = i + AHEAD; k < i + AHEAD + LANES && k < count; k++)
			_mm_prefetch((const char *)(witness + 32 * (size_t)record_number(records + RECORD * k, 2)), _MM_HINT_T0);
		if (add_records(&w, records + RECORD * i, count - i, first_row, rows, witness, signals)) return 1;
	}
	while (w.done < rows) finish_row(&w);
	if (w.done % LANES) flush(&w, w.done % LANES);
	return 0;
}
