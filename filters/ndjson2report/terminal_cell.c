#include "terminal_cell.h"

#include "table/text_cut.h"
#include "terminal_text.h"

void terminal_cell_put(struct buf *to, const struct terminal *t, const struct report_unit *unit, const struct value *v)
{
	struct report_unit short_unit = *unit;
	struct report_number number;

	if (v->type == VALUE_NONE)
		return;
	if (!report_is_number(v) || report_unit_is_text(unit)) {
		terminal_text_put(to, t, v->text.n ? v->text : STR("\"\""));
		return;
	}
	if (report_unit_in_title(unit) && unit->decimals > 1)
		short_unit.decimals = 1;
	report_number_put(&number, &short_unit, v, NULL);
	buf_add(to, number.text, number.n);
	if (*number.unit && !report_unit_in_title(unit)) {
		buf_char(to, ' ');
		terminal_text_put(to, t, str_of(number.unit));
	}
}

struct str terminal_cell_short(struct buf *text, size_t width)
{
	struct buf cut = {0};

	text_cut_middle(&cut, buf_str(text), width);
	buf_free(text);
	*text = cut;
	return buf_str(text);
}

uint64_t terminal_cell_hidden(const struct report_section *s, size_t shown)
{
	uint64_t n = 0;
	size_t i, rows = 0;

	for (i = 0; i < s->n_rows; i++) {
		const struct report_row *row = &s->rows[i];

		if (row->rest)
			n = row->rest < UINT64_MAX - n ? n + row->rest : UINT64_MAX;
		else if (!row->mean)
			rows++;
	}
	return n + (rows - shown);
}

void terminal_cell_put_others(struct buf *to, uint64_t n)
{
	struct report_unit count;
	struct report_number number;
	struct value v;
	char text[NUM_ROOM];

	report_unit_read(&count, STR("count"));
	value_of(&v, (struct str){text, (size_t)(num_put_u64(text, n) - text)});
	report_number_put(&number, &count, &v, NULL);
	buf_add(to, number.text, number.n);
	if (n == 1)
		buf_lit(to, " other");
	else
		buf_lit(to, " others");
}

void terminal_cell_others(struct terminal *t, uint64_t n, size_t column)
{
	struct buf text = {0};

	if (!n)
		return;
	terminal_cell_put_others(&text, n);
	terminal_pad_to(t, column);
	terminal_add(t, buf_str(&text));
	terminal_end_line(t);
	buf_free(&text);
}
