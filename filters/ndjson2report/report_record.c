#include "report_record.h"

#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"

#include <stdlib.h>

static size_t count_members(struct str json)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;

	iter_init(&w, json);
	while (iter_next(&w, &key, &value) > 0)
		n++;
	return n;
}

/* Decodes a string into `text`, and cuts it at a character if it is too long. */
static void decode_string(struct buf *text, struct str inner, bool *cut)
{
	text->n = 0;
	json_unescape(text, inner);
	if (text->n <= REPORT_TEXT_MOST)
		return;
	*cut = true;
	text->n = REPORT_TEXT_MOST - strlen("…");
	while (text->n && ((unsigned char)text->p[text->n] & 0xc0) == 0x80)
		text->n--;
	buf_lit(text, "…");
}

/* Appends a text to the memory at *p. Returns a view of it. */
static struct str store(char **p, struct str text)
{
	struct str s = {*p, text.n};

	if (text.n)
		memcpy(*p, text.p, text.n);
	*p += text.n;
	return s;
}

bool report_record_copy(struct report_record *r, struct str json, bool *cut)
{
	const size_t n = count_members(json);
	struct buf text = {0};
	struct str key, value;
	struct iter w;
	char *p;

	*r = (struct report_record){0};
	if (n > REPORT_MEMBERS_MOST)
		return false;
	/* A decoded string is never longer than its JSON text. */
	r->size = n * sizeof *r->members + json.n + SCAN_PAD;
	r->members = mem_alloc(r->size);
	p = (char *)(r->members + n);
	iter_init(&w, json);
	while (iter_next(&w, &key, &value) > 0) {
		struct report_member *m = &r->members[r->n++];

		text.n = 0;
		json_unescape(&text, key);
		m->name = store(&p, buf_str(&text));
		if (json_is_string(value)) {
			decode_string(&text, json_inner(value), cut);
			m->value = (struct value){.type = VALUE_STRING, .text = store(&p, buf_str(&text))};
		} else {
			value_of(&m->value, store(&p, value));
			if (value.p[0] == 'n')
				m->value.type = VALUE_NONE;
		}
	}
	memset(p, 0, SCAN_PAD);
	buf_free(&text);
	return true;
}

void report_record_free(struct report_record *r)
{
	free(r->members);
	*r = (struct report_record){0};
}

/* --- members --- */

struct value report_record_get(const struct report_record *r, struct str name)
{
	size_t i;

	for (i = r->n; i-- > 0;) {
		if (str_eq(r->members[i].name, name))
			return r->members[i].value;
	}
	return (struct value){.type = VALUE_NONE};
}

struct str report_record_text(const struct report_record *r, const char *name)
{
	const struct value v = report_record_get(r, str_of(name));

	return v.type == VALUE_STRING ? v.text : STR("");
}

struct str report_member_text(const struct report_record *r, const char *name, const struct report_problems *p)
{
	const struct value v = report_record_get(r, str_of(name));

	if (v.type != VALUE_NONE && v.type != VALUE_STRING)
		report_lost(p, "text member is not a string; left out");
	return report_record_text(r, name);
}

struct report_texts report_member_texts(
    const struct report_record *r, const char *name, const struct report_problems *p)
{
	const struct value v = report_record_get(r, str_of(name));
	struct report_texts texts = {0};
	struct str key, value;
	struct buf text = {0};
	bool good = v.type == VALUE_OTHER && v.text.p[0] == '[';
	struct iter w;
	char *room;

	if (v.type == VALUE_NONE)
		return texts;
	if (good) {
		const size_t n = count_members(v.text);

		texts.list = mem_alloc(n * sizeof *texts.list + v.text.n);
		room = (char *)(texts.list + n);
		iter_init(&w, v.text);
	}
	while (good && iter_next(&w, &key, &value) > 0) {
		good = json_is_string(value);
		text.n = 0;
		if (good) {
			json_unescape(&text, json_inner(value));
			texts.list[texts.n++] = store(&room, buf_str(&text));
		}
	}
	buf_free(&text);
	if (!good) {
		report_texts_free(&texts);
		report_lost(p, "member is not an array of texts; left out");
	}
	return texts;
}

void report_texts_free(struct report_texts *texts)
{
	free(texts->list);
	*texts = (struct report_texts){0};
}

uint64_t report_member_count(const struct report_record *r, const char *name, const struct report_problems *p)
{
	const struct value v = report_record_get(r, str_of(name));

	if (v.type == VALUE_INT && v.i >= 0)
		return (uint64_t)v.i;
	if (v.type != VALUE_NONE)
		report_lost(p, "lines, rest, depth or count is not an integer >= 0; left out");
	return 0;
}

size_t report_member_word(const struct report_record *r, const char *name, const char *const *words, size_t absent,
    const struct report_problems *p)
{
	const struct str text = report_member_text(r, name, p);
	size_t i;

	for (i = 0; words[i]; i++) {
		if (str_eq(text, str_of(words[i])))
			return i;
	}
	if (text.n)
		report_warning(p, "unknown value of group, view or of; default used");
	return absent;
}
