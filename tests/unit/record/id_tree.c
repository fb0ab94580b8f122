/* id_tree: finds parents by id, in any order; ids that repeat, are missing, or form cycles. */
#include "record/id_tree.h"

#include "samples.h"
#include "test.h"

#include <stdlib.h>

static void add(struct id_tree *t, const char *text)
{
	struct str line = padded_copy(str_of(text));
	struct event e;

	CHECK(!event_parse(&e, line));
	id_tree_add(t, &e);
	memset((char *)line.p, 'x', line.n); /* the tree must not need the text of the record later */
	free((char *)line.p);
}

static void check(const struct id_tree *t, size_t i, int parent, int depth, bool orphan, bool cut)
{
	const struct id_tree_node *node = &t->nodes[i];

	CHECK_INT(node->parent == ID_TREE_NONE ? -1 : (int)node->parent, parent);
	CHECK_INT(node->depth, depth);
	CHECK_INT(node->orphan, orphan);
	CHECK_INT(node->cut, cut);
}

static void test_parents(void)
{
	struct id_tree t = {0};

	/* A child comes before its parent. The id may be written in any form, but "3" is not 3. */
	add(&t, "{\"id\":3,\"parent\":\"p\"}");
	add(&t, "{\"id\":\"p\",\"parent\":\"top\"}");
	add(&t, "{\"id\":\"top\"}");
	add(&t, "{\"parent\":\"\\u0070\"}");
	add(&t, "{\"parent\":3}");
	add(&t, "{\"parent\":\"3\"}");
	/* When an id repeats, the first record with that id is not a parent. */
	add(&t, "{\"id\":\"twice\"}");
	add(&t, "{\"parent\":\"twice\"}");
	add(&t, "{\"id\":\"twice\"}");
	/* The same id in another rank or process is a different id. */
	add(&t, "{\"parent\":\"p\",\"rank\":1}");
	add(&t, "{\"parent\":\"p\",\"pid\":1}");
	id_tree_link(&t);
	CHECK_INT(t.n, 11);
	check(&t, 0, 1, 2, false, false);
	check(&t, 1, 2, 1, false, false);
	check(&t, 2, -1, 0, false, false);
	check(&t, 3, 1, 2, false, false);
	check(&t, 4, 0, 3, false, false);
	check(&t, 5, -1, 0, true, false);
	check(&t, 6, -1, 0, false, false);
	check(&t, 7, 8, 1, false, false);
	check(&t, 8, -1, 0, false, false);
	check(&t, 9, -1, 0, true, false);
	check(&t, 10, -1, 0, true, false);
	id_tree_free(&t);
}

/*
 * A cycle of three records (x, y, z); t and the last record are below x. The cycle is cut so that z is a
 * root, and x, which is reached first, is the deepest of the three. A record that is its own parent becomes a root.
 */
static void test_circles(void)
{
	struct id_tree t = {0};

	add(&t, "{\"id\":\"t\",\"parent\":\"x\"}");
	add(&t, "{\"id\":\"x\",\"parent\":\"y\"}");
	add(&t, "{\"id\":\"y\",\"parent\":\"z\"}");
	add(&t, "{\"id\":\"z\",\"parent\":\"x\"}");
	add(&t, "{\"id\":\"self\",\"parent\":\"self\"}");
	add(&t, "{\"parent\":\"x\"}");
	id_tree_link(&t);
	check(&t, 0, 1, 3, false, false);
	check(&t, 1, 2, 2, false, false);
	check(&t, 2, 3, 1, false, false);
	check(&t, 3, -1, 0, false, true);
	check(&t, 4, -1, 0, false, true);
	check(&t, 5, 1, 3, false, false);
	id_tree_free(&t);
}

/* A chain from a leaf to its root, much deeper than recursion could be. */
static void test_depth(void)
{
	enum { DEPTH = 300000 };
	struct id_tree t = {0};
	char text[64];
	int i;

	for (i = DEPTH; i > 0; i--) {
		snprintf(text, sizeof text, "{\"id\":%d,\"parent\":%d}", i, i - 1);
		add(&t, text);
	}
	id_tree_link(&t);
	CHECK_INT(t.nodes[0].depth, DEPTH - 1);
	CHECK_INT(t.nodes[DEPTH / 2].depth, DEPTH - 1 - DEPTH / 2);
	CHECK(t.nodes[DEPTH - 1].orphan);
	id_tree_free(&t);
}

void unit_test(void)
{
	test_parents();
	test_circles();
	test_depth();
}
