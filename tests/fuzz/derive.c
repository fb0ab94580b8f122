/*
 * fuzz target: derive with any assignments and any record writes the record unchanged, or JSON with the assigned
 * members. The input is assignments, one per line, then an empty line, then records (fuzz.h describes how to run it).
 */
#include "fuzz.h"
#include "record_mutator.h"
#include "records.h"

#include "derive/assignments.h"
#include "json/check.h"
#include "samples.h"

enum { ROOM = 8 << 20, ASSIGNMENTS_MOST = 8 /* few, because each can double the length of a text */ };

static void add_assignments(struct assignments *a, struct str *rest)
{
	struct fault f;
	struct str line;
	char *text;

	while (a->n < ASSIGNMENTS_MOST && str_split(rest, '\n', &line) && line.n) {
		const enum assignment_kind kind = line.p[0] == '<'   ? ASSIGNMENT_PREVIOUS
						  : line.p[0] == '+' ? ASSIGNMENT_SUM
								     : ASSIGNMENT_EXPRESSION;

		text = str_dup(str_from(line, kind != ASSIGNMENT_EXPRESSION));
		if (!assignments_add(a, kind, text, &f))
			HOLD(f.what && f.at.byte <= strlen(text));
		free(text);
	}
}

static void try_record(struct assignments *a, struct str line)
{
	static char room[ROOM + SCAN_PAD];
	struct out o = {.p = room, .cap = ROOM};
	struct input in = {.out = &o};
	struct event e;
	struct fault f;

	if (!read_record(&e, line))
		return;
	assignments_read(a, &e);
	HOLD(e.check != EVENT_BROKEN);
	assignments_write(a, &in, &e);
	HOLD(o.n > 1 && room[o.n - 1] == '\n');
	HOLD(json_check((struct str){room, o.n - 1}, &f));
	if (in.diagnostics.n)
		HOLD(str_eq((struct str){room, o.n - 1}, e.raw));
	diagnostics_free(&in.diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct assignments a = {.n = 0};
	struct str rest = {(const char *)data, size}, line;

	if (memchr(data, '\0', size))
		return 0;
	add_assignments(&a, &rest);
	while (str_split(&rest, '\n', &line)) {
		const struct str copy = padded_copy(line);

		try_record(&a, copy);
		free((char *)(uintptr_t)copy.p);
	}
	assignments_free(&a);
	return 0;
}
