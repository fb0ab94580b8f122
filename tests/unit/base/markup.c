/* markup: five characters have references, no other byte has one. */
#include "test.h"

#include "base/markup.h"

void unit_test(void)
{
	int i, n = 0;

	for (i = 0; i < 256; i++)
		n += markup_reference((char)i) != NULL;
	CHECK_INT(n, 5);
	CHECK_STR(str_of(markup_reference('&')), "&amp;");
	CHECK_STR(str_of(markup_reference('<')), "&lt;");
	CHECK_STR(str_of(markup_reference('>')), "&gt;");
	CHECK_STR(str_of(markup_reference('"')), "&quot;");
	CHECK_STR(str_of(markup_reference('\'')), "&#39;");
}
