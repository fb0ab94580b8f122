/*
 * fuzz target: the reader of PlaidML's logs accepts any bytes, as a log and as any message in a log. Its records are
 * JSON, and do not depend on what else is selected (fuzz.h explains how to run this target).
 */
#include "fuzz.h"

#include "base/hash.h"
#include "json/check.h"
#include "trace2ndjson/formats/plaidml/plaidml_message.h"
#include "io/temp_file.h"

#include <stdlib.h>
#include <unistd.h>

static void check_text(struct str json)
{
	struct fault f;

	HOLD(json_check(json, &f));
}

/* Reads the log at `path`; returns a checksum of its records of kind other. */
static uint64_t read_log(const char *path, uint32_t kinds)
{
	void *run = mem_zero(1, format_plaidml.run_size), *state = mem_zero(1, format_plaidml.state_size);
	struct fault f;
	struct source *src = source_open(path, &f);
	struct diagnostics diagnostics = {0};
	struct reader r = {.src = src,
	    .path = path,
	    .file = "log",
	    .run = run,
	    .kinds = kinds,
	    .args = true,
	    .max_record = 1 << 20,
	    .diagnostics = &diagnostics};
	struct event e;
	uint64_t sum = 0;
	enum event_member m;

	HOLD(src);
	format_open(&format_plaidml, state, &r);
	while (format_plaidml.next(state, &r, &e) > 0) {
		for (m = EVENT_KIND; m < EVENT_N; m++) {
			if (!event_has(&e, m))
				continue;
			check_text(e.m[m]);
			if (event_get_kind(&e) == KIND_OTHER)
				sum = sum * 31 + hash_str(e.m[m]);
		}
	}
	format_close(&format_plaidml, state, &r);
	free(state);
	free(run);
	source_close(src);
	diagnostics_free(&diagnostics);
	return sum;
}

static void read_messages(struct str text)
{
	static const char *const urls[] = {"type.vertex.ai/vertexai.tile.RunInfo",
	    "type.vertex.ai/vertexai.tile.KernelInfo", "type.vertex.ai/vertexai.tile.BuildInfo",
	    "type.vertex.ai/vertexai.tile.PlatformInfo", "type.vertex.ai/vertexai.tile.DeviceInfo",
	    "type.vertex.ai/vertexai.tile.CompilationInfo", "type.vertex.ai/vertexai.tile.Schedule"};
	struct plaidml_stream own = {.known = false};
	const struct plaidml_type *type;
	struct buf b = {0};
	struct wire w;
	size_t i;

	for (i = 0; i < sizeof urls / sizeof *urls; i++) {
		type = plaidml_type_of(str_of(urls[i]));
		HOLD(type);
		b.n = 0;
		buf_char(&b, '{');
		w.fault = NULL;
		if (plaidml_type_put(&b, type, text, &own, &w)) {
			buf_char(&b, '}');
			check_text(buf_str(&b));
		} else {
			HOLD(w.fault);
		}
		plaidml_type_title(type, text);
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
	HOLD(read_log(path, (1u << KIND_N) - 1) == read_log(path, 1u << KIND_OTHER));
	read_messages(text);
	close(fd);
	return 0;
}
