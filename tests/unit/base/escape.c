/* escape: the escapes of characters of each length. */
#include "test.h"

#include "base/escape.h"

void unit_test(void)
{
	static const uint32_t codes[] = {
	    '\n', '\t', '\r', 0, 0x1b, 0x7f, 0x9f, 0xad, 0x202e, 0xfffb, 0xe0041, 0x10ffff};
	struct buf text = {0};
	size_t i;

	for (i = 0; i < sizeof codes / sizeof *codes; i++)
		escape_put(&text, codes[i]);
	CHECK_STR(
	    ((struct str){text.p, text.n}), "\\n\\t\\r\\x00\\x1b\\x7f\\x9f\\u00ad\\u202e\\ufffb\\U000e0041\\U0010ffff");
	buf_free(&text);
}
