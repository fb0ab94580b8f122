/* table_machine: writes rows in the formats for programs (ndjson csv tsv raw), directly into the output's buffer. */
#ifndef TABLE_MACHINE_H
#define TABLE_MACHINE_H

#include "io/out.h"
#include "table/table_data.h"
#include "table/table_format.h"

/* Zero-initialise and set the first members. */
struct table_machine {
	enum table_format format;
	struct buf kind; /* ndjson: the key and value of the member `kind`; empty: rows do not have this member */
	/* private */
	struct buf text; /* a decoded cell */
	bool has_head;   /* the line with the names was written */
};

/* Writes the line with the names of the columns (csv and tsv), if it was not written. */
void table_machine_head(struct table_machine *m, struct out *out, const struct table_data *data);

/* Writes the current row, and the names before the first one. */
void table_machine_row(struct table_machine *m, struct out *out, const struct table_data *data);

void table_machine_free(struct table_machine *m);

#endif
