#include "tags.h"

#include "program/opt_fields.h"
#include "program/opt_value.h"
#include "json/scan.h"
#include "json/write.h"
#include "json/iter.h"
#include "record/member_capture.h"

#include <stdlib.h>

struct tag {
	enum event_member member; /* EVENT_N: an attachment */
	struct str name;
	struct buf value; /* JSON text; empty when the file's name does not match */
	struct member_capture *capture;
};

void tags_free(struct tags *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		member_capture_free(t->list[i].capture);
		buf_free(&t->list[i].value);
	}
	free(t->list);
	buf_free(&t->attachments);
}

void tags_memory_free(struct tags_memory *m)
{
	bufs_free(&m->own, &m->text);
}

void tags_add(struct tags *t, const char *arg, bool capture)
{
	struct tag tag = {0};
	struct str all = str_of(arg);

	if (capture) {
		tag.capture = opt_member_capture("--capture", arg);
		tag.name = member_capture_name(tag.capture);
	} else {
		tag.name = str_head(all, str_find(all, STR("=")));
		if (tag.name.n == all.n)
			opt_invalid("--set", all, "NAME=VALUE");
		member_capture_value(&tag.value, str_from(all, tag.name.n + 1));
	}
	tag.member = opt_member(capture ? "--capture" : "--set", tag.name);
	t->list = mem_grow(t->list, &t->cap, t->n + 1, sizeof *t->list);
	t->list[t->n++] = tag;
}

/* A null value removes the member: a record has no member for an unknown value. */
static bool is_null(const struct tag *tag)
{
	return str_eq(buf_str(&tag->value), STR("null"));
}

/* Returns the last attachment tag that has this name and a value. */
static const struct tag *find_tag(const struct tags *t, struct str name)
{
	const struct tag *tag, *found = NULL;
	size_t i;

	for (i = 0; i < t->n; i++) {
		tag = &t->list[i];
		if (tag->value.n && tag->member == EVENT_N && str_eq(tag->name, name))
			found = tag;
	}
	return found;
}

void tags_begin(struct tags *t, const char *path)
{
	struct tag *tag;
	size_t i;

	for (i = 0; i < t->n; i++) {
		tag = &t->list[i];
		if (!tag->capture)
			continue;
		tag->value.n = 0;
		if (path)
			member_capture_match(tag->capture, str_of(path), &tag->value);
	}
	t->attachments.n = 0;
	t->sets_attachments = false;
	for (i = 0; i < t->n; i++) {
		tag = &t->list[i];
		if (find_tag(t, tag->name) != tag)
			continue;
		t->sets_attachments = true;
		if (!is_null(tag))
			json_write_member(&t->attachments, tag->name, buf_str(&tag->value));
	}
}

/* Sets the attachments: first the record's own ones that no option replaces, then those of the options. */
static void put_attachments(const struct tags *t, struct tags_memory *m, struct event *e)
{
	struct str name, value;
	struct iter w;

	/* To make the text an object, a brace replaces its first comma. */
	m->text.n = m->own.n = 0;
	buf_char(&m->text, '{');
	buf_add(&m->text, e->attachments.p + 1, e->attachments.n - 1);
	buf_char(&m->text, '}');
	buf_room(&m->text, SCAN_PAD);
	iter_init(&w, buf_str(&m->text));
	while (iter_next(&w, &name, &value) > 0) {
		if (!find_tag(t, name))
			json_write_member(&m->own, name, value);
	}
	buf_add(&m->own, t->attachments.p, t->attachments.n);
	e->attachments = buf_str(&m->own);
}

void tags_put(const struct tags *t, struct tags_memory *m, struct event *e)
{
	const struct tag *tag;
	size_t i;

	for (i = 0; i < t->n; i++) {
		tag = &t->list[i];
		if (!tag->value.n || tag->member == EVENT_N)
			continue;
		if (is_null(tag))
			e->has &= ~(1u << tag->member);
		else
			event_set(e, tag->member, buf_str(&tag->value));
	}
	if (t->sets_attachments && e->attachments.n)
		put_attachments(t, m, e);
	else if (t->attachments.n)
		e->attachments = buf_str(&t->attachments);
}
