/*
 * partial: writes partial results (--partial), and merges them (--merge).
 *
 * A partial result is a sequence of lines, which are JSON objects. The first line has the question: everything that
 * must be equal in partial results that are merged. The last line has the number of records and of lost records. The
 * lines between them are the state of the program, from which the result can be computed.
 */
#ifndef PARTIAL_H
#define PARTIAL_H

#include "base/mem.h"
#include "record/input.h"

struct partial;

/*
 * The state of a program. The arguments of read_question(), read() and read_end() are JSON that json_check_deep()
 * accepted; their contents may be invalid. The functions return NULL, or the reason for a refusal, which is static
 * text. After a refusal, no other function is called.
 */
struct partial_state {
	const char *count; /* name of the member of the last line that has the result of write() */
	/*
	 * These may be NULL. write_question() appends the question as members of the first line, read_question() sets
	 * it from the first line of the first partial result, and begin() is called after it was accepted.
	 */
	void (*write_question)(const struct partial *p, struct buf *line);
	const char *(*read_question)(struct partial *p, struct str line);
	void (*begin)(struct partial *p);
	/* Returns whether the state depends on the order of records. Then the parts of the input must be numbered. */
	bool (*is_ordered)(const struct partial *p);
	/* Writes the lines of the state to `out`, and returns the number of groups or fields in it. */
	uint64_t (*write)(struct partial *p, struct out *out);
	/* Adds a line to the state. `name` is its first member. p->number differs in each partial result. */
	const char *(*read)(struct partial *p, struct str name, struct str line);
	/*
	 * read_end() is called with the last line of each partial result. `count` is the number of groups or fields,
	 * and `records` the number of records. write_end() appends further members to the last line; it may be NULL.
	 */
	const char *(*read_end)(struct partial *p, struct str line, uint64_t count, uint64_t records);
	void (*write_end)(const struct partial *p, struct buf *line);
};

/* Set the first members and zero the others. */
struct partial {
	const struct partial_state *state;
	void *arg;      /* for the functions of the state */
	const char *of; /* the program, in the first line */
	struct input *in;
	uint64_t part; /* N of --partial=N */
	/* number of records in the state; to be set before partial_write() unless parts were merged */
	uint64_t records;
	/* private, except in tests and in the functions of the state */
	uint64_t number;     /* the number of partial results that were begun; the first one is 1 */
	bool open;           /* the last line of a partial result is still to come */
	struct buf question; /* the first line of all partial results */
	const char *first;   /* the file of the first partial result */
	struct partial_part {
		uint64_t number;
		const char *file; /* where it was read */
	} * parts;                /* the merged parts of the input, if the state is ordered */
	size_t n_parts, parts_cap;
	struct map part_numbers; /* maps the number of a part to its index in `parts` */
	uint64_t lost;
	struct fault_location lost_at; /* the first partial result that lost records */
};

/* Writes a partial result. If the input could not be read, the last line is left out, so that it cannot be merged. */
void partial_write(struct partial *p, struct out *out);

/*
 * Reads all partial results in the operands, and merges them. Exits with a message at the first one that cannot be
 * merged. Records that were lost when the partial results were made are added to the diagnostics of the input.
 */
void partial_merge(struct partial *p, char **operands);

/*
 * Reads a line of a partial result, which can be any text; p->in->file is its file. Returns NULL, or the reason for a
 * refusal; after a refusal, only partial_free() may be called. partial_merge_end() is to be called after the last line.
 */
const char *partial_merge_line(struct partial *p, struct str line);
void partial_merge_end(struct partial *p);

void partial_free(struct partial *p);

#endif
