#include "argument_names.h"

#include "base/err.h"
#include "base/num_parse.h"
#include "program/opt_value.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

struct argument_name {
	uint32_t index;
	struct buf json;
};

static void add_name(struct argument_names *names, const char *option, struct str item)
{
	size_t at = str_find(item, STR("=")), i;
	struct str text = str_from(item, at + 1);
	int64_t index, number;
	struct argument_name *name;

	if (at == item.n || num_int(str_head(item, at), &index) != NUM_OK || index < 0 || index > UINT32_MAX)
		opt_invalid(option, item, "I=NAME, where I is the number of an argument");
	if (!text.n || num_int(text, &number) == NUM_OK)
		opt_invalid(option, item, text.n ? "a name that is not a number" : "a name that is not empty");
	names->list = mem_grow(names->list, &names->cap, names->n + 1, sizeof *names->list);
	name = &names->list[names->n];
	*name = (struct argument_name){.index = (uint32_t)index};
	json_quote(&name->json, text);
	for (i = 0; i < names->n; i++) {
		if (names->list[i].index == name->index)
			die("%s: argument %u has two names", option, (unsigned)name->index);
		if (str_eq(buf_str(&names->list[i].json), buf_str(&name->json)))
			die("%s: two arguments have the name '%.*s'", option, STR_FMT(text));
	}
	names->n++;
}

void argument_names_add(struct argument_names *names, const char *option, const char *list)
{
	struct buf text = {0};
	struct str item;

	while (opt_item(&list, &text, &item))
		add_name(names, option, item);
	buf_free(&text);
}

struct str argument_names_key(const struct argument_names *names, uint32_t index, char digits[NUM_ROOM])
{
	size_t i;

	for (i = 0; i < names->n; i++) {
		if (names->list[i].index == index)
			return json_inner(buf_str(&names->list[i].json));
	}
	return (struct str){digits, (size_t)(num_put_u64(digits, index) - digits)};
}

void argument_names_free(struct argument_names *names)
{
	size_t i;

	for (i = 0; i < names->n; i++)
		buf_free(&names->list[i].json);
	free(names->list);
}
