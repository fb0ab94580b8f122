#include "onednn.h"

#include "base/char_class.h"

#define VERBOSE "verbose,"

static const struct marker {
	struct str text;
	bool old, graph;
} markers[] = {
    {{"onednn_verbose,", 15}, false, false},
    {{"onednn_graph_verbose,", 21}, false, true},
    {{"mkldnn_verbose,", 15}, true, false},
    {{"dnnl_verbose,", 13}, false, false},
};
enum { N_MARKERS = sizeof markers / sizeof *markers };

static const struct marker *marker_of(struct str text)
{
	size_t i;

	for (i = 0; i < N_MARKERS; i++) {
		if (str_starts(text, markers[i].text))
			return &markers[i];
	}
	return NULL;
}

size_t onednn_find(struct str text)
{
	struct str rest = text, head;
	size_t at, i;

	if (marker_of(text))
		return 0;
	while ((at = str_find(rest, STR(VERBOSE))) < rest.n) {
		head = str_head(text, (size_t)(rest.p - text.p) + at + sizeof VERBOSE - 1);
		for (i = 0; i < N_MARKERS; i++) {
			if (str_ends(head, markers[i].text))
				return head.n - markers[i].text.n;
		}
		rest = str_from(rest, at + sizeof VERBOSE - 1);
	}
	return text.n;
}

/* Returns the field at the start of `rest`, without its comma; n == 0 when `rest` has no comma. */
static struct str peek(struct str rest)
{
	const char *comma = rest.n ? memchr(rest.p, ',', rest.n) : NULL;

	return (struct str){rest.p, comma ? (size_t)(comma - rest.p) : 0};
}

static void skip(struct str *rest, struct str field)
{
	*rest = str_from(*rest, field.n + 1);
}

static bool is_time(struct str s)
{
	const char *dot = s.n && is_digit(s.p[0]) ? memchr(s.p, '.', s.n) : NULL;

	return dot && str_all(str_head(s, (size_t)(dot - s.p)), is_digit) &&
	       str_all(str_from(s, (size_t)(dot - s.p) + 1), is_digit);
}

static bool is_component(struct str s)
{
	static const char *const all[] = {"primitive", "graph", "common", "ukernel", NULL};

	return str_in(s, all);
}

static struct str cache_of(struct str op)
{
	struct str after = str_from(op, str_find(op, STR(":")) + 1);
	const struct str cache = STR("cache_");

	return str_starts(after, cache) ? str_from(after, cache.n) : after;
}

/* Sets the type from the operation. Operations have variants after a colon, and newer versions add more variants. */
static bool set_type(struct onednn_line *l)
{
	static const char *const untimed[] = {"create:check", "create:dispatch", "create:start", "exec:check",
	    "exec:external", "exec:start", "error", "warning", "debuginfo", NULL};

	if (str_eq(l->op, STR("exec")))
		l->type = ONEDNN_EXEC;
	else if (str_eq(l->op, STR("info")))
		l->type = ONEDNN_INFO;
	else if (str_in(l->op, untimed))
		l->type = ONEDNN_DIAG;
	else if (str_eq(l->op, STR("create")) || str_starts(l->op, STR("create:")) ||
		 str_starts(l->op, STR("create_nested")) || str_starts(l->op, STR("compile:")))
		l->type = ONEDNN_CREATE;
	else
		return false;
	return true;
}

bool onednn_split(struct onednn_line *l, struct str text)
{
	const struct marker *marker = marker_of(text);
	struct str field;

	if (!marker)
		return false;
	*l = (struct onednn_line){.old = marker->old, .graph = marker->graph, .rest = str_from(text, marker->text.n)};
	field = peek(l->rest);
	if (field.n > 1 && field.p[0] == 'v' && str_all(str_from(field, 1), is_digit)) {
		l->version = field;
		skip(&l->rest, field);
		field = peek(l->rest);
	}
	if (is_time(field)) {
		l->time = field;
		skip(&l->rest, field);
		field = peek(l->rest);
	}
	if (is_component(field)) {
		l->component = field;
		l->graph |= str_eq(field, STR("graph"));
		skip(&l->rest, field);
		field = peek(l->rest);
	}
	l->op = field;
	skip(&l->rest, field);
	if (!field.n || !set_type(l))
		return false;
	if (l->type == ONEDNN_CREATE)
		l->cache = cache_of(l->op);
	l->nested = l->graph || str_starts(l->op, STR("create_nested"));
	return true;
}
