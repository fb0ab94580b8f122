/* event_attach: new members, existing members, members that are removed, with and without args. */
#include "record/event_attach.h"
#include "samples.h"
#include "test.h"

static const struct {
	const char *record, *text, *want;
} rows[] = {
    {"{\"a\":1,\"args\":{\"x\":2}}", ",\"n\":5", "{\"a\":1,\"n\":5,\"args\":{\"x\":2}}"},
    {"{\"a\":1,\"args\":{},\"src\":{}}", ",\"n\":5,\"m\":[6,{}]",
	"{\"a\":1,\"n\":5,\"m\":[6,{}],\"args\":{},\"src\":{}}"},
    {"{\"a\":1,\"src\":{\"args\":3}}", ",\"n\":5", "{\"a\":1,\"n\":5,\"src\":{\"args\":3}}"},
    {"{\"args\":{},\"z\":1}", ",\"n\":5", "{\"n\":5,\"args\":{},\"z\":1}"},
    {"{\"a\":\"args\"}", ",\"n\":5,\"m\":6", "{\"a\":\"args\",\"n\":5,\"m\":6}"},
    {"{}", ",\"n\":5", "{\"n\":5}"},
    {" { \"a\" : 1 } ", ",\"n\":5", " { \"a\" : 1 ,\"n\":5} "},
    {"{\"a\":1, \"args\" : 2}", ",\"n\":5", "{\"a\":1, \"n\":5,\"args\" : 2}"},
    {"{\"a\":1}", "", "{\"a\":1}"},
    /* in place */
    {"{\"a\":1,\"n\":\"old\",\"b\":2,\"args\":{\"n\":1}}", ",\"n\":5", "{\"a\":1,\"n\":5,\"b\":2,\"args\":{\"n\":1}}"},
    {"{\"a\":1,\"n\":\"old\",\"args\":0}", ",\"m\":6,\"n\":5,\"o\":7", "{\"a\":1,\"n\":5,\"m\":6,\"o\":7,\"args\":0}"},
    {"{\"args\":0,\"n\": {\"n\":1} }", ",\"m\":6,\"n\":5", "{\"m\":6,\"args\":0,\"n\": 5 }"},
    {"{\"n\":1}", ",\"m\":6,\"n\":5", "{\"n\":5,\"m\":6}"},
    {"{\"n\":1,\"n\":2}", ",\"n\":5", "{\"n\":5}"},
    {"{\"n\":1,\"args\":2}", ",\"n\":5", "{\"n\":5,\"args\":2}"},
    /* removed */
    {"{\"a\":1,\"n\":[3],\"b\":2}", ",\"n\":null", "{\"a\":1,\"b\":2}"},
    {"{\"a\":1,\"n\":3}", ",\"n\":null", "{\"a\":1}"},
    {"{\"n\":3,\"a\":1}", ",\"n\":null", "{\"a\":1}"},
    {"{ \"n\" : 3 , \"m\" : 4 , \"a\" : 1 }", ",\"m\":null,\"n\":null", "{ \"a\" : 1 }"},
    {"{\"n\":3}", ",\"n\":null", "{}"},
    {"{\"n\":3}", ",\"n\":null,\"m\":1", "{\"m\":1}"},
    {"{\"n\":3,\"args\":{}}", ",\"n\":null,\"m\":1", "{\"m\":1,\"args\":{}}"},
    {"{\"a\":1,\"n\":3,\"args\":{}}", ",\"n\":null,\"m\":1", "{\"a\":1,\"m\":1,\"args\":{}}"},
    {"{\"a\":1,\"args\":{},\"n\":3}", ",\"n\":null,\"m\":1", "{\"a\":1,\"m\":1,\"args\":{}}"},
    {"{\"a\":1,\"m\":2,\"n\":3,\"n\":4,\"b\":5}", ",\"n\":null,\"m\":1", "{\"a\":1,\"m\":1,\"b\":5}"},
};

void unit_test(void)
{
	struct buf to = {0}, other = {0};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str record = padded_copy(str_of(rows[i].record)), text = padded_copy(str_of(rows[i].text)), got;

		got = event_attach_put(&to, record, text);
		CHECK_STR(got, rows[i].want);
		/*
		 * The result can be iterated; adding the same members again changes nothing. A member can be removed
		 * only if the record has it.
		 */
		if (!strstr(rows[i].text, "null"))
			CHECK_STR(event_attach_put(&other, got, text), rows[i].want);
		free((char *)record.p);
		free((char *)text.p);
	}
	buf_free(&to);
	buf_free(&other);
}
