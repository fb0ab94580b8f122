#include "columns.h"

static void add_name(struct columns *c, unsigned place, size_t field, struct str name)
{
	unsigned char *chain = &c->first[columns_chain(name)];
	size_t i;

	for (i = 0; i < c->names_n; i++) {
		if (c->names[i].field == field && str_eq(c->names[i].name, name)) {
			c->names[i].places |= (unsigned char)(1u << place);
			return;
		}
	}
	c->names[c->names_n] = (struct columns_name){name, (unsigned char)(1u << place), (unsigned char)field, *chain};
	*chain = ++c->names_n;
}

void columns_prepare(struct columns *c)
{
	struct str rest, name;
	unsigned place;
	size_t field;

	for (field = 0; field < c->n; field++) {
		for (place = 0; place < COLUMN_PLACES; place++) {
			if (!c->list[field].names[place])
				continue;
			rest = str_of(c->list[field].names[place]);
			while (str_split(&rest, ' ', &name))
				add_name(c, place, field, name);
		}
	}
}
