/* dvdt_elements: reads the elements of an array of calls or of layers, which may be damaged. */
#ifndef DVDT_ELEMENTS_H
#define DVDT_ELEMENTS_H

#include "trace2ndjson/formats/format.h"

struct dvdt_elements {
	struct lines lines;
	struct fault_location at; /* where the last returned element begins */
	/*
	 * The array is a block in program output: other output may interrupt it, and newlines are counted, because
	 * messages about it show line numbers.
	 */
	bool block;
	uint64_t line; /* number of newlines preceding the next byte */
	uint64_t lost; /* number of skipped elements; the caller may reset it */
};

enum dvdt_element {
	DVDT_ELEMENT, /* *text is an object that is valid JSON */
	DVDT_NONE,    /* an element was skipped, or more input is needed: call again */
	DVDT_CLOSED,  /* the closing bracket was read; the source is at the byte after it */
	/* program output interrupts the array: this was reported, and the source is at the start of that output */
	DVDT_BROKEN,
	DVDT_ENDED, /* the input ended inside the array; this was reported */
};

/* Call this when the array's opening bracket has been read. */
void dvdt_elements_begin(struct dvdt_elements *l, struct reader *r);

/* Reads the next element. *text is valid until the next call. */
enum dvdt_element dvdt_elements_next(struct dvdt_elements *l, struct reader *r, struct str *text);

#endif
