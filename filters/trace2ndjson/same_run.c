#include "same_run.h"

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the path without the ending of a compressed file and of a form of a run; p is NULL if no such ending. */
static struct str stem(struct str path)
{
	static const char *const compressed[] = {".gz", ".zst"};
	/* .trace.json precedes .json, the longer ending first. */
	static const char *const forms[] = {
	    ".xplane.pb", ".trace.json", ".nsys-rep", ".qdrep", ".sqlite", ".db", ".jsonl", ".json", ".pftrace"};
	size_t i;

	for (i = 0; i < sizeof compressed / sizeof *compressed; i++) {
		if (str_ends(path, str_of(compressed[i]))) {
			path.n -= strlen(compressed[i]);
			break;
		}
	}
	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (str_ends(path, str_of(forms[i])))
			return str_head(path, path.n - strlen(forms[i]));
	}
	return (struct str){0};
}

void same_run_note(char *const *paths)
{
	struct map stems = {0};
	char *const *path;
	const char **first = NULL; /* for each stem its first path */
	const char *one = NULL, *other = NULL;
	size_t i, known, cap = 0, n = 0;
	char more[48] = "";
	struct str s;

	for (path = paths; *path; path++) {
		s = stem(str_of(*path));
		if (!s.p)
			continue;
		known = stems.n;
		i = map_put(&stems, s);
		if (i == known) {
			first = mem_grow(first, &cap, stems.n, sizeof *first);
			first[i] = *path;
		} else if (strcmp(first[i], *path) != 0 && !n++) {
			one = first[i];
			other = *path;
		}
	}
	if (n > 1)
		snprintf(more, sizeof more, " (and %zu more)", n - 1);
	if (n)
		note("%s and %s may be the same run in two forms, whose events count twice%s", one, other, more);
	map_free(&stems);
	free(first);
}
