#include "stats/state_text.h"

#include "base/num_parse.h"
#include "json/iter.h"
#include "json/write.h"

void state_position_write(struct buf *object, const char *key, struct record_position at, struct str value)
{
	json_write_begin(object, key, '[');
	json_write_int(object, NULL, (int64_t)at.part);
	json_write_int(object, NULL, (int64_t)at.index);
	json_write_json(object, NULL, value);
	json_write_end(object, ']');
}

bool state_position_read(struct str array, struct record_position *at, struct str *value)
{
	struct str part, index;
	struct iter w;

	return iter_array(&w, array) && iter_element(&w, &part) && num_count(part, &at->part) &&
	       iter_element(&w, &index) && num_count(index, &at->index) && iter_element(&w, value);
}
