#include "call-tree/id_tree.h"

#include "json/scan.h"
#include "test.h"

static void add(struct id_tree *f, const char *text, bool launch)
{
	char line[300] = {0}; /* which the next one overwrites */
	struct event e;

	memcpy(line, text, strlen(text));
	event_parse(&e, (struct str){line, strlen(text)});
	id_tree_add(f, &e, f->nodes.n + 1, launch);
	memset(line, 'x', sizeof line);
}

static void check(struct id_tree *f, size_t i, int parent, int depth, int children, int launches, int self)
{
	struct tree *t = id_tree_at(f, i, NULL);

	CHECK_INT(t->parent == ID_TREE_NONE ? -1 : (int)t->parent, parent);
	CHECK_INT(t->depth, depth);
	CHECK_INT(t->children, children);
	CHECK_INT(t->launches, launches);
	CHECK_INT(t->self, self);
	CHECK_INT(t->node, i + 1);
}

int main(void)
{
	struct id_tree f = {.nodes.each = sizeof(struct tree)};

	/* Children before their parent, beyond it, at once, on another clock. */
	add(&f, "{\"ts\":0,\"dur\":10,\"id\":\"c\",\"parent\":\"p\"}", true);
	add(&f, "{\"ts\":0,\"dur\":100,\"id\":\"p\"}", false);
	add(&f, "{\"ts\":5,\"dur\":10,\"id\":3,\"parent\":\"p\"}", false);
	add(&f, "{\"ts\":90,\"dur\":30,\"parent\":\"p\"}", false);
	add(&f, "{\"ts\":50,\"dur\":10,\"parent\":\"p\",\"clock\":\"gpu\"}", false);
	add(&f, "{\"ts\":130,\"dur\":10,\"parent\":\"\\u0070\"}", true);
	add(&f, "{\"ts\":130,\"parent\":3,\"id\":4}", false);
	/* Not of the same rank, and "3" is not 3. */
	add(&f, "{\"ts\":131,\"dur\":1,\"parent\":\"p\",\"rank\":1}", false);
	add(&f, "{\"ts\":131,\"dur\":1,\"parent\":\"3\"}", false);
	/* A circle of three with a tail; who is in it first is below the others. */
	add(&f, "{\"ts\":132,\"dur\":1,\"id\":\"t\",\"parent\":\"x\"}", true);
	add(&f, "{\"ts\":132,\"dur\":1,\"id\":\"x\",\"parent\":\"y\"}", false);
	add(&f, "{\"ts\":132,\"dur\":1,\"id\":\"y\",\"parent\":\"z\"}", false);
	add(&f, "{\"ts\":132,\"dur\":1,\"id\":\"z\",\"parent\":\"x\"}", false);
	add(&f, "{\"ts\":132,\"dur\":1,\"id\":\"self\",\"parent\":\"self\"}", false);
	/* A second one of an id is nobody's parent. */
	add(&f, "{\"ts\":133,\"dur\":1,\"id\":\"p\"}", false);
	id_tree_grow(&f);

	check(&f, 0, 1, 1, 0, 0, 10);
	check(&f, 1, -1, 0, 5, 2, 100 - 15 - 10);
	check(&f, 2, 1, 1, 1, 0, 10);
	check(&f, 3, 1, 1, 0, 0, 30);
	check(&f, 4, 1, 1, 0, 0, 10);
	check(&f, 5, 1, 1, 0, 0, 10);
	check(&f, 6, 2, 2, 0, 0, 0);
	check(&f, 7, -1, 0, 0, 0, 1);
	check(&f, 8, -1, 0, 0, 0, 1);
	check(&f, 9, 10, 3, 0, 0, 1);
	check(&f, 10, 11, 2, 1, 1, 0);
	check(&f, 11, 12, 1, 1, 1, 0);
	check(&f, 12, -1, 0, 1, 1, 0);
	check(&f, 13, -1, 0, 0, 0, 1);
	check(&f, 14, -1, 0, 0, 0, 1);
	CHECK_INT(f.orphans, 4);
	id_tree_free(&f);
	return test_end();
}
