/* diagnostics: one line a class and file, in the order they came, with the first place. */
#include "test.h"

#include "base/diagnostics.h"

#include <fcntl.h>
#include <unistd.h>

static struct str told(struct diagnostics *t, bool *lost)
{
	static char room[4096];
	int saved = dup(STDERR_FILENO), fd = open("tally.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t n;

	dup2(fd, STDERR_FILENO);
	*lost = diagnostics_report(t);
	dup2(saved, STDERR_FILENO);
	close(saved);
	n = pread(fd, room, sizeof room, 0);
	close(fd);
	remove("tally.tmp");
	return (struct str){room, n > 0 ? (size_t)n : 0};
}

int main(void)
{
	static const char a[] = "a.json", b[] = "b.json";
	char same[] = "cut";
	struct diagnostics t = {0};
	bool lost;

	err_init("/bin/prog");
	CHECK_STR(told(&t, &lost), "");
	CHECK(!lost);
	diagnostics_add(&t, DIAGNOSTICS_REPAIRED, "mended", (struct place){a, 7, 0});
	diagnostics_add(&t, DIAGNOSTICS_NOTE, "odd", (struct place){a, 0, 0});
	CHECK_STR(told(&t, &lost), "prog: a.json:7: mended\nprog: a.json: byte 0: odd\n");
	CHECK(!lost);
	CHECK_INT(t.n, 0);
	diagnostics_add(&t, DIAGNOSTICS_LOST, "cut", (struct place){a, 3, 9});
	diagnostics_add(&t, DIAGNOSTICS_LOST, same, (struct place){a, 5, 0});
	diagnostics_add(&t, DIAGNOSTICS_LOST, "cut", (struct place){b, 0, 12});
	diagnostics_add_many(&t, DIAGNOSTICS_LOST, "cut", (struct place){a, 6, 0}, 40);
	diagnostics_add(&t, DIAGNOSTICS_NOTE, "cut", (struct place){a, 8, 0});
	diagnostics_add_many(&t, DIAGNOSTICS_REPAIRED, "mended", (struct place){a, 9, 0}, 2);
	CHECK_STR(told(&t, &lost), "prog: a.json:3: cut (and 41 more)\nprog: b.json: byte 12: cut\nprog: a.json:8: cut\n"
				   "prog: a.json:9: mended (and 1 more)\n");
	CHECK(lost);
	err_set_quiet();
	diagnostics_add(&t, DIAGNOSTICS_NOTE, "odd", (struct place){a, 1, 0});
	diagnostics_add(&t, DIAGNOSTICS_REPAIRED, "mended", (struct place){a, 2, 0});
	diagnostics_add(&t, DIAGNOSTICS_LOST, "cut", (struct place){a, 3, 0});
	diagnostics_add(&t, DIAGNOSTICS_WARNING, "assumed", (struct place){a, 4, 0});
	CHECK_STR(told(&t, &lost), "prog: a.json:2: mended\nprog: a.json:3: cut\nprog: a.json:4: assumed\n");
	CHECK(lost);
	return test_end();
}
