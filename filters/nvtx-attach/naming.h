/* naming: the names of ranges, and what a record gets for those round it: range, ranges and captures. */
#ifndef NAMING_H
#define NAMING_H

#include "record/event.h"
#include "base/map.h"
#include "interval/spans.h"

struct capture;
struct naming_capture;

/* Zero-initialise; options, then naming_ready(); naming_free() or keep it. */
struct naming {
	/* its own */
	struct buf one, many;            /* the members' keys: ,"range": and ,"ranges":[ */
	struct naming_capture *captures; /* of the command line */
	size_t n_captures, cap;
	struct map texts;                /* the names, as JSON */
	struct map kept;                 /* those of them that stay, while ranges expire */
	struct buf *captured;            /* by name and capture: ,"iter":2 or only a comma; empty: not known yet */
	size_t n_captured, cap_captured, limit;
	struct buf text, plain;
};

/* --as NAME and --capture NAME=REGEX; they end the program when the name cannot be given to a record. */
void naming_as(struct naming *n, const char *option, const char *name);
void naming_capture(struct naming *n, const char *option, const char *arg);

/* After the options: `range` if there was no other name. */
void naming_ready(struct naming *n);

/* The number of a range's name, p == NULL when it has none. Good until naming_expire(). */
uint32_t naming_put(struct naming *n, struct str json);
/* The same for a name that need not be there; UINT32_MAX when it is not. */
uint32_t naming_find(const struct naming *n, struct str json);

/* spans_expire(), and names that no range has any more go too. Numbers change. */
void naming_expire(struct naming *n, struct spans *spans, int64_t before);

/* Writes the record with what `count` ranges, from the outermost to the innermost, say; as it is for none. */
void naming_write(struct naming *n, struct out *out, const struct event *e, const struct span *ranges, size_t count);

void naming_free(struct naming *n);

#endif
