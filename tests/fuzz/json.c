/* fuzz target: the validator, the tree, the walker and the scanner agree about one text (fuzz.h says how to run). */
#include "fuzz.h"

#include "json/check.h"
#include "json/string.h"
#include "json/tree.h"
#include "samples.h"
#include "slow_json.h"
#include "json/iter.h"

/* Whether walk finds JSON in all of the text; with a tree of it, every value where the tree has it. */
static bool walk_all(struct str text, const struct json *j, size_t node, size_t depth)
{
	struct str key, value;
	struct iter w;
	size_t at = node + 1;
	int r;

	iter_open(&w, text);
	if (!w.close)
		return true; /* scan sees to scalars */
	if (depth > JSON_DEPTH)
		return false;
	while ((r = iter_next(&w, &key, &value)) > 0) {
		HOLD(value.p > text.p && value.n && value.p + value.n <= text.p + text.n);
		HOLD(!key.p || (key.p > text.p && key.p + key.n < value.p));
		if (j && key.p)
			HOLD(key.p == j->text.p + j->nodes[at++].start);
		if (j)
			HOLD(str_eq(value, json_text(j, at)) && value.p == json_text(j, at).p);
		if (!walk_all(value, j, at, depth + 1))
			return false;
		at = j ? j->nodes[at].next : 0;
	}
	HOLD(!j || (r == 0 && at == j->nodes[node].next));
	return r == 0;
}

static void try_strings(struct str text)
{
	struct buf quoted = {0}, back = {0};

	json_quote(&quoted, text);
	HOLD(slow_json((struct str){quoted.p, quoted.n}));
	json_unescape(&back, (struct str){quoted.p + 1, quoted.n - 2});
	quoted.n = 0;
	json_quote(&quoted, (struct str){back.p, back.n});
	HOLD(slow_json((struct str){quoted.p, quoted.n}));
	buf_free(&quoted);
	buf_free(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str exact = exact_copy((struct str){(const char *)data, size}), padded = padded_copy(exact);
	struct json j = {0};
	struct fault f = {0};
	bool good = slow_json(exact), record = str_starts(str_trim(exact), STR("{"));

	HOLD(json_check(exact, &f) == good);
	HOLD(good || (f.what && f.at.byte <= size));
	HOLD(json_parse(&j, exact, &f) == good);
	j.text = padded;
	if (good)
		HOLD(walk_all(str_trim(padded), &j, 0, 1));
	else
		HOLD(!record || !walk_all(padded, NULL, 0, 1) || !scan_clean(padded));
	try_strings(exact);
	json_free(&j);
	free((char *)exact.p);
	free((char *)padded.p);
	return 0;
}
