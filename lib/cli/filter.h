/* filter: how programs open their input and end: messages about the input and the output, and the exit status. */
#ifndef FILTER_H
#define FILTER_H

#include "base/err.h"
#include "io/child_pipe.h"
#include "record/event_queue.h"
#include "record/field.h"
#include "record/input.h"

/* input.report: prints the fault, or the command that converts a file without records. */
void filter_report(const struct fault *f);

/*
 * Opens standard output. Exits when TRACEFILTERS_SIMD, which chooses the kernel of json/scan in tests, names one that this
 * machine lacks.
 */
void filter_open_output(struct out *out);

/* filter_open_output(), and then opens the operands, as input_open(); failures are printed. */
void filter_open(struct input *in, char **operands, struct out *out);

/*
 * Runs a program through which standard output goes: before filter_open(). Exits, naming the option that asked for it,
 * when it cannot be run.
 */
void filter_open_child(struct child_pipe *child, char *const *argv, const char *option);

/* event_queue_push(); exits when the record is too large. */
void filter_hold(struct event_queue *queue, const struct event *e, const void *note);

/*
 * After the last record: true when input_in_order() never returned false. Else reports the record that is out of ts order,
 * with a command line that sorts first, and filter_close() returns STATUS_FAIL. `argv` as getopt left it: options before
 * `operands`, files from there on.
 */
bool filter_in_order(struct input *in, char *const *argv, char *const *operands);

/*
 * At the end: prints a note when no record had the field, with the nearest name of those that records had, or when it
 * held no number where only numbers count. `all`: the input was read to its end.
 */
void filter_hint_field(const struct field *f, bool all);

/*
 * The end of a program: closes the input and prints what was lost or repaired, closes standard output, and returns the
 * exit status.
 */
int filter_close(struct input *in);

/*
 * The parts of it, each of which returns a status; the largest is the program's. `child` is the program through which
 * the output goes, or NULL. filter_summary() is for a program that reads without `struct input`; it frees *t.
 */
int filter_close_input(struct input *in);
int filter_close_output(struct out *out, const struct child_pipe *child);
int filter_summary(struct diagnostics *t, bool failed, bool lenient);

#endif
