#include "json/tree.h"

#include "base/num_parse.h"
#include "json/check.h"
#include "json/scan.h"
#include "json/string.h"

#include <stdlib.h>

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS /* without these links, jsmn takes quadratic time */
#include <jsmn.h>

static bool fail(struct fault *f, const char *what)
{
	*f = (struct fault){.what = what};
	return false;
}

_Static_assert(JSON_TREE_BYTES == 64 << 20 && JSON_TREE_TOKENS == 1048576, "messages say so");

bool json_tree_read(struct json_tree *t, struct str text, struct fault *f)
{
	jsmn_parser parser;
	int result;

	t->n = t->text.n = 0;
	if (text.n > JSON_TREE_BYTES)
		return fail(f, "larger than 64 MiB");
	if (!json_check(text, f)) /* jsmn itself would accept words like `tru`, and commas before a closing bracket */
		return false;
	scan_append(&t->text, text);
	if (*t->text.p != '{' && *t->text.p != '[')
		return fail(f, "not an object or array");
	jsmn_init(&parser);
	do { /* each call continues where jsmn ran out of tokens */
		t->tokens = mem_grow(t->tokens, &t->cap, parser.toknext + 1, sizeof(jsmntok_t));
		result = jsmn_parse(&parser, t->text.p, t->text.n, t->tokens,
		    (unsigned)(t->cap < JSON_TREE_TOKENS ? t->cap : JSON_TREE_TOKENS));
	} while (result == JSMN_ERROR_NOMEM && parser.toknext < JSON_TREE_TOKENS);
	if (result < 0)
		return fail(f, result == JSMN_ERROR_NOMEM ? "more than 1048576 keys and values" : "not JSON");
	t->n = parser.toknext;
	return true;
}

void json_tree_free(struct json_tree *t)
{
	buf_free(&t->text);
	free(t->tokens);
	*t = (struct json_tree){.n = 0};
}

/* Returns the text of a token; the text of a string does not include its quotes. */
static struct str inner(const struct json_tree *t, size_t i)
{
	const jsmntok_t *token = (const jsmntok_t *)t->tokens + i;

	return (struct str){t->text.p + token->start, (size_t)(token->end - token->start)};
}

/* The same as inner(), but the text of a string includes its quotes. */
static struct str value_of(const struct json_tree *t, size_t i)
{
	const size_t quote = ((const jsmntok_t *)t->tokens)[i].type == JSMN_STRING;
	const struct str s = inner(t, i);

	return (struct str){s.p - quote, s.n + 2 * quote};
}

static bool spells(struct str key, struct str name)
{
	struct buf plain = {0};
	const bool same = str_eq(json_decoded(&plain, key), name);

	buf_free(&plain);
	return same;
}

/* Returns the token of the value that `step`, a key or an index, selects in the token `from`; 0 when it is absent. */
static size_t find(const struct json_tree *t, size_t from, struct str step)
{
	const jsmntok_t *token = t->tokens;
	const bool array = token[from].type == JSMN_ARRAY;
	int64_t number, seen = 0;
	size_t i, found = 0;

	for (i = from + 1; i < t->n && token[i].start < token[from].end; i++) {
		if ((size_t)token[i].parent != from)
			continue;
		if (array ? num_int(step, &number) == NUM_OK && number == seen++ : spells(inner(t, i), step))
			found = i + !array; /* in an object, the value is the token after its key */
	}
	return found;
}

struct str json_tree_get(const struct json_tree *t, const char *path)
{
	struct str rest = str_of(path), step;
	size_t at = 0;

	if (!t->n)
		return (struct str){NULL, 0};
	while (*path && str_split(&rest, '.', &step)) {
		at = find(t, at, step);
		if (!at)
			return (struct str){NULL, 0};
	}
	return value_of(t, at);
}

bool json_tree_next(const struct json_tree *t, size_t *at, struct str *key, struct str *value)
{
	const jsmntok_t *token = t->tokens;
	size_t i = *at + !*at; /* the first member follows the outermost token */

	while (i < t->n && token[i].parent != 0)
		i++;
	if (i >= t->n)
		return false;
	*key = (struct str){NULL, 0};
	if (token[0].type == JSMN_OBJECT)
		*key = inner(t, i++);
	*value = value_of(t, i);
	*at = i + 1;
	return true;
}
