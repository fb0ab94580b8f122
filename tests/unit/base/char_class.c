/* char_class: compares each class, for every byte, with a list of its members. */
#include "test.h"

#include "base/char_class.h"

#define DIGITS "0123456789"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool in(char c, const char *members)
{
	return c && strchr(members, c);
}

void unit_test(void)
{
	static const char hex[] = "0123456789abcdef", hex_upper[] = "0123456789ABCDEF";
	int i;

	for (i = 0; i < 256; i++) {
		const char c = (char)i;
		const char *at = in(c, hex) ? strchr(hex, c) : NULL;
		const char *upper_at = in(c, hex_upper) ? strchr(hex_upper, c) : NULL;

		CHECK_INT(is_digit(c), in(c, DIGITS));
		CHECK_INT(is_upper(c), in(c, UPPER));
		CHECK_INT(is_letter(c), in(c, LOWER UPPER));
		CHECK_INT(is_alphanumeric(c), in(c, DIGITS LOWER UPPER));
		CHECK_INT(is_blank(c), in(c, " \t"));
		CHECK_INT(is_json_space(c), in(c, " \t\r\n"));
		CHECK_INT(is_control(c), i < 32 || i == 127);
		CHECK_INT(to_lower(c), in(c, UPPER) ? c + ('a' - 'A') : c);
		CHECK_INT(hex_value(c), at ? at - hex : upper_at ? upper_at - hex_upper : -1);
		CHECK_INT(is_hex_digit(c), at || upper_at);
	}
}
