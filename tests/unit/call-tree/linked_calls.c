#include "call-tree/linked_calls.h"

#include "json/scan.h"
#include "test.h"

static void add(struct linked_calls *l, const char *text)
{
	char line[300] = {0}; /* overwritten at the end, to test that records were copied */
	struct event e;

	memcpy(line, text, strlen(text));
	event_parse(&e, (struct str){line, strlen(text)});
	linked_calls_add(l, &e, &(struct call_node){.node = l->calls.n + 1});
	memset(line, 'x', sizeof line);
}

static void check(struct linked_calls *l, size_t i, int children, int self)
{
	const struct call_node *c = linked_calls_at(l, i, NULL);

	CHECK_INT(c->children, children);
	CHECK_INT(c->self, self);
	CHECK_INT(c->node, i + 1);
}

void unit_test(void)
{
	struct linked_calls l = {.calls.each = sizeof(struct call_node)};

	/* Children that come before their parent, outlast it, overlap each other, or are on another clock. */
	add(&l, "{\"ts\":0,\"dur\":10,\"id\":\"c\",\"parent\":\"p\"}");
	add(&l, "{\"ts\":0,\"dur\":100,\"id\":\"p\"}");
	add(&l, "{\"ts\":5,\"dur\":10,\"id\":3,\"parent\":\"p\"}");
	add(&l, "{\"ts\":90,\"dur\":30,\"parent\":\"p\"}");
	add(&l, "{\"ts\":50,\"dur\":10,\"parent\":\"p\",\"clock\":\"gpu\"}");
	add(&l, "{\"ts\":130,\"dur\":10,\"parent\":\"p\"}");
	add(&l, "{\"ts\":130,\"parent\":3,\"id\":4}");
	/* A record whose parent does not exist; a cycle of two records, and a record whose parent is in the cycle. */
	add(&l, "{\"ts\":131,\"dur\":1,\"parent\":\"nobody\"}");
	add(&l, "{\"ts\":132,\"dur\":1,\"id\":\"t\",\"parent\":\"x\"}");
	add(&l, "{\"ts\":132,\"dur\":1,\"id\":\"x\",\"parent\":\"y\"}");
	add(&l, "{\"ts\":132,\"dur\":1,\"id\":\"y\",\"parent\":\"x\"}");
	linked_calls_complete(&l);

	check(&l, 0, 0, 10);
	check(&l, 1, 5, 100 - 15 - 10);
	check(&l, 2, 1, 10);
	check(&l, 3, 0, 30);
	check(&l, 4, 0, 10);
	check(&l, 5, 0, 10);
	check(&l, 6, 0, 0);
	check(&l, 7, 0, 1);
	check(&l, 8, 0, 1);
	check(&l, 9, 1, 0);
	check(&l, 10, 1, 0);
	CHECK_INT(l.orphans, 2);
	linked_calls_free(&l);
}
