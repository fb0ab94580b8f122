/*
 * timeline: reads the raw memory timelines of PyTorch (export_memory_timeline("x.raw.json.gz")): an array of rows with
 * the time in ns, the action, the change of the allocated bytes, and the category:
 *
 *   [[-1, 1, 512, 0], [1700000000000001000, 2, 4096, 4], ...
 *
 *   {"kind":"mark","name":"preexisting","cat":"memory_timeline","bytes":512,"args":{"category":"parameter"}}
 *   {"ts":1700000000000001000,"kind":"mark","name":"create","cat":"memory_timeline","bytes":4096,
 *    "args":{"category":"activation"}}
 *
 * The sum of `bytes` is what is allocated. A negative time means that PyTorch does not know it: the record has no ts.
 */
#include "base/num_parse.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"
#include "trace2ndjson/formats/draft.h"

enum { TIME, ACTION, BYTES, CATEGORY, COLUMNS };

struct timeline {
	bool begun, ended;
};

/* The numbers of torch.profiler._memory_profiler: of Action from 1 on, and of Category in the order of the export. */
static const char *const actions[] = {"", "preexisting", "create", "increment_version", "destroy"};
static const char *const categories[] = {
    "parameter", "optimizer_state", "input", "temporary", "activation", "gradient", "autograd_detail", "unknown"};

/* Reads a row of COLUMNS integers; false if it is another value. */
static bool read_row(struct str text, int64_t *v)
{
	struct str value;
	struct iter at;
	size_t n = 0;

	if (!iter_array(&at, text))
		return false;
	while (iter_element(&at, &value)) {
		if (n == COLUMNS || num_whole(value, &v[n++]) != NUM_OK)
			return false;
	}
	return n == COLUMNS;
}

static bool put_record(const struct reader *r, const int64_t *v, struct event *e)
{
	const uint64_t action = (uint64_t)v[ACTION], category = (uint64_t)v[CATEGORY];

	draft_begin(r, e, KIND_MARK);
	event_set(e, EVENT_CAT, STR("\"memory_timeline\""));
	if (v[TIME] >= 0)
		event_set_ts(e, v[TIME]);
	if (action && action < sizeof actions / sizeof *actions)
		draft_name(r->draft, str_of(actions[action]));
	else
		json_write_int(&r->draft->args, "action", v[ACTION]);
	draft_int(r->draft, e, EVENT_BYTES, v[BYTES]);
	if (category < sizeof categories / sizeof *categories)
		json_write_text(&r->draft->args, "category", str_of(categories[category]));
	else
		json_write_int(&r->draft->args, "category", v[CATEGORY]);
	return draft_end(r, e);
}

/* Reads the text that precedes the next row; false, after a message, if no row follows. */
static bool begin_row(struct timeline *t, struct reader *r)
{
	bool comma = false;

	if (!t->begun)
		t->begun = document_take(r, '[');
	else if (!(comma = document_take(r, ',')) && document_peek(r) == '[')
		reader_lost(r, "no comma between two rows", 0, r->src->offset);
	if (t->begun && document_peek(r) == '[')
		return true;
	t->ended = true;
	if (document_peek(r) < 0)
		reader_cut(r, "cut short: the array of rows does not end", 0, r->src->offset);
	else if (!t->begun || comma || !document_take(r, ']'))
		reader_lost(r, "not a row of a timeline; the rest of the file is not read", 0, r->src->offset);
	else if (document_peek(r) >= 0)
		reader_lost(r, "text follows the end of the timeline; not read", 0, r->src->offset);
	return false;
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct timeline *t = state;
	int64_t v[COLUMNS];
	struct str row;
	bool cut, made;

	while (!t->ended && begin_row(t, r)) {
		r->offset = r->src->offset;
		row.n = document_value(r, &cut);
		row.p = r->src->p;
		t->ended = !row.n;
		if (cut)
			return reader_cut(r, "cut short inside a row", 0, r->offset);
		if (!row.n)
			return reader_lost(r, "row larger than --max-record; the rest is not read", 0, r->offset);
		made = json_check(row, NULL) && read_row(row, v);
		source_skip(r->src, row.n);
		if (!made)
			reader_lost(r, "row that is not four integers; skipped", 0, r->offset);
		else if (put_record(r, v, e))
			return 1;
	}
	return 0;
}

/* Whether it is an array whose first element is a row: events of Chrome are objects. */
static bool is_timeline(struct str head)
{
	int64_t v[COLUMNS];
	size_t end;

	head = str_trim(head);
	if (!str_starts(head, STR("[")))
		return false;
	head = str_trim(str_head(str_from(head, 1), 512));
	end = str_find(head, STR("]"));
	if (!str_starts(head, STR("[")) || end == head.n)
		return false;
	head = str_head(head, end + 1);
	return json_check(head, NULL) && read_row(head, v);
}

const struct format format_timeline = {
    .name = "timeline",
    .help = "raw memory timelines of PyTorch: export_memory_timeline(\"x.raw.json.gz\")",
    .example = "trace2ndjson x.raw.json.gz",
    .probe = is_timeline,
    .state_size = sizeof(struct timeline),
    .next = next,
};
