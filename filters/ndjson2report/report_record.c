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
static struct str store(char **p, const char *text, size_t n)
{
	struct str s = {*p, n};

	if (n)
		memcpy(*p, text, n);
	*p += n;
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
		m->name = store(&p, text.p, text.n);
		if (json_is_string(value)) {
			decode_string(&text, json_inner(value), cut);
			m->value = (struct value){.type = VALUE_STRING, .text = store(&p, text.p, text.n)};
		} else {
			value_of(&m->value, store(&p, value.p, value.n));
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

	return v.type == VALUE_STRING ? v.text : (struct str){NULL, 0};
}

bool report_texts_read(struct report_texts *texts, const struct value *v)
{
	struct str key, value;
	struct buf text = {0};
	struct iter w;
	size_t n = 0;
	char *p;

	*texts = (struct report_texts){0};
	if (v->type == VALUE_NONE)
		return true;
	if (v->type != VALUE_OTHER || v->text.p[0] != '[')
		return false;
	iter_init(&w, v->text);
	while (iter_next(&w, &key, &value) > 0) {
		if (!json_is_string(value))
			return false;
		n++;
	}
	texts->list = mem_alloc(n * sizeof *texts->list + v->text.n);
	p = (char *)(texts->list + n);
	iter_init(&w, v->text);
	while (iter_next(&w, &key, &value) > 0) {
		text.n = 0;
		json_unescape(&text, json_inner(value));
		texts->list[texts->n++] = store(&p, text.p, text.n);
	}
	buf_free(&text);
	return true;
}

void report_texts_free(struct report_texts *texts)
{
	free(texts->list);
	*texts = (struct report_texts){0};
}
