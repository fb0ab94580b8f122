/*
 * xla_details: the texts in which XLA describes device work: kernel_details, memcpy_details and memset_details, such as
 * "regs:20 grid:1280,1,1 block:256,1,1 occ_pct:100" and "kind:H2D size:4096 dest:0 async:1".
 */
#ifndef XLA_DETAILS_H
#define XLA_DETAILS_H

#include "trace2ndjson/formats/draft.h"

/* Appends the members grid and block to args, an open object, if the text has both. */
void xla_details_grid(struct str details, struct buf *args);

/* Sets the member bytes to the size of a copy or set, if the text has one. */
void xla_details_size(struct str details, struct draft *draft, struct event *e);

#endif
