/* ndjson: reads event records (events.5) in any form: checks them, and puts them into canonical order. */
#include "trace2ndjson/formats/format.h"

#include "json/scan.h"
#include "json/iter.h"
#include "json/write.h"

struct ndjson {
	struct lines lines;
	struct buf repaired, line, more;
};

/* Adds the nonstandard members to the record as attachments; also ts and dur, if they are not whole numbers. */
static void take_others(struct ndjson *n, struct event *e)
{
	struct iter w;
	struct str key, value;
	enum event_member m = EVENT_N;

	n->more.n = 0;
	e->more = (struct str){NULL, 0};
	if (e->plain)
		return;
	iter_init(&w, e->raw);
	while (event_next(&w, &m, &key, &value) > 0) {
		if (m < EVENT_N && (event_has(e, m) || str_eq(value, STR("null"))))
			continue;
		json_write_member(&n->more, key, value);
	}
	e->more = (struct str){n->more.p, n->more.n};
}

static void open_ndjson(void *state, struct reader *r)
{
	struct ndjson *n = state;

	lines_begin(&n->lines, r->src, SCAN_LINES, r->max_record);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct ndjson *n = state;
	struct line line;
	struct str text;
	const char *why;

	while (lines_next(&n->lines, &line) > 0) {
		text = reader_sound(r, &line, line.text, &n->repaired);
		if (!text.p)
			continue;
		n->line.n = 0;
		buf_room(&n->line, text.n + 64 + SCAN_PAD);
		n->line.n = scan_squeeze(n->line.p, text).n;
		why = event_parse(e, (struct str){n->line.p, n->line.n});
		if (why) {
			reader_lost(r, why, line.line, line.offset);
			continue;
		}
		if (e->twice)
			reader_repaired(r, 1u << REPAIR_DUPLICATE, line.line, line.offset);
		take_others(n, e);
		r->line = line.line;
		return 1;
	}
	reader_over(r, &n->lines, "record larger than --max-record; skipped");
	return 0;
}

static void close_ndjson(void *state, struct reader *r)
{
	struct ndjson *n = state;

	(void)r;
	buf_free(&n->repaired);
	buf_free(&n->line);
	buf_free(&n->more);
}

/*
 * Whether the first line is one object with at least one member of event records, and without the members that only
 * Chrome's events or PyTorch's execution traces have.
 */
static bool probe(struct str head)
{
	struct str line, key, value;
	struct iter w;
	bool ours = false;

	if (!head_line(&head, &line))
		return false;
	line = str_trim(line);
	if (line.p[0] != '{')
		return false;
	iter_init(&w, line);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("ph")) || str_eq(key, STR("traceEvents")) || str_eq(key, STR("schema")))
			return false;
		ours |= event_member(key) < EVENT_N;
	}
	return ours;
}

const struct format format_ndjson = {
    .name = "ndjson",
    .help = "event records, one JSON object per line, as all filters read and write",
    .example = "jq -c . records.ndjson | trace2ndjson",
    .probe = probe,
    .state_size = sizeof(struct ndjson),
    .open = open_ndjson,
    .next = next,
    .close = close_ndjson,
};
