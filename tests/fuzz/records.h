/* records.h: reads lines as records, and checks lines of the output, for fuzz targets of programs that read records. */
#ifndef FUZZ_RECORDS_H
#define FUZZ_RECORDS_H

#include "base/str.h"
#include "fuzz.h"
#include "io/out.h"
#include "json/check.h"
#include "record/event.h"

/* Returns whether the line is a record. Uses the check that record/input applies to lines that are not canonical. */
static inline bool read_record(struct event *e, struct str line)
{
	struct fault f;

	return json_check(line, &f) && !event_parse(e, line);
}

/* Every line of the output is JSON. */
static inline void check_lines(const struct out *o)
{
	struct str rest = {o->p, o->n}, line;
	struct fault f;

	while (str_split(&rest, '\n', &line) && rest.p)
		HOLD(json_check(line, &f));
}

#endif
