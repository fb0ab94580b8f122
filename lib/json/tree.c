#include "json/tree.h"

#include "json/check.h"

#include <limits.h>
#include <stdlib.h>

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

/* jsmn in strict mode knows no numbers and words outside brackets: they make a tree of one node. */
static bool lone_scalar(struct json *j)
{
	struct str s = str_trim(j->text);
	uint32_t start = (uint32_t)(s.p - j->text.p), end = start + (uint32_t)s.n;

	if (*s.p == '{' || *s.p == '[')
		return false;
	j->nodes = mem_grow(j->nodes, &j->cap, 1, sizeof *j->nodes);
	j->n = 1;
	if (*s.p == '"')
		j->nodes[0] = (struct json_node){JSON_STRING, start + 1, end - 1, 0, 1};
	else
		j->nodes[0] = (struct json_node){JSON_OTHER, start, end, 0, 1};
	return true;
}

static int tokenise(struct json *j)
{
	jsmn_parser parser;
	int n;

	jsmn_init(&parser);
	do {
		/* jsmn goes on where it ran out of tokens. */
		j->tokens.p = mem_grow(j->tokens.p, &j->tokens.cap, parser.toknext + 1, sizeof(jsmntok_t));
		n = jsmn_parse(&parser, j->text.p, j->text.n, j->tokens.p,
		    (unsigned)(j->tokens.cap < UINT_MAX ? j->tokens.cap : UINT_MAX));
	} while (n == JSMN_ERROR_NOMEM);
	return n < 0 ? n : (int)parser.toknext;
}

static enum json_type type_of(const jsmntok_t *t)
{
	switch (t->type) {
	case JSMN_OBJECT:
		return JSON_OBJECT;
	case JSMN_ARRAY:
		return JSON_ARRAY;
	case JSMN_STRING:
		return JSON_STRING;
	default:
		return JSON_OTHER;
	}
}

static void make_nodes(struct json *j, size_t n)
{
	const jsmntok_t *tokens = j->tokens.p, *t;
	struct json_node *node;
	size_t i;

	j->nodes = mem_grow(j->nodes, &j->cap, n, sizeof *j->nodes);
	j->n = n;
	for (i = 0; i < n; i++) {
		t = &tokens[i];
		node = &j->nodes[i];
		*node = (struct json_node){type_of(t), (uint32_t)t->start, (uint32_t)t->end, (uint32_t)t->size,
		    (uint32_t)i + 1};
		if (node->type == JSON_STRING)
			node->size = 0; /* jsmn counts a key's value */
	}
	/* From the back, what is below a node is known before the node; a key hands its value's on. */
	for (i = n; i-- > 1;) {
		size_t up = (size_t)tokens[i].parent;

		if (j->nodes[up].type == JSON_STRING)
			up = (size_t)tokens[up].parent;
		if (j->nodes[i].next > j->nodes[up].next)
			j->nodes[up].next = j->nodes[i].next;
	}
}

bool json_parse(struct json *j, struct str text, struct fault *f)
{
	int n;

	j->text = text;
	j->n = 0;
	if (text.n > INT_MAX / 2) { /* jsmn's offsets and numbers of tokens are int */
		*f = (struct fault){.what = "record over 1 GiB"};
		return false;
	}
	if (!json_check(text, f))
		return false;
	if (lone_scalar(j))
		return true;
	n = tokenise(j);
	if (n < 0) {
		*f = (struct fault){.what = "not JSON"};
		return false;
	}
	make_nodes(j, (size_t)n);
	return true;
}

void json_free(struct json *j)
{
	free(j->nodes);
	free(j->tokens.p);
	*j = (struct json){0};
}

struct str json_text(const struct json *j, size_t node)
{
	const struct json_node *t = &j->nodes[node];
	size_t quote = t->type == JSON_STRING;

	return (struct str){j->text.p + t->start - quote, t->end - t->start + 2 * quote};
}

size_t json_member(const struct json *j, size_t object, struct str key)
{
	const struct json_node *o = &j->nodes[object], *k;
	size_t i, found = 0;

	if (o->type != JSON_OBJECT)
		return 0;
	for (i = object + 1; i < o->next; i = j->nodes[i + 1].next) {
		k = &j->nodes[i];
		if (str_eq((struct str){j->text.p + k->start, k->end - k->start}, key))
			found = i + 1;
	}
	return found;
}
