/* report_pieces: expands the placeholders in a text of a report into pieces: plain text, numbers and names. */
#ifndef REPORT_PIECES_H
#define REPORT_PIECES_H

#include "report_text.h"

enum report_piece_type {
	REPORT_PIECE_TEXT,   /* text of the report */
	REPORT_PIECE_NUMBER, /* a number, without its unit */
	REPORT_PIECE_NAME,   /* a name from the trace: any text, never markup */
};

struct report_piece {
	enum report_piece_type type;
	struct str text;  /* valid until the next call */
	const char *unit; /* of a number: to be printed after a space; may be empty */
};

struct report_text {
	enum report_text_fault fault; /* the first one that was found so far */
	/* private */
	const struct report_record *record;
	struct str rest;
	struct report_number number;
	bool any_number;
};

/*
 * Begins the expansion of a text. A placeholder {member} or {member:unit} is replaced by the value of the member of the
 * record; {{ is a brace.
 */
void report_text_begin(struct report_text *t, const struct report_record *record, struct str text);

/* Gets the next piece. Returns false after the last piece. */
bool report_text_next(struct report_text *t, struct report_piece *piece);

#endif
