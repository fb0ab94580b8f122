/* tree: the nodes of valid texts against a recursion over the text alone. */
#include "json/tree.h"

#include "json/check.h"
#include "json_texts.h"
#include "samples.h"
#include "slow_json.h"
#include "test.h"

/* The tree again, by recursion over the text alone; returns the index behind the value's nodes. */
static size_t check_nodes(const struct json *j, size_t i, struct slow *s)
{
	const struct json_node *n = &j->nodes[i];
	const char *text = j->text.p;
	size_t child = i + 1, size = 0;
	int c;

	slow_space(s);
	c = slow_peek(s);
	CHECK(i < j->n);
	if (c == '{' || c == '[') {
		CHECK_INT(n->type, c == '{' ? JSON_OBJECT : JSON_ARRAY);
		CHECK_INT(n->start, (const char *)s->p - text);
		s->p++;
		slow_space(s);
		if (slow_peek(s) != '}' && slow_peek(s) != ']') {
			do {
				if (c == '{') {
					size_t key = child;

					child = check_nodes(j, child, s);
					CHECK_INT(j->nodes[key].next, child);
					slow_space(s);
					slow_eat(s, ':');
				}
				child = check_nodes(j, child, s);
				slow_space(s);
				size++;
			} while (slow_eat(s, ','));
		}
		s->p++;
	} else if (c == '"') {
		CHECK_INT(n->type, JSON_STRING);
		CHECK_INT(n->start, (const char *)s->p - text + 1);
		slow_string(s);
		CHECK_INT(n->end, (const char *)s->p - text - 1);
		CHECK_INT(n->size, 0);
		CHECK_INT(n->next, i + 1);
		return child;
	} else {
		CHECK_INT(n->type, JSON_OTHER);
		CHECK_INT(n->start, (const char *)s->p - text);
		slow_value(s);
	}
	CHECK_INT(n->end, (const char *)s->p - text);
	CHECK_INT(n->size, size);
	CHECK_INT(n->next, child);
	return child;
}

static void test_tree(void)
{
	struct json j = {0};
	struct fault f;
	struct buf b = {0};
	struct slow s;
	size_t i, o;

	for (i = 0; i < VALID_TEXTS + SAMPLES; i++) {
		struct str text = i < SAMPLES ? str_of(samples[i]) : valid_texts[i - SAMPLES];

		CHECK(json_parse(&j, text, &f));
		s = (struct slow){(const unsigned char *)text.p, (const unsigned char *)text.p + text.n, 0};
		CHECK_INT(check_nodes(&j, 0, &s), j.n);
	}
	/* One tree over all of them, so that the arrays grow in the middle. */
	buf_lit(&b, "[0");
	for (i = 0; i < 300; i++) {
		buf_lit(&b, ",");
		buf_add(&b, samples[i % SAMPLES], strlen(samples[i % SAMPLES]));
	}
	buf_lit(&b, "]");
	json_free(&j);
	CHECK(json_parse(&j, (struct str){b.p, b.n}, &f));
	s = (struct slow){(const unsigned char *)b.p, (const unsigned char *)b.p + b.n, 0};
	CHECK_INT(check_nodes(&j, 0, &s), j.n);
	CHECK_INT(j.nodes[0].size, 301);
	for (i = 0; i < INVALID_TEXTS; i++)
		CHECK(!json_parse(&j, invalid_texts[i], &f));

	CHECK(json_parse(&j, str_of(samples[4]), &f));
	CHECK_STR(json_text(&j, json_member(&j, 0, STR("a"))), "2");
	CHECK_STR(json_text(&j, json_member(&j, 0, STR(""))), "\"\"");
	CHECK_STR(json_text(&j, json_member(&j, 0, STR("k\\u0041"))), "[ ]");
	CHECK_INT(json_member(&j, 0, STR("b")), 0);
	o = 2; /* the first "a" */
	CHECK_STR(json_text(&j, json_member(&j, o, STR("b"))), "{\"c\":[{\"d\":[[[[1]]]]},\"e\"]}");
	CHECK_INT(json_member(&j, json_member(&j, 0, STR("a")), STR("b")), 0);
	json_free(&j);
	buf_free(&b);
}

/* A tree as deep as a text may be. */
static void test_depth(void)
{
	struct json j = {0};
	struct buf b = {0};
	struct fault f;
	size_t i;

	for (i = 0; i < JSON_DEPTH; i++)
		buf_lit(&b, "{\"k\":");
	buf_lit(&b, "1");
	for (i = 0; i < JSON_DEPTH; i++)
		buf_lit(&b, "}");
	CHECK(json_parse(&j, (struct str){b.p, b.n}, &f));
	CHECK_INT(j.n, 2 * JSON_DEPTH + 1);
	CHECK_INT(j.nodes[0].next, j.n);
	CHECK_INT(json_member(&j, 2 * JSON_DEPTH - 2, STR("k")), 2 * JSON_DEPTH);
	json_free(&j);
	buf_free(&b);
}

int main(void)
{
	test_tree();
	test_depth();
	return test_end();
}
