/*
 * fuzz target: the reader of PlaidML's logs accepts any bytes, as a log and as any message in a log. Its records are
 * JSON. A file and a pipe give the same records (fuzz.h explains how to run this target).
 */
#include "fuzz.h"

#include "base/hash.h"
#include "json/check.h"
#include "trace2ndjson/formats/plaidml/plaidml.h"
#include "io/temp_file.h"

#include <unistd.h>

static void check_text(struct str json)
{
	struct fault f;

	HOLD(json_check(json, &f));
}

/* Reads the log at `path` as a file or as a pipe; returns a checksum of its records. */
static uint64_t read_log(const char *path, bool as_file, bool raw_clock)
{
	struct plaidml_run run = {.raw_clock = raw_clock};
	struct plaidml p = {0};
	struct fault f;
	struct source *src = source_open(path, &f);
	struct diagnostics diagnostics = {0};
	struct reader r = {.src = src,
	    .path = as_file ? path : "-",
	    .file = "log",
	    .run = &run,
	    .kinds = (1u << KIND_N) - 1,
	    .args = true,
	    .max_record = 1 << 20,
	    .diagnostics = &diagnostics};
	struct event e;
	uint64_t sum = 0;
	enum event_member m;

	HOLD(src);
	format_plaidml.open(&p, &r);
	while (format_plaidml.next(&p, &r, &e) > 0) {
		for (m = EVENT_KIND; m < EVENT_N; m++) {
			if (!event_has(&e, m))
				continue;
			check_text(e.m[m]);
			sum = sum * 31 + hash_str(e.m[m]);
		}
		sum = sum * 31 + (uint64_t)(event_has(&e, EVENT_TS) ? e.ts : 0);
	}
	format_plaidml.close(&p, &r);
	source_close(src);
	diagnostics_free(&diagnostics);
	return sum;
}

static void read_messages(struct str text)
{
	struct plaidml_stream own = {.known = false};
	struct buf b = {0};
	const char *fault;
	enum plaidml_meta meta;

	for (meta = 0; meta < PLAIDML_UNKNOWN; meta++) {
		b.n = 0;
		buf_char(&b, '{');
		fault = NULL;
		if (plaidml_meta_put(&b, meta, text, &own, &fault)) {
			buf_char(&b, '}');
			check_text((struct str){b.p, b.n});
		} else {
			HOLD(fault);
		}
		plaidml_meta_name(meta, text);
	}
	buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	char path[32];
	struct fault f;
	int fd = temp_file_open(&f);
	size_t i;

	HOLD(fd >= 0 && temp_file_write(fd, data, size, 0, &f));
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	for (i = 0; i <= size && i <= 64; i++)
		format_plaidml.probe(str_head(text, i));
	HOLD(read_log(path, true, false) == read_log(path, false, false));
	read_log(path, true, true);
	read_messages(text);
	close(fd);
	return 0;
}
