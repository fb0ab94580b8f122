/* report_input: reads a report, for the programs that print one. */
#ifndef REPORT_INPUT_H
#define REPORT_INPUT_H

#include "record/input.h"
#include "report.h"

/*
 * Reads all records of the input into *r, and reports records that cannot be used. If no record is a verdict, although
 * all files could be read, prints a message, and filter_close() returns STATUS_LOST. Returns whether there is anything
 * to print.
 */
bool report_input_read(struct report *r, struct input *in);

#endif
