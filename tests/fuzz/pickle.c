/*
 * fuzz target: the reader of pickles accepts any bytes, and what it reads is JSON within the limits. The first byte
 * selects the limits, the size of the pieces in which the bytes arrive, and whether dictionaries are returned one by
 * one.
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

/* Reads the value as JSON. Returns whether the pickle is accepted. */
static bool read_value(struct source *src, const struct pickle_limits *limits, struct fault *f)
{
	struct buf json = {0};
	const bool read = pickle_read(src, limits, &json, f);

	if (read) {
		scan_pad(&json);
		HOLD(json_check(buf_str(&json), f));
	}
	buf_free(&json);
	return read;
}

/* Copies the text, with quotes around a key, because the check reads past its end. */
static void check_text(struct str text, bool is_key)
{
	struct buf copy = {0};
	struct fault f;

	buf_add(&copy, "\"", is_key);
	buf_add(&copy, text.p, text.n);
	buf_add(&copy, "\"", is_key);
	scan_pad(&copy);
	HOLD(json_check(buf_str(&copy), &f));
	buf_free(&copy);
}

/* Reads the dictionaries of the lists of a memory snapshot. */
static bool read_items(struct source *src, const struct pickle_limits *limits, struct fault *f)
{
	static const struct pickle_list lists[] = {{"segments", PICKLE_ROOT, false}, {"blocks", 0, false},
	    {"device_traces", PICKLE_ROOT, true}, {"external_annotations", PICKLE_ROOT, false}};
	struct pickle *p = pickle_open(src, limits, lists, sizeof lists / sizeof *lists);
	struct pickle_item item;
	int64_t v;
	size_t i;
	int got;

	while ((got = pickle_next(p, &item, f)) > 0) {
		HOLD(item.list >= PICKLE_ROOT && item.list < (int)(sizeof lists / sizeof *lists));
		pickle_outer(p, "device", &v);
		for (i = 0; i < item.n; i++) {
			check_text(item.members[i].key, true);
			if (!item.members[i].is_integer)
				check_text(item.members[i].value, false);
		}
	}
	pickle_close(p);
	return got == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pickle_limits limits[] = {{.file = 1 << 20, .text = 1 << 20, .stack = 1 << 16, .depth = 32},
	    {.text = 1 << 20}, {.file = 100, .text = 1 << 20}, {.text = 200, .stack = 10, .depth = 3}};
	const uint8_t how = size ? data[0] : 0;
	struct piece_reader r = {.p = (const char *)data + 1, .n = size ? size - 1 : 0, .piece = how & 4 ? 1 : 4096};
	struct source *src = source_new("file", (struct source_feed){read_piece, &r});
	struct fault f = {0};
	const bool read = (how & 8 ? read_items : read_value)(src, &limits[how & 3], &f);

	HOLD(read || (f.what && f.at.byte <= size));
	source_close(src);
	return 0;
}
