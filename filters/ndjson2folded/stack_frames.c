#include "stack_frames.h"

#include "folded_stacks.h"
#include "json/string.h"
#include "json/write.h"
#include "json/iter.h"

#include <stdlib.h>

enum own_field { STACK, MARKS, RANGES, COMM, PID };

struct stack_frames {
	struct stack_frames_options *options;
	struct opt_fields own; /* indexed by enum own_field */
	bool java; /* --perf: the root frame is "java", so names are shortened as FlameGraph shortens Java names */
	struct buf line; /* the stack that is being built */
	struct buf text, tidy;
};

struct stack_frames *stack_frames_new(struct stack_frames_options *o)
{
	struct stack_frames *f = mem_zero(1, sizeof *f);

	f->options = o;
	opt_fields_add(&f->own, "-g", "stack,marks,ranges,comm,pid");
	return f;
}

struct str stack_frames_line(const struct stack_frames *f)
{
	return buf_str(&f->line);
}

/* --- one frame --- */

/* Writes the content of a JSON value to f->text and returns a view of it. */
static struct str said(struct stack_frames *f, struct str json)
{
	f->text.n = 0;
	if (json_is_string(json))
		json_unescape(&f->text, json_inner(json));
	else
		buf_add(&f->text, json.p, json.n);
	return buf_str(&f->text);
}

/* Adds a frame. `mark`: the letter of the frame in the member `marks`, or 0 if the frame has no mark. */
static void add_frame(struct stack_frames *f, struct str json, char mark)
{
	struct str name = said(f, json);

	if (f->options->perf) {
		if (str_starts(name, STR("(")))
			return;
		name = folded_stacks_tidy(&f->tidy, name, f->java);
	}
	folded_stacks_frame(&f->line, name);
	if (mark > 0 && f->options->mark[(size_t)mark]) {
		char text[] = {'_', '[', mark, ']'};

		if (!str_ends(name, (struct str){text, sizeof text}))
			buf_add(&f->line, text, sizeof text);
	}
}

void stack_frames_add(struct stack_frames *f, struct str json)
{
	add_frame(f, json, 0);
}

/* --- the root --- */

/* Writes the value of a record's field, "?" for an absent field, to f->text and returns a view of it. */
static struct str said_by(struct stack_frames *f, struct field *field, struct event *e)
{
	struct value v;

	return said(f, field_get(field, e, 0, &v) ? v.text : STR("?"));
}

/* Adds a root frame: "python" for comm, "pid 7" for other fields. */
static void add_root(struct stack_frames *f, struct event *e, struct field *root)
{
	struct str text = said_by(f, root, e);

	f->tidy.n = 0;
	if (!str_eq(root->name, STR("comm"))) {
		buf_add(&f->tidy, root->name.p, root->name.n);
		buf_char(&f->tidy, ' ');
	}
	buf_add(&f->tidy, text.p, text.n);
	folded_stacks_frame(&f->line, buf_str(&f->tidy));
}

/* Adds comm, pid and tid joined as in stackcollapse-perf.pl: "python", "python-?/7", "python-7/9". */
static void add_perf_root(struct stack_frames *f, struct event *e)
{
	struct field *comm = NULL, *pid = NULL, *tid = NULL;
	struct str text;
	size_t i;

	for (i = 0; i < f->options->root.n; i++) {
		struct field *root = &f->options->root.list[i];
		struct field **is = str_eq(root->name, STR("comm"))  ? &comm
				    : str_eq(root->name, STR("pid")) ? &pid
				    : str_eq(root->name, STR("tid")) ? &tid
								     : NULL;

		if (is)
			*is = root;
		else
			add_root(f, e, root);
	}
	text = said_by(f, comm ? comm : &f->own.list[COMM], e);
	f->tidy.n = 0;
	for (i = 0; i < text.n; i++)
		buf_char(&f->tidy, text.p[i] == ' ' ? '_' : text.p[i]);
	for (i = 0; i < 2; i++) {
		if (i ? !tid : !pid && !tid)
			continue;
		text = said_by(f, i ? tid : &f->own.list[PID], e);
		buf_char(&f->tidy, i ? '/' : '-');
		buf_add(&f->tidy, text.p, text.n);
	}
	folded_stacks_frame(&f->line, buf_str(&f->tidy));
}

void stack_frames_begin_at(struct stack_frames *f, struct str root)
{
	f->line.n = 0;
	buf_add(&f->line, root.p, root.n);
	f->java = f->options->perf && str_eq(root, STR("java"));
}

void stack_frames_begin(struct stack_frames *f, struct event *e)
{
	size_t i;

	f->line.n = 0;
	if (f->options->perf)
		add_perf_root(f, e);
	for (i = 0; !f->options->perf && i < f->options->root.n; i++)
		add_root(f, e, &f->options->root.list[i]);
	f->java = f->options->perf && str_eq(stack_frames_line(f), STR("java"));
}

/* --- frames above the root --- */

/* Adds the elements of an array with their marks. */
static void add_array(struct stack_frames *f, struct str array, struct str marks)
{
	struct str key, value;
	struct iter w;
	size_t i;

	iter_init(&w, array);
	for (i = 0; iter_next(&w, &key, &value) > 0; i++)
		add_frame(f, value, i < marks.n ? marks.p[i] : 0);
}

static bool is_array(struct field *field, struct event *e, struct value *v)
{
	return field_get(field, e, 0, v) && v->text.p[0] == '[';
}

bool stack_frames_add_own(struct stack_frames *f, struct event *e)
{
	struct value v, marks;
	size_t i, j;

	for (i = 0; i < f->options->path.n; i++) {
		for (j = 0; field_get(&f->options->path.list[i], e, j, &v); j++)
			add_frame(f, v.text, 0);
	}
	if (f->options->path.n)
		return true;
	if (is_array(&f->own.list[STACK], e, &v)) {
		if (field_get(&f->own.list[MARKS], e, 0, &marks) && marks.type == VALUE_STRING)
			add_array(f, v.text, json_inner(marks.text));
		else
			add_array(f, v.text, STR(""));
		return true;
	}
	if (!is_array(&f->own.list[RANGES], e, &v))
		return false;
	add_array(f, v.text, STR(""));
	add_frame(f, event_get(e, EVENT_NAME), 0);
	return true;
}

void stack_frames_free(struct stack_frames *f)
{
	opt_fields_free(&f->own);
	bufs_free(&f->line, &f->text, &f->tidy);
	free(f);
}
