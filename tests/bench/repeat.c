/*
 * repeat: a long trace made of a short one, for the benchmark and the memory tests.
 *
 *	repeat FILE MB [PERIOD]
 *
 * writes the records of FILE (NDJSON in ts order) in rounds, until a round ends after MB * 10^6 bytes or more. Each
 * round is PERIOD ns later than the preceding round and has new correlation ids. By default PERIOD is the time from the
 * first to the last ts, so that the long trace is as dense as the short one. Every "ts" is shifted, also in api; args
 * are unchanged.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number that increases with each round, and the text after it, up to the next such number. */
struct slot {
	int64_t value, step;
	const char *text;
	size_t n;
};

static struct slot *slots;
static size_t n_slots, cap_slots;
static int64_t first_ts, last_ts, most_corr;

static void fail(const char *what)
{
	fprintf(stderr, "repeat: %s\n", what);
	exit(2);
}

/* Returns the content of a file, with a zero byte after it. */
static char *slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	long size = 0;

	if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) <= 0)
		fail("cannot read the file");
	*n = (size_t)size;
	text = malloc(*n + 1);
	rewind(f);
	if (!text || fread(text, 1, *n, f) != *n)
		fail("cannot read the file");
	fclose(f);
	text[*n] = '\0';
	return text;
}

static void add_slot(int64_t value, const char *text, bool is_ts)
{
	static bool any;
	struct slot *grown;

	if (n_slots == cap_slots) {
		cap_slots = cap_slots ? cap_slots * 2 : 1024;
		grown = realloc(slots, cap_slots * sizeof *slots);
		if (!grown)
			fail("out of memory");
		slots = grown;
	}
	slots[n_slots++] = (struct slot){value, is_ts, text, 0}; /* the step is set when all records have been read */
	if (!is_ts) {
		most_corr = value > most_corr ? value : most_corr;
		return;
	}
	if (!any)
		first_ts = value;
	any = true;
	last_ts = value > last_ts ? value : last_ts;
}

/* In JSON text, `"ts":` is always a key: a quote inside a string has a backslash before it. */
static const char *next_number(const char *p, bool *is_ts)
{
	for (; (p = strchr(p, '"')); p++) {
		*is_ts = strncmp(p, "\"ts\":", 5) == 0;
		p += *is_ts ? 5 : strncmp(p, "\"corr\":", 7) == 0 ? 7 : 0;
		if (*p != '"')
			return p;
	}
	return NULL;
}

static void take_apart(const char *text, size_t n)
{
	const char *at = text, *end = text + n, *p;
	char *after;
	bool is_ts;

	slots = malloc(sizeof *slots);
	cap_slots = n_slots = 1;
	slots[0] = (struct slot){0, 0, text, n}; /* no number, only the text before the first one */
	while ((p = next_number(at, &is_ts))) {
		int64_t value = strtoll(p, &after, 10);

		at = p;
		if (after == p || (*after != ',' && *after != '}'))
			continue; /* numbers that are not integers stay unchanged */
		slots[n_slots - 1].n = (size_t)(p - slots[n_slots - 1].text);
		add_slot(value, after, is_ts);
		at = after;
	}
	slots[n_slots - 1].n = (size_t)(end - slots[n_slots - 1].text);
}

int main(int argc, char **argv)
{
	int64_t left, period;
	size_t n, i;
	char *text;

	if (argc < 3)
		fail("usage: repeat FILE MB [PERIOD]");
	text = slurp(argv[1], &n);
	take_apart(text, n);
	period = argc > 3 ? strtoll(argv[3], NULL, 10) : last_ts - first_ts;
	for (i = 1; i < n_slots; i++)
		slots[i].step = slots[i].step ? period : most_corr;
	for (left = strtoll(argv[2], NULL, 10) * 1000000; left > 0;) {
		for (i = 0; i < n_slots; i++) {
			struct slot *s = &slots[i];

			if (i > 0)
				left -= printf("%" PRId64, s->value);
			if (fwrite(s->text, 1, s->n, stdout) != s->n)
				fail("cannot write");
			left -= (int64_t)s->n;
			s->value += s->step;
		}
	}
	if (fflush(stdout) != 0)
		fail("cannot write");
	free(slots);
	free(text);
	return 0;
}
