/* program/filter: the summary of lost and repaired data, with and without --quiet, and the exit status. */
#include "test.h"

#include "program/filter.h"

#include <fcntl.h>
#include <unistd.h>

/* Returns the text that filter_summary() prints; *status is set to the status that it returns. */
static struct str summary(struct diagnostics *t, bool failed, bool lenient, int *status)
{
	static char room[4096];
	int saved = dup(STDERR_FILENO), fd = open("filter.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t n;

	dup2(fd, STDERR_FILENO);
	*status = filter_summary(t, failed, lenient);
	dup2(saved, STDERR_FILENO);
	close(saved);
	n = pread(fd, room, sizeof room, 0);
	close(fd);
	remove("filter.tmp");
	return (struct str){room, n > 0 ? (size_t)n : 0};
}

static void test_summary(void)
{
	static const char a[] = "a.json", b[] = "b.json";
	struct diagnostics t = {0};
	int status;

	CHECK_STR(summary(&t, false, false, &status), "");
	CHECK_INT(status, STATUS_OK);
	CHECK_STR(summary(&t, true, true, &status), "");
	CHECK_INT(status, STATUS_FAIL);
	diagnostics_add(&t, DIAGNOSTICS_REPAIRED, "repaired", (struct fault_location){a, 7, 0});
	diagnostics_add(&t, DIAGNOSTICS_NOTE, "odd", (struct fault_location){a, 0, 0});
	CHECK_STR(summary(&t, false, false, &status), "prog: a.json:7: repaired\nprog: a.json: byte 0: odd\n");
	CHECK_INT(status, STATUS_OK);
	CHECK_INT(t.n, 0);
	diagnostics_add_many(&t, DIAGNOSTICS_LOST, "cut", (struct fault_location){a, 3, 9}, 42);
	diagnostics_add(&t, DIAGNOSTICS_LOST, "cut", (struct fault_location){b, 0, 12});
	CHECK_STR(
	    summary(&t, false, false, &status), "prog: a.json:3: cut (and 41 more)\nprog: b.json: byte 12: cut\n");
	CHECK_INT(status, STATUS_LOST);
	t.lost = true;
	CHECK_STR(summary(&t, false, true, &status), "");
	CHECK_INT(status, STATUS_OK);
	t.lost = true;
	CHECK_STR(summary(&t, false, false, &status), "");
	CHECK_INT(status, STATUS_LOST);
}

static void test_quiet(void)
{
	static const char a[] = "a.json";
	struct diagnostics t = {0};
	int status;

	err_set_quiet();
	diagnostics_add(&t, DIAGNOSTICS_NOTE, "odd", (struct fault_location){a, 1, 0});
	diagnostics_add(&t, DIAGNOSTICS_REPAIRED, "repaired", (struct fault_location){a, 2, 0});
	diagnostics_add(&t, DIAGNOSTICS_LOST, "cut", (struct fault_location){a, 3, 0});
	diagnostics_add(&t, DIAGNOSTICS_WARNING, "assumed", (struct fault_location){a, 4, 0});
	CHECK_STR(summary(&t, false, false, &status),
	    "prog: a.json:2: repaired\nprog: a.json:3: cut\nprog: a.json:4: assumed\n");
	CHECK_INT(status, STATUS_LOST);
}

void unit_test(void)
{
	err_init("/bin/prog");
	test_summary();
	test_quiet();
}
