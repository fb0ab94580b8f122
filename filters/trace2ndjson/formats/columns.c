#include "columns.h"

void columns_prepare(struct columns *c)
{
	struct str rest, name;
	unsigned char *chain;
	unsigned set;
	size_t field;

	for (field = 0; field < c->n; field++) {
		for (set = 0; set < COLUMN_NAME_SETS; set++) {
			if (!c->list[field].names[set])
				continue;
			rest = str_of(c->list[field].names[set]);
			while (str_split(&rest, ' ', &name)) {
				chain = &c->first[columns_chain(name)];
				c->names[c->names_n] =
				    (struct columns_name){name, (unsigned char)set, (unsigned char)field, *chain};
				*chain = ++c->names_n;
			}
		}
	}
}
