#include "xla_details.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/write.h"

/* Finds `key`, followed by three numbers, in *text, and appends them as a list. Moves *text to the text after them. */
static bool read_list(struct buf *b, struct str *text, struct str key)
{
	struct str number, rest = str_from(str_from(*text, str_find(*text, key)), key.n);
	int i;

	for (i = 0; i < 3; i++) {
		if (i && !str_starts(rest, STR(",")))
			return false;
		rest = str_from(rest, i > 0);
		number = str_first(rest, is_digit);
		rest = str_from(rest, number.n);
		if (!number.n)
			return false;
		while (number.n > 1 && number.p[0] == '0') /* JSON has no leading zeros */
			number = str_from(number, 1);
		buf_char(b, i ? ',' : '[');
		buf_add(b, number.p, number.n);
	}
	buf_char(b, ']');
	*text = rest;
	return true;
}

void xla_details_grid(struct str details, struct buf *args)
{
	const size_t begin = args->n;

	json_write_key(args, "grid");
	if (read_list(args, &details, STR("grid:")) && str_starts(details, STR(" block:"))) {
		json_write_key(args, "block");
		if (read_list(args, &details, STR(" block:")))
			return;
	}
	args->n = begin;
}

void xla_details_size(struct str details, struct draft *draft, struct event *e)
{
	const struct str rest = str_from(str_from(details, str_find(details, STR("size:"))), 5);
	int64_t size;

	if (num_int(str_first(rest, is_digit), &size) == NUM_OK)
		draft_int(draft, e, EVENT_BYTES, size);
}
