/* sort_runs: short and long lines are returned in order, from memory and from temporary files. */
#include "ts-sort/sort_runs.h"

#include "io/temp_file.h"
#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINES = 20000 };

/* Returns the i-th line: ts, dur and number; some lines are much longer than a buffer. */
static struct str line(size_t i, int64_t ts, int64_t dur, char *room)
{
	size_t n = (size_t)snprintf(room, 64, "%lld %lld %zu", (long long)ts, (long long)dur, i);
	size_t pad = i % 5000 == 4999 ? 300000 : i % 997 == 0 ? 20000 : i % 40;

	memset(room + n, '.', pad);
	return (struct str){room, n + pad};
}

/* Sorts LINES lines in `memory` bytes and writes them to fd; returns true on success. */
static bool sort_into(int fd, size_t memory, int64_t range)
{
	struct sort_runs *r = sort_runs_new(memory);
	struct out o;
	struct fault f;
	char *room = malloc(400000);
	size_t i;
	bool good = true;
	int before = dup(STDOUT_FILENO);

	fflush(stdout);
	for (i = 0; good && i < LINES; i++) {
		int64_t ts = (int64_t)(i * 2654435761u % 1000003) % range - range / 2,
			dur = (int64_t)(i * 40503u % 65536 % 5) - 2;

		good = sort_runs_add(r, ts, dur, line(i, ts, dur, room), &f);
	}
	dup2(fd, STDOUT_FILENO);
	out_open(&o);
	good = good && sort_runs_write(r, &o, &f);
	good = out_close(&o, &(struct fault){0}) && good;
	dup2(before, STDOUT_FILENO);
	close(before);
	sort_runs_free(r);
	free(room);
	return good;
}

/* Checks that the contents of fd are complete and in order. */
static void check_order(int fd)
{
	FILE *file = fdopen(fd, "r");
	long long ts, dur, ts0 = -1000000000, dur0 = 0;
	size_t i, i0 = 0, n = 0, disorder = 0, size = 0;
	char *text = NULL;

	rewind(file);
	for (; getline(&text, &size, file) > 0; n++, ts0 = ts, dur0 = dur, i0 = i) {
		char *at = text;

		ts = strtoll(at, &at, 10);
		dur = strtoll(at, &at, 10);
		i = strtoull(at, &at, 10);
		disorder += ts < ts0 || (ts == ts0 && (dur > dur0 || (dur == dur0 && i <= i0)));
		disorder += strspn(at, ".") != (i % 5000 == 4999 ? 300000 : i % 997 == 0 ? 20000 : i % 40);
	}
	CHECK_INT(n, LINES);
	CHECK_INT(disorder, 0);
	free(text);
	fclose(file);
}

static size_t files_in(const char *folder)
{
	DIR *d = opendir(folder);
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void check_temp(void)
{
	struct fault f = {0};
	char got[5] = "";
	int fd;

	fd = temp_file_open(&f);
	CHECK(fd >= 0);
	CHECK_INT(files_in("folder"), 2); /* . and .. */
	CHECK(temp_file_write(fd, "hello", 5, 3, &f) && temp_file_read(fd, got, 5, 3, &f));
	CHECK_STR(((struct str){got, 5}), "hello");
	CHECK(!temp_file_read(fd, got, 5, 4, &f));
	CHECK_STR(str_of(f.what), "cannot read a temporary file");
	close(fd);
	setenv("TMPDIR", "nowhere", 1);
	CHECK(temp_file_open(&f) < 0);
	CHECK_STR(str_of(f.what), "cannot create a temporary file");
	CHECK_STR(str_of(f.at.file), "nowhere");
	setenv("TMPDIR", "", 1);
	fd = temp_file_open(&f);
	CHECK(fd >= 0);
	close(fd);
}

void unit_test(void)
{
	static const size_t sizes[] = {0, SORT_RUNS_LEAST, 200000, 1 << 20, 64 << 20};
	static const int64_t ranges[] = {1, 10, 1000000};
	struct fault f;
	size_t i, j;
	int fd;

	CHECK(mkdir("folder", 0700) == 0);
	setenv("TMPDIR", "folder", 1);
	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		for (j = 0; j < sizeof ranges / sizeof *ranges; j++) {
			fd = temp_file_open(&f);
			CHECK(sort_into(fd, sizes[i], ranges[j]));
			check_order(fd);
		}
	}
	CHECK_INT(files_in("folder"), 2);
	check_temp();
}
