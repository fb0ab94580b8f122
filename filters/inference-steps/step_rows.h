/* step_rows: writes steps as rows of a table, or sums over the steps of a phase with percentiles of their times. */
#ifndef STEP_ROWS_H
#define STEP_ROWS_H

#include "program/table_options.h"
#include "step_figures.h"

struct step_rows;

/* `each`: a row for each step; otherwise a row for each rank, family and phase. */
struct step_rows *step_rows_begin(
    struct step_log *log, bool each, const struct table_options *options, struct out *out);

/* For step_figures_compute(); `rows` is a struct step_rows. */
void step_rows_add(void *rows, const struct step_figures *figures);

/* Writes the sums, and frees *r. */
void step_rows_end(struct step_rows *r);

#endif
