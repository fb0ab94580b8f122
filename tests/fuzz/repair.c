/* fuzz target: a repaired text is an object; repairing it again, or repairing a valid text, changes nothing. */
#include "fuzz.h"

#include "json/repair.h"
#include "samples.h"
#include "slow_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = exact_copy((struct str){(const char *)data, size}), trimmed = str_trim(text);
	bool object = trimmed.n && *trimmed.p == '{' && slow_json(text);
	struct buf once = {0}, twice = {0};
	uint32_t repairs, again;

	if (repair_object(text, &once, &repairs)) {
		HOLD(once.n && once.p[0] == '{' && slow_json((struct str){once.p, once.n}));
		HOLD((repairs & ~(1u << REPAIR_DUPLICATE)) ? !object : true);
		HOLD(repairs || object);
		HOLD(repair_object((struct str){once.p, once.n}, &twice, &again) && !again);
		HOLD(once.n == twice.n && memcmp(once.p, twice.p, once.n) == 0);
	} else {
		HOLD(!object);
	}
	buf_free(&once);
	buf_free(&twice);
	free((char *)text.p);
	return 0;
}
