/*
 * fuzz target: every reader of trace2ndjson accepts any bytes, and its records are JSON. The first byte of an input
 * selects the reader and its options; the other bytes are the file (fuzz.h explains how to run it).
 */
#include "fuzz.h"

#include "trace2ndjson/formats/format.h"
#include "json/check.h"
#include "samples.h"
#include "io/temp_file.h"

#include <unistd.h>

static const struct format *const formats[] = {
#define FORMAT(id) &format_##id,
#include "trace2ndjson/formats/formats.def"
#undef FORMAT
};
/* The first byte: the reader, whether its options are set, and one of the modes. */
enum { READER = 0x1f, OPTIONS = 0x20, MODE = 0xc0, NO_ARGS = 0x40, KEEP_ARGS = 0x80, SMALL = 0xc0 };
enum { N_FORMATS = sizeof formats / sizeof *formats };

static void check_json(struct str json)
{
	struct fault f;

	HOLD(json_check(json, &f));
}

/*
 * Checks the members that event_write() writes: each must be valid JSON, and the attachments must consist of a comma
 * and members of an object.
 */
static void check_record(const struct event *e)
{
	struct buf object = {0};
	enum event_member m;

	for (m = EVENT_KIND; m < EVENT_N; m++) {
		if (event_has(e, m))
			check_json(e->m[m]);
	}
	if (!e->attachments.n)
		return;
	HOLD(e->attachments.p[0] == ',');
	buf_char(&object, '{');
	buf_add(&object, e->attachments.p + 1, e->attachments.n - 1);
	buf_char(&object, '}');
	check_json((struct str){object.p, object.n});
	buf_free(&object);
}

/* Removes all but the selected members of args. If the reader has cut args, there are no others. */
static void keep_args(const struct kept_args *kept, bool cut, struct event *e)
{
	const struct str args = event_has(e, EVENT_ARGS) ? e->m[EVENT_ARGS] : (struct str){NULL, 0};
	struct kept_args_memory m = {0};

	kept_args_apply(kept, &m, false, e);
	HOLD(!cut || str_eq(args, event_has(e, EVENT_ARGS) ? e->m[EVENT_ARGS] : (struct str){NULL, 0}));
	if (event_has(e, EVENT_ARGS))
		check_json(e->m[EVENT_ARGS]);
	e->has &= ~(1u << EVENT_ARGS);
	kept_args_memory_free(&m);
}

static void read_all(const struct format *format, uint8_t asked, const char *path)
{
	struct fault f;
	struct kept_args kept = {0};
	struct source *src = source_open(path, &f);
	struct diagnostics diagnostics = {0};
	struct reader r = {.src = src,
	    .path = path,
	    .file = "file",
	    .run = mem_zero(1, format->run_size),
	    .kinds = (1u << KIND_N) - 1,
	    .args = (asked & MODE) != NO_ARGS,
	    .kept = &kept,
	    .bare = (asked & MODE) == KEEP_ARGS ? UINT32_MAX : 0,
	    .max_record = (asked & MODE) == SMALL ? 256 : 1 << 20,
	    .diagnostics = &diagnostics};
	void *state = mem_zero(1, format->state_size);
	const struct opt *opt;
	struct event e;

	for (opt = format->options; opt && opt->name && asked & OPTIONS; opt++) {
		if (!opt->arg.name)
			opt_value_store(r.run, &(struct opt_value){.opt = opt});
	}
	HOLD(src);
	if ((asked & MODE) == KEEP_ARGS)
		kept_args_add(&kept, "", "stream,correlation,a");
	format_open(format, state, &r);
	while (format->next(state, &r, &e)) {
		if ((asked & MODE) == KEEP_ARGS)
			keep_args(&kept, r.cut, &e);
		check_record(&e);
	}
	format_close(format, state, &r);
	kept_args_free(&kept);
	free(state);
	free(r.run);
	source_close(src);
	diagnostics_free(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct format *format;
	struct str text;
	struct fault f;
	char path[32];
	size_t n;
	int fd;

	if (!size)
		return 0;
	format = formats[(data[0] & READER) % N_FORMATS];
	text = padded_copy((struct str){(const char *)data + 1, size - 1});
	for (n = 0; n <= text.n; n += n < 64 ? 1 : n)
		format->probe(str_head(text, n));
	format->probe(text);
	fd = temp_file_open(&f);
	HOLD(fd >= 0 && temp_file_write(fd, text.p, text.n, 0, &f));
	snprintf(path, sizeof path, "/dev/fd/%d", fd);
	read_all(format, data[0], path);
	close(fd);
	free((char *)text.p);
	return 0;
}
