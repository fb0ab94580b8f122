/* input_options: the options that all programs that read traces or records have. */
#ifndef INPUT_OPTIONS_H
#define INPUT_OPTIONS_H

#include "program/opt.h"
#include "record/input.h"

/*
 * INPUT_OPTIONS: the options --check, --lenient, --max-record and --quiet of a program that reads records; they set
 * in->options. TRACE_OPTIONS: the same without --check, for converters, which always check their whole input.
 * PIECE_OPTIONS: the option --piece, for programs that need not see all records of a file.
 */
/* clang-format off */
#define INPUT_OPTIONS(in) {record_option_rows, &(in)->options, input_options_take}
#define TRACE_OPTIONS(options) {trace_option_rows, options, input_options_take}
#define PIECE_OPTIONS(in) {piece_option_rows, &(in)->options, input_options_take_piece}
/* clang-format on */
extern const struct opt record_option_rows[], trace_option_rows[], piece_option_rows[];

void input_options_take_piece(void *options, const struct opt_value *v);
void input_options_take(void *options, const struct opt_value *v);

#endif
