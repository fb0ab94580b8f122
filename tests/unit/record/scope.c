#include "record/scope.h"

#include "test.h"

static const struct str none;

int main(void)
{
	struct scopes s = {0};
	struct scope_place a = {STR("0"), STR("7"), STR("\"main\"")}, b = a, nowhere = {none, none, none};
	size_t thread = scopes_put(&s, 0, SCOPE_THREAD, &a), process, rank;

	process = scopes_put(&s, 0, SCOPE_PROCESS, &a);
	rank = scopes_put(&s, 0, SCOPE_ANY, &a);
	CHECK_INT(thread, 0);
	CHECK_INT(process, 1);
	CHECK_INT(rank, 2);
	CHECK_INT(s.n, 3);
	b.tid = STR("\"\\u006dain\"");
	CHECK_INT(scopes_put(&s, 0, SCOPE_THREAD, &b), thread);
	CHECK_INT(s.n, 3);
	b.tid = none;
	CHECK_INT(scopes_put(&s, 0, SCOPE_THREAD, &b), 3);
	CHECK_INT(scopes_put(&s, 0, SCOPE_PROCESS, &b), process);
	b.tid = STR("\"\"");
	CHECK_INT(scopes_put(&s, 0, SCOPE_THREAD, &b), 4);
	b.rank = STR("1");
	CHECK_INT(scopes_put(&s, 0, SCOPE_PROCESS, &b), 5);
	CHECK_INT(scopes_put(&s, 0, SCOPE_ANY, &b), 6);
	CHECK_INT(scopes_put(&s, 1, SCOPE_ANY, &b), 7);
	CHECK_INT(scopes_put(&s, 0, SCOPE_ANY, &nowhere), 8);
	CHECK_INT(scopes_put(&s, 0, SCOPE_PROCESS, &nowhere), 9);
	CHECK_INT(scopes_put(&s, 0, SCOPE_THREAD, &a), thread);
	scopes_free(&s);
	CHECK_INT(s.n, 0);
	return test_end();
}
