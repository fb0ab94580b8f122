/* nsys_payload: the fields of an NVTX payload, which nsys 2025 and later exports with --include-blobs=true. */
#ifndef NSYS_PAYLOAD_H
#define NSYS_PAYLOAD_H

#include "trace2ndjson/formats/sqlite/database.h"

/* Returns a query for nsys_payload_put(), or NULL when the database describes no payloads. */
struct query *nsys_payload_query(struct database *db);

/*
 * Appends the member "payload", an object with the fields of the blob that have a plain number type. Appends nothing
 * when the blob has no valid header. A header has 32 bytes, in little-endian order: domain (4 bytes), 4 unused bytes,
 * schema (4), 4 unused bytes, size of the payload (8), size of the blob (8). The types of the fields are those of
 * nvToolsExtPayload.h. Offsets count from the end of the header; a field without an offset is at 0. `q` is the result
 * of nsys_payload_query().
 */
void nsys_payload_put(struct buf *args, struct query *q, struct str blob);

#endif
