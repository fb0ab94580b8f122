#include "fields_report.h"

#include "cli/filter.h"
#include "cli/partial.h"
#include "field_inventory.h"

int fields_report_run(struct group_report *r)
{
	struct field_inventory *fields = field_inventory_new(r->part);
	struct partial partial = {&field_inventory_state, fields, "stats --fields", &r->in, .part = r->part};
	struct event e = {0};
	struct table *t;

	if (r->merge)
		partial_merge(&partial, r->operands);
	while (!r->merge && input_next(&r->in, &e))
		field_inventory_add(fields, &e);
	if (r->partial) {
		partial.records += field_inventory_records(fields);
		partial_write(&partial, &r->out);
	} else {
		t = table_begin(&r->out, &r->table);
		field_inventory_print(fields, t, r->human);
		table_end(t);
	}
	partial_free(&partial);
	field_inventory_free(fields);
	return filter_close(&r->in);
}
