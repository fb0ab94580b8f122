/*
 * scrub: replaces secrets in a trace by "[removed]", before it is shared (--scrub): values of environment variables,
 * passwords, keys, tokens, and the names of users and of their home folders.
 */
#ifndef SCRUB_H
#define SCRUB_H

#include "record/event.h"
#include "base/diagnostics.h"

enum scrub_level { SCRUB_NOTHING, SCRUB_SECRETS, SCRUB_HOSTS /* host names too */ };
extern const char *const scrub_names[]; /* the words of --scrub; word i is level i + 1 */

/* The class of a value, by its name. */
enum scrub_class { SCRUB_PLAIN, SCRUB_ENVIRONMENT, SCRUB_SECRET, SCRUB_TOKEN, SCRUB_USER, SCRUB_HOST, SCRUB_N };

/* Zero-initialise; scrub_free(). */
struct scrub {
	/* private */
	struct buf out;            /* the new texts of the members of a record */
	struct buf decoded, clean; /* one string, before and after */
	enum scrub_class next;     /* class of the next text: the text before was an option, such as --token */
	bool meta, hosts;          /* the record is of kind meta; host names are removed */
	uint64_t removed[SCRUB_N]; /* in this record */
};

/*
 * Scrubs the texts of a record; its times and numbers stay, except the values of environment variables and passwords.
 * Counts what it removed as notes at the place `at`. Views in *e are valid until the next call.
 */
void scrub_apply(
    struct scrub *s, enum scrub_level level, struct event *e, struct diagnostics *d, struct fault_location at);

void scrub_free(struct scrub *s);

#endif
