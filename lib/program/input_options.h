/* input_options: the options that all programs that read traces or records have. */
#ifndef INPUT_OPTIONS_H
#define INPUT_OPTIONS_H

#include "program/opt.h"
#include "record/input.h"

/*
 * The options --check, --lenient, --max-record and --quiet of a program that reads records; the first three set
 * in->options.
 */
/* clang-format off */
#define INPUT_OPTIONS(in) {record_option_rows, &(in)->options, input_options_take}
/* clang-format on */
extern const struct opt record_option_rows[];

/*
 * The same options without --check. They are for converters, which always check their whole input; they set struct
 * input_options.
 */
/* clang-format off */
#define TRACE_OPTIONS(options) {trace_option_rows, options, input_options_take}
/* clang-format on */
extern const struct opt trace_option_rows[];

/*
 * The option --piece, for programs that need not see all records of a file; sets in->options.piece.
 */
/* clang-format off */
#define PIECE_OPTIONS(in) {piece_option_rows, &(in)->options, input_options_take_piece}
/* clang-format on */
extern const struct opt piece_option_rows[];

void input_options_take_piece(void *options, const struct opt_value *v);
void input_options_take(void *options, const struct opt_value *v);

#endif
