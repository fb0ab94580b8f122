#include "ndjson2folded/ancestry.h"

#include "json/scan.h"
#include "test.h"

static void add(struct ancestry *a, const char *text, int64_t weight)
{
	static char line[256];
	struct value v = {.type = VALUE_INT, .i = weight};
	struct event e;

	memset(line, 0, sizeof line);
	memcpy(line, text, strlen(text));
	CHECK(!event_parse(&e, (struct str){line, strlen(text)}));
	ancestry_add(a, &e, STR("root"), weight ? &v : NULL);
	memset(line, 'x', sizeof line); /* nothing of the record is kept but copies */
}

int main(void)
{
	const struct ancestry_node *path[ANCESTRY_DEPTH];
	struct ancestry a = {0};
	char text[64];
	int i;

	add(&a, "{\"name\":\"leaf\",\"id\":3,\"parent\":2}", 5); /* before its parent */
	add(&a, "{\"name\":\"middle\",\"id\":2,\"parent\":1}", 0);
	add(&a, "{\"name\":\"top\",\"id\":1}", 7);
	add(&a, "{\"name\":\"of another process\",\"id\":9,\"parent\":1,\"pid\":4}", 1);
	add(&a, "{\"name\":\"x\",\"id\":\"x\",\"parent\":\"y\"}", 1);
	add(&a, "{\"name\":\"y\",\"id\":\"y\",\"parent\":\"x\"}", 1);
	add(&a, "{\"id\":1,\"rank\":1,\"parent\":1}", 1); /* its own parent */

	CHECK_INT(ancestry_path(&a, 0, path), 3);
	CHECK_STR(ancestry_name(&a, path[0]), "\"leaf\"");
	CHECK_STR(ancestry_name(&a, path[1]), "\"middle\"");
	CHECK_STR(ancestry_name(&a, path[2]), "\"top\"");
	CHECK_STR(ancestry_root(&a, path[0]), "root");
	CHECK_INT(path[0]->weight.i, 5);
	CHECK(path[1]->weight.type == VALUE_NONE);
	CHECK_INT(ancestry_path(&a, 2, path), 1);
	CHECK_INT(a.orphans, 0);
	CHECK_INT(ancestry_path(&a, 3, path), 1);
	CHECK_INT(a.orphans, 1);
	CHECK_INT(ancestry_path(&a, 4, path), 0);
	CHECK_INT(ancestry_path(&a, 6, path), 0);
	CHECK_INT(ancestry_name(&a, &a.nodes[6]).n, 0);
	ancestry_free(&a);

	/* As deep as it goes, and one more. */
	for (i = 0; i <= ANCESTRY_DEPTH; i++) {
		snprintf(text, sizeof text, i ? "{\"id\":%d,\"parent\":%d}" : "{\"id\":%d}", i, i - 1);
		add(&a, text, 1);
	}
	CHECK_INT(ancestry_path(&a, ANCESTRY_DEPTH - 1, path), ANCESTRY_DEPTH);
	CHECK_INT(ancestry_path(&a, ANCESTRY_DEPTH, path), 0);
	ancestry_free(&a);
	return test_end();
}
