#include "columns.h"

void columns_prepare(struct columns *c)
{
	struct str rest, name;
	unsigned char *chain;
	unsigned place;
	size_t field;

	for (field = 0; field < c->n; field++) {
		for (place = 0; place < COLUMN_PLACES; place++) {
			if (!c->list[field].names[place])
				continue;
			rest = str_of(c->list[field].names[place]);
			while (str_split(&rest, ' ', &name)) {
				chain = &c->first[columns_chain(name)];
				c->names[c->names_n] =
				    (struct columns_name){name, (unsigned char)place, (unsigned char)field, *chain};
				*chain = ++c->names_n;
			}
		}
	}
}
