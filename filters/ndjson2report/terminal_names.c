#include "terminal_names.h"

#include "base/map.h"
#include "table/text_cut.h"
#include "table/text_width.h"

#include <stdlib.h>

struct terminal_name {
	size_t at, shown, whole; /* offset in `text`, and the lengths of both texts */
	size_t form;             /* its number in `forms` */
};

static struct str shown_text(const struct terminal_names *names, size_t i)
{
	const struct terminal_name *name = &names->list[i];

	return name->shown ? (struct str){names->text.p + name->at, name->shown} : STR("");
}

static struct str whole_text(const struct terminal_names *names, size_t i)
{
	const struct terminal_name *name = &names->list[i];

	return name->whole ? (struct str){names->text.p + name->at + name->shown, name->whole} : shown_text(names, i);
}

void terminal_names_add(struct terminal_names *names, struct str shown, struct str whole)
{
	names->list = mem_grow(names->list, &names->cap, names->n + 1, sizeof *names->list);
	names->list[names->n++] = (struct terminal_name){names->text.n, shown.n, whole.n, 0};
	buf_add(&names->text, shown.p, shown.n);
	buf_add(&names->text, whole.p, whole.n);
}

size_t terminal_names_widest(const struct terminal_names *names)
{
	size_t widest = 0, width, i;

	for (i = 0; i < names->n; i++) {
		width = text_width(shown_text(names, i));
		widest = width > widest ? width : widest;
	}
	return widest;
}

static void cut_end(void *arg, struct buf *to, size_t number, struct str brief, size_t width)
{
	(void)arg, (void)number;
	text_cut_end(to, brief, width);
}

void terminal_names_fit(struct terminal_names *names, size_t width)
{
	size_t i;

	distinct_texts_free(&names->forms);
	for (i = 0; i < names->n; i++)
		names->list[i].form = distinct_texts_add(&names->forms, shown_text(names, i), whole_text(names, i));
	distinct_texts_fit(&names->forms, width, cut_end, NULL);
	names->width = width;
}

struct str terminal_names_get(const struct terminal_names *names, size_t i, struct buf *room)
{
	const struct str form = distinct_texts_form(&names->forms, names->list[i].form);

	if (form.n)
		return form;
	room->n = 0;
	text_cut_end(room, shown_text(names, i), names->width);
	return buf_str(room);
}

void terminal_names_free(struct terminal_names *names)
{
	free(names->list);
	buf_free(&names->text);
	distinct_texts_free(&names->forms);
	*names = (struct terminal_names){0};
}
