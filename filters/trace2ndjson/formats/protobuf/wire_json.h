/* wire_json: writes values of protobuf messages as JSON. */
#ifndef WIRE_JSON_H
#define WIRE_JSON_H

#include "trace2ndjson/formats/format.h"

void wire_put_uint(struct buf *b, uint64_t v);
void wire_put_int(struct buf *b, int64_t v);
/* JSON has no infinite numbers: they become the texts "Infinity", "-Infinity", "NaN". */
void wire_put_double(struct buf *b, double v);
/* A text of the file; `at` is the offset at which bytes that are not UTF-8 are reported. */
void wire_put_text(struct reader *r, uint64_t at, struct buf *b, struct str text);
/* A text for a name that the file does not contain: "#12", "category 3". */
void wire_put_numbered(struct buf *b, const char *prefix, uint64_t number);

#endif
