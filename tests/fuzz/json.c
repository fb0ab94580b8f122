/* fuzz target: the validator, the tree, iter and the scanner agree about a text (fuzz.h explains how to run it). */
#include "fuzz.h"

#include "json/check.h"
#include "json/string.h"
#include "json/tree.h"
#include "samples.h"
#include "slow_json.h"
#include "json/iter.h"

/* Returns whether iter accepts all of the text; in valid text, iter must find the same members as the tree. */
static bool walk_all(struct str text, bool valid, size_t depth)
{
	struct json_tree t = {0};
	struct str key, value, other_key, other;
	struct iter w;
	struct fault f;
	size_t at = 0;
	bool good;
	int r = 1;

	iter_init(&w, text);
	if (!w.close)
		return true; /* scan checks scalars */
	good = depth <= JSON_DEPTH;
	if (valid) {
		HOLD(json_tree_read(&t, text, &f));
		text = json_tree_get(&t, "");
		iter_init(&w, text);
	}
	while (good && (r = iter_next(&w, &key, &value)) > 0) {
		HOLD(value.p > text.p && value.n && value.p + value.n <= text.p + text.n);
		HOLD(!key.p || (key.p > text.p && key.p + key.n < value.p));
		if (valid)
			HOLD(json_tree_next(&t, &at, &other_key, &other) && other_key.p == key.p &&
			     other_key.n == key.n && other.p == value.p && other.n == value.n);
		good = walk_all(value, valid, depth + 1);
	}
	HOLD(!valid || !good || (r == 0 && !json_tree_next(&t, &at, &other_key, &other)));
	json_tree_free(&t);
	return good && r == 0;
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
	struct fault f = {0};
	bool good = slow_json(exact), record = str_starts(str_trim(exact), STR("{"));

	HOLD(json_check(exact, &f) == good);
	HOLD(good || (f.what && f.at.byte <= size));
	if (good)
		HOLD(walk_all(str_trim(padded), true, 1));
	else
		HOLD(!record || !walk_all(padded, false, 1) || !scan_clean(padded));
	try_strings(exact);
	free((char *)exact.p);
	free((char *)padded.p);
	return 0;
}
