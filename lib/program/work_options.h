/*
 * work_options: the options of programs that measure device work, the places whose work they measure, and messages on
 * work without a call.
 */
#ifndef WORK_OPTIONS_H
#define WORK_OPTIONS_H

#include "device/idle_cause.h"
#include "device/work_type.h"
#include "program/kernel_names_option.h"
#include "record/places.h"

/* The arguments of --per: each rank, device or stream is a place of its own. */
enum work_per { WORK_PER_ALL, WORK_PER_DEV, WORK_PER_STREAM };
extern const char *const work_per_names[];

/* Set `per` to the default; all other members are zero. */
struct work_options {
	int per;                   /* --per: enum work_per */
	uint32_t kinds;            /* -k */
	const char *regex[WORK_N]; /* --comm, --memory-ops, --other */
};

/* The options --per and -k, and the rules for types of work. */
/* clang-format off */
#define WORK_OPTIONS(o) {work_option_rows, o, NULL}
#define WORK_TYPE_OPTIONS(o) {work_type_option_rows, o, NULL}, KERNEL_NAMES_OPTION
/* clang-format on */
extern const struct opt work_option_rows[], work_type_option_rows[];

/* Returns the kinds of work, as bits 1u << kind, and whether a kind is one of them. */
uint32_t work_options_kinds(const struct work_options *o);
bool work_options_take_kind(const struct work_options *o, enum event_kind kind);

/* Returns the places without records; their members are rank, or rank and dev, or rank, dev and stream. */
struct places work_options_places(const struct work_options *o);

/* Initialises *types; exits with a message if an expression is invalid. */
void work_options_types(const struct work_options *o, struct work_types *types);

/*
 * Returns the end of a message on records without a call: the command that joins them and runs the program with the
 * options `options`. Returns "" if a script runs the program, because the script has already joined the records.
 */
const char *work_options_join_hint(const char *options);

/* Prints messages on idle intervals whose cause is uncertain. */
void work_options_report_idle(const struct idle_counts *counts);

#endif
