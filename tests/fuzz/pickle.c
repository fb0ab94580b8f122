/*
 * fuzz target: the reader of pickles accepts any bytes, and what it reads is JSON within the limits. The first byte
 * selects the limits and the size of the pieces in which the bytes arrive.
 */
#include "fuzz.h"

#include "json/check.h"
#include "json/scan.h"
#include "trace2ndjson/formats/pickle/pickle.h"

struct piece_reader {
	const char *p;
	size_t n, piece;
};

static ssize_t read_piece(void *arg, char *p, size_t n, struct fault *fault, struct fault *note)
{
	struct piece_reader *r = arg;
	size_t most = r->piece < n ? r->piece : n;

	(void)fault;
	(void)note;
	most = most < r->n ? most : r->n;
	memcpy(p, r->p, most);
	r->p += most;
	r->n -= most;
	return (ssize_t)most;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pickle_limits limits[] = {{.file = 1 << 20, .text = 1 << 20, .stack = 1 << 16, .depth = 32},
	    {.text = 1 << 20}, {.file = 100, .text = 1 << 20}, {.text = 200, .stack = 10, .depth = 3}};
	const uint8_t how = size ? data[0] : 0;
	struct piece_reader r = {.p = (const char *)data + 1, .n = size ? size - 1 : 0, .piece = how & 4 ? 1 : 4096};
	struct source *src = source_new("file", (struct source_feed){read_piece, &r});
	struct buf json = {0};
	struct fault f = {0};

	if (pickle_read(src, &limits[how & 3], &json, &f)) {
		scan_pad(&json);
		HOLD(json_check((struct str){json.p, json.n}, &f));
	} else {
		HOLD(f.what && f.at.byte <= size);
	}
	source_close(src);
	buf_free(&json);
	return 0;
}
