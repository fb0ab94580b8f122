/* event_kind: the kinds of records and their names. */
#ifndef EVENT_KIND_H
#define EVENT_KIND_H

#include "base/word_table.h"

/* The kinds of records; those of device records come first. */
#define EVENT_KINDS(X)                                                                                                 \
	X(KERNEL, "kernel")                                                                                            \
	X(MEMCPY, "memcpy")                                                                                            \
	X(MEMSET, "memset")                                                                                            \
	X(SYNC, "sync")                                                                                                \
	X(API, "api")                                                                                                  \
	X(OP, "op")                                                                                                    \
	X(PYTHON, "python")                                                                                            \
	X(RANGE, "range")                                                                                              \
	X(MARK, "mark")                                                                                                \
	X(GPU_RANGE, "gpu_range")                                                                                      \
	X(PRIMITIVE, "primitive")                                                                                      \
	X(CREATE, "create")                                                                                            \
	X(ACTIVITY, "activity")                                                                                        \
	X(PROGRAMINFO, "programinfo")                                                                                  \
	X(KERNELINFO, "kernelinfo")                                                                                    \
	X(BUILDINFO, "buildinfo")                                                                                      \
	X(DEVICEINFO, "deviceinfo")                                                                                    \
	X(PLATFORMINFO, "platforminfo")                                                                                \
	X(SAMPLE, "sample")                                                                                            \
	X(COUNTER, "counter")                                                                                          \
	X(FLOW, "flow")                                                                                                \
	X(ROW, "row")                                                                                                  \
	X(TOTAL, "total")                                                                                              \
	X(GAP, "gap")                                                                                                  \
	X(COLLECTIVE, "collective")                                                                                    \
	X(CLOCK, "clock")                                                                                              \
	X(META, "meta")                                                                                                \
	X(OTHER, "other")

#define EVENT_KIND_ENUM(id, text) KIND_##id,
enum event_kind {
	EVENT_KINDS(EVENT_KIND_ENUM) KIND_N,
	KIND_UNREAD, /* only in struct event: the kind was not read */
};

extern const char *const event_kind_names[KIND_N + 1]; /* NULL after the last */
enum event_kind event_kind(struct str name);           /* returns KIND_N when name is not a kind */

extern struct word_table event_kind_words;
/* The same as event_kind(); at least eight bytes at name.p must be readable, even if the name is shorter. */
static inline enum event_kind event_kind_padded(struct str name)
{
	return (enum event_kind)word_table_find(&event_kind_words, name, word_table_head_padded(name.p, name.n));
}

enum { EVENT_KIND_DEVICE = (1u << (KIND_SYNC + 1)) - 1 }; /* the kinds of device records, as bits 1u << kind */

static inline bool event_kind_is_device(enum event_kind k)
{
	return k <= KIND_SYNC;
}

#endif
