/*
 * dumps: the state of a job from flight-recorder dumps of its ranks: process groups, their members, and the collectives
 * that had not completed.
 */
#ifndef DUMPS_H
#define DUMPS_H

#include "base/map.h"
#include "record/input.h"

#define DUMPS_UNKNOWN INT64_MIN /* a number that no dump has */

/* What the dump of a rank says about one of its groups. */
struct dump_member {
	int64_t enqueued, completed; /* the last numbers of pg_status, or DUMPS_UNKNOWN */
	int64_t open_last;           /* the largest number of an open collective, or DUMPS_UNKNOWN */
	uint32_t open, open_pairs;   /* how many entries are open; how many of them are sends and receives */
	uint32_t dump;               /* the index of the dump of this rank, or DUMPS_NONE */
};

#define DUMPS_NONE UINT32_MAX

/* A process group: a name and a set of ranks. */
struct dump_group {
	struct str name, desc;       /* decoded; owned by struct dumps */
	int64_t *ranks;              /* ascending */
	struct dump_member *members; /* in the order of ranks */
	size_t n;
	int64_t completed; /* the largest number of a completed collective in any dump, or DUMPS_UNKNOWN */
	int64_t open_last; /* the largest number of an open collective of any member, or DUMPS_UNKNOWN */
	uint64_t open;     /* the number of open entries of all members */
	/* the results of waits_find() */
	bool counts;         /* the numbers of pg_status count collectives */
	int64_t first, done; /* the least number that a member misses; the largest that one completed; DUMPS_UNKNOWN */
	int64_t least;       /* the number to which all members with a dump came, or DUMPS_UNKNOWN */
	int64_t first_ts;    /* the earliest time at which a member issued `first` */
	bool root;           /* a named rank first missed a collective in this group */
	size_t absent;       /* the number of members without a dump */
};

/* An open entry: a collective, or a send or receive (a pair), that was issued and has not completed. */
struct dump_entry {
	uint32_t dump, group, member; /* indexes: of the dump, of the group, and in its members */
	uint32_t description;         /* the index of its operation, type and sizes */
	int64_t number;               /* collective_seq_id; for pairs p2p_seq_id */
	int64_t record, ts;           /* record_id: the order on this rank; the time of its issue in ns */
	bool pair;
};

struct dump {
	int64_t rank, first_record; /* first_record: DUMPS_UNKNOWN without entries */
	uint64_t entries;
	size_t first_open, open; /* its open entries, in the order of record_id */
	int64_t newest;          /* the latest time of an entry, or DUMPS_UNKNOWN */
};

/* Two ranks that call different operations under one number. */
struct dump_mismatch {
	uint32_t group;
	int64_t number, rank, other_rank;
	uint32_t description, other_description;
};

/* Zero-initialise it; dumps_free(). */
struct dumps {
	struct dump *list;
	size_t n, cap;
	struct dump_group *groups;
	size_t n_groups, groups_cap;
	struct dump_entry *open;
	size_t n_open, open_cap;
	struct map descriptions; /* "operation\ttype\tsizes" */
	struct dump_mismatch *mismatches;
	size_t n_mismatches, mismatches_cap;
	uint64_t unnamed;       /* pg_ids whose group is unknown */
	struct map group_names; /* for names of groups: the number of each */
	struct buf file;        /* the name of the file of the last dump that was added; empty if unknown */
	/* private */
	struct map by_rank, by_text, by_ranks, texts, calls;
	struct dumps_name *names; /* by number of the name */
	size_t names_cap;
	struct dumps_call *first_calls;
	size_t calls_cap;
	size_t *text_groups, text_groups_cap;
	struct buf text;
	bool skipping; /* a second dump of one rank */
};

/*
 * Adds a record of trace2ndjson, of kind meta or mark; the records of a dump follow its record flight_recorder. Other
 * records are ignored. Returns NULL, or the reason why the record or its dump is left out, as static text.
 */
const char *dumps_add(struct dumps *d, struct event *e);

/* Sorts the entries, and finds the dumps of the members. To be called after the last record. */
void dumps_end(struct dumps *d);

/* Returns the index of the dump of a rank, or DUMPS_NONE. */
uint32_t dumps_find(const struct dumps *d, int64_t rank);

/* Returns the place of a rank in a group; SIZE_MAX if it is not a member. */
size_t dumps_member(const struct dump_group *g, int64_t rank);

/* Returns a part of a description. */
enum dumps_part { DUMPS_OPERATION, DUMPS_TYPE, DUMPS_SIZES };
struct str dumps_part(const struct dumps *d, uint32_t description, enum dumps_part part);

void dumps_free(struct dumps *d);

#endif
