/*
 * dvdt_lines: reads calls that are printed as lines. Each line names the call:
 *
 *   [dv/dt] clBuildProgram                          begins the call
 *   [dv/dt] clBuildProgram program 0x55ab           a field, as in the JSON form
 *   [dv/dt] clBuildProgram start 2026-11-21T04:37:46.122970
 *   [dv/dt] clBuildProgram end 2026-11-21T04:37:46.168298
 *   [dv/dt] clBuildProgram errcode 0                the last field, except for an object
 *
 * Functions that create an object print that object after errcode. A blank line ends the call. A program's source text
 * is printed unchanged, between two lines of the call, and is followed by a newline. The result is the call in its JSON
 * form.
 */
#ifndef DVDT_LINES_H
#define DVDT_LINES_H

#include "dvdt_call.h"

/* The mark at the start of every line that dvdt-prof prints, and the lines that open and close a block. */
#define DVDT_MARK STR("[dv/dt] ")
#define DVDT_OPEN STR("[dv/dt] <<")
#define DVDT_CLOSE STR("[dv/dt] >>")

/* The state while the reader reads a call that the log prints as several lines. Zero-initialise. */
struct dvdt_lines {
	struct buf name; /* "clBuildProgram"; empty: no call */
	/* members as JSON; before: the members that precede the timestamp; after: the members that follow it */
	struct buf before, after;
	struct buf start, end;        /* the texts in the timestamp */
	struct buf source;            /* the text of the program source that is being read */
	struct buf in_source;         /* N when "sources[N]" is being read; empty when no source is being read */
	bool open_sources;            /* the object of the preceding sources in `before` is open */
	struct buf record;            /* the call as a JSON object, once it is complete */
	bool over;                    /* the call is larger than --max-record */
	bool has_errcode, has_object; /* whether the call's errcode and its object have been read */
	struct fault_location at;     /* where the call began */
	uint64_t lost;                /* number of incomplete calls; the caller may reset it */
};

enum dvdt_line {
	DVDT_OTHER, /* a line of the program's own output, not of dvdt-prof */
	DVDT_TAKEN,
	DVDT_WHOLE, /* a line of dvdt-prof that completed a call; lines->record is that call */
};

/* Adds a line of output without its newline; `cut`: it had none. An incomplete call is counted as lost. */
enum dvdt_line dvdt_lines_add(
    struct dvdt_lines *l, struct reader *r, struct str line, bool cut, struct fault_location at);

/* Ends the call that is being read, if there is one: at the end of the input. True when the call is complete. */
bool dvdt_lines_end(struct dvdt_lines *l, struct reader *r);

void dvdt_lines_free(struct dvdt_lines *l);

#endif
