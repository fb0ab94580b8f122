#include "terminal_page.h"

#include "table/text_width.h"
#include "terminal_text.h"

struct str terminal_page_expand(struct terminal_page *p, const struct report_record *record, struct str text)
{
	p->text.n = 0;
	terminal_text_expand(&p->text, p->t, record, text, p->t->width * 5 / 8);
	return buf_str(&p->text);
}

void terminal_page_text(struct terminal_page *p, const struct report_record *record, struct str text,
    enum terminal_style style, size_t most)
{
	if (!text.n)
		return;
	terminal_text_wrap(p->t, terminal_page_expand(p, record, text), style, p->t->width, 0, most);
	terminal_end_line(p->t);
}

struct str terminal_page_join(
    struct terminal_page *p, const struct report_record *record, const struct report_texts *list)
{
	size_t i;

	p->text.n = 0;
	for (i = 0; i < list->n; i++) {
		if (i)
			buf_lit(&p->text, ", ");
		terminal_text_expand(&p->text, p->t, record, list->list[i], p->t->width * 5 / 8);
	}
	return buf_str(&p->text);
}

void terminal_page_at_end(struct terminal *t, struct str text)
{
	if (t->column && t->column + 2 + text_width(text) > t->width)
		terminal_end_line(t);
	terminal_pad_to(t, t->width - text_width(text));
	terminal_add(t, text);
}
