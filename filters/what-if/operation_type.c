#include "operation_type.h"

#include "base/word_table.h"

#define OPERATION_TYPE_WORD(id, name) {name, sizeof(name) - 1},
static const struct str names[] = {OPERATION_TYPES(OPERATION_TYPE_WORD)};
static struct word_table table = {.list = names, .n = OPERATION_TYPE_N};

enum operation_type operation_type_find(struct str name)
{
	return name.n ? (enum operation_type)word_table_find(&table, name, word_table_head(name.p, name.n))
		      : OPERATION_TYPE_N;
}

struct str operation_type_name(enum operation_type type)
{
	return names[type];
}
