/*
 * pending_records: stores records that wait for a call or for their turn; finds them by correlation id and goes through
 * them in input order. Texts beyond the memory limit are stored in a spool.
 */
#ifndef PENDING_RECORDS_H
#define PENDING_RECORDS_H

#include "base/fault.h"
#include "base/mem.h"
#include "base/str.h"

/* The properties of a record that waits. */
struct pending_record {
	bool device : 1; /* true: a device record that waits for a call; false: a record that only waits for its turn */
	bool blind : 1;  /* the record has no pid */
	bool has_ts : 1; /* the ts is on the trace's clock */
	/* attached: the record has attachments; scattered: one of them follows args or src */
	bool attached : 1, scattered : 1;
	uint8_t found;          /* for the caller */
	uint64_t order : 48;    /* private: the number of the record, in input order */
	uint32_t who, call;     /* for the caller */
	uint32_t rank, process; /* numbers that stand for the values; equal values have the same number */
	int64_t corr, ts;
	size_t at; /* for the caller: offset in the text of the first attachment or, without any, for new ones */
};

/*
 * `memory`: bytes for texts; each record takes about 80 bytes more. `keyed`: the caller will use
 * pending_records_match().
 */
struct pending_records *pending_records_new(size_t memory, bool keyed);
void pending_records_free(struct pending_records *p);

/* Adds a record and a copy of its text, which may be empty. Returns false and sets *f when the temporary file fails. */
bool pending_records_add(struct pending_records *p, const struct pending_record *w, struct str text, struct fault *f);

/* Receives a record that no longer has to wait. The text is followed by SCAN_PAD readable bytes. */
typedef void pending_records_take(void *arg, const struct pending_record *w, struct str text);

/*
 * The effect of a call on a device record that waits. WAITS: no effect; SETTLED: the record no longer waits for a call,
 * only for its turn (`device` becomes false); OUT: the record is removed at once.
 */
enum pending_records_verdict { PENDING_RECORDS_WAITS, PENDING_RECORDS_SETTLED, PENDING_RECORDS_OUT };
typedef enum pending_records_verdict pending_records_judge(void *arg, struct pending_record *w);

/*
 * Calls `judge`, in input order, for the waiting device records with the rank, process and id of `key`; if `blind`,
 * also for records without a pid that have the same rank and id.
 */
bool pending_records_match(struct pending_records *p, const struct pending_record *key, bool blind,
    pending_records_judge *judge, pending_records_take *take, void *arg, struct fault *f);

/* Returns the oldest record; NULL when no record waits. pending_records_out() removes that record. */
const struct pending_record *pending_records_oldest(const struct pending_records *p);
bool pending_records_out(struct pending_records *p, pending_records_take *take, void *arg, struct fault *f);

#endif
