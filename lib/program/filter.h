/* filter: opens the input of a program, reports errors of input and output, and ends it with an exit status. */
#ifndef FILTER_H
#define FILTER_H

#include "base/err.h"
#include "io/child_pipe.h"
#include "record/condition.h"
#include "record/event_queue.h"
#include "record/field.h"
#include "record/input.h"

/* For input.report: prints the fault; for a file without records, with the command that converts the file. */
void filter_report(const struct fault *f);

/* Opens standard output. Exits if this machine lacks the kernel of json/scan that TRACEFILTERS_SIMD names. */
void filter_open_output(struct out *out);

/* Calls filter_open_output() and input_open(); failures are reported by filter_report(). */
void filter_open(struct input *in, char **operands, struct out *out);

/* Pipes standard output through a child program that `option` requested. To be called before filter_open(). */
void filter_open_child(struct child_pipe *child, char *const *argv, const char *option);

/* Calls event_queue_push(); exits when the record is too large. */
void filter_hold(struct event_queue *queue, const struct event *e, const void *note);

/*
 * To be called after the last record. Returns true when all records were in ts order, according to input_in_order().
 * Otherwise reports the record that is out of order, with a command line that sorts the input first, and makes
 * filter_close() return STATUS_FAIL. `argv` has first the options, then the files; `operands` points to the first file.
 */
bool filter_in_order(struct input *in, char *const *argv, char *const *operands);

/*
 * To be called at the end. Prints a hint if no record had the field, with the nearest name in the records, or if
 * f->numeric is set and no value of the field was a number. `all`: the input was read to its end.
 */
void filter_hint_field(const struct field *f, bool all);

/* Calls filter_hint_field() for the fields that the conditions need. */
void filter_hint_conditions(const struct conditions *c, bool all);

/*
 * To be called at the end by a filter that writes nothing without records of these kinds (bits 1u << kind). Prints a
 * hint if the input has records, but none of them was `found`.
 */
void filter_hint_kinds(const struct input *in, uint32_t kinds, bool found);

/* Closes the input, prints what was lost or repaired, closes standard output, and returns the exit status. */
int filter_close(struct input *in);

/*
 * The parts of filter_close(). Each returns a status; the exit status is the largest. `child` is the program through
 * which the output is piped, or NULL. filter_summary() is for programs without `struct input`; it frees *t.
 */
int filter_close_input(struct input *in);
void filter_hint_empty(const struct input *in); /* prints a hint if the file was empty; after filter_close_input() */
int filter_close_output(struct out *out, const struct child_pipe *child);
int filter_summary(struct diagnostics *t, bool failed, bool lenient);

#endif
