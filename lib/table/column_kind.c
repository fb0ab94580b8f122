#include "table/column_kind.h"

/*
 * Returns whether a name is that of a point in time. Such names are ts, end, api.ts and orig_ts, and aggregates of
 * these that are also points in time, such as ts_min.
 */
static bool is_stamp(struct str name)
{
	static const char *const aggregates[] = {"_min", "_max", "_first", "_last", "_mean", "_median", NULL};
	size_t i;

	for (i = 0; aggregates[i]; i++) {
		if (str_ends(name, str_of(aggregates[i])))
			return is_stamp(str_head(name, name.n - strlen(aggregates[i])));
	}
	return str_eq(name, STR("ts")) || str_eq(name, STR("end")) || str_ends(name, STR(".ts")) ||
	       str_ends(name, STR("_ts"));
}

enum column_kind column_kind(struct str name, const struct field_units *given)
{
	struct str field = str_head(name, str_find(name, STR("/")));

	if (str_eq(name, STR("name")) || str_ends(name, STR(".name")) || str_eq(name, STR("short")))
		return COLUMN_NAME;
	if (str_eq(name, STR("share")) || str_ends(name, STR("_share")))
		return COLUMN_SHARE;
	if (is_stamp(field))
		return COLUMN_STAMP;
	switch (field_base(field, given)) {
	case FIELD_TIME:
		return COLUMN_TIME;
	case FIELD_SIZE:
		return COLUMN_SIZE;
	default:
		return COLUMN_ANY;
	}
}
