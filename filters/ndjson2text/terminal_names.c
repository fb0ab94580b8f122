#include "terminal_names.h"

#include "base/map.h"
#include "table/text_cut.h"
#include "table/text_width.h"

#include <stdlib.h>

struct terminal_name {
	size_t at, shown, whole; /* offset in `text`, and the lengths of both texts */
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
	names->list[names->n++] = (struct terminal_name){names->text.n, shown.n, whole.n};
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

void terminal_names_fit(struct terminal_names *names, size_t width)
{
	struct alike_text *list = mem_zero(names->n, sizeof *list);
	size_t *uses = mem_zero(names->n, sizeof *uses), i;
	struct map briefs = {0};

	for (i = 0; i < names->n; i++) {
		list[i].group = map_put(&briefs, shown_text(names, i));
		uses[list[i].group]++;
	}
	for (i = 0; i < names->n; i++) {
		struct alike_text *a = &list[i];

		a->number = i;
		a->brief = shown_text(names, i);
		a->more = uses[a->group] > 1;
		a->text = a->more ? alike_texts_signature(whole_text(names, i), a->brief) : a->brief;
		a->group = i;
	}
	distinct_texts_free(&names->forms);
	distinct_texts_choose(&names->forms, list, names->n, width, text_cut_end);
	names->width = width;
	map_free(&briefs);
	free(uses);
	free(list);
}

struct str terminal_names_get(const struct terminal_names *names, size_t i, struct buf *room)
{
	const struct str form = distinct_texts_form(&names->forms, i);

	if (form.n)
		return form;
	room->n = 0;
	text_cut_end(room, shown_text(names, i), names->width);
	return (struct str){room->p, room->n};
}

void terminal_names_free(struct terminal_names *names)
{
	free(names->list);
	buf_free(&names->text);
	distinct_texts_free(&names->forms);
	*names = (struct terminal_names){0};
}
