/* repair: the result for each class of damage, the texts that stay unchanged, and the texts that are rejected. */
#include "json/repair.h"

#include "json/check.h"
#include "samples.h"
#include "slow_json.h"
#include "test.h"

#define B(class) (1u << REPAIR_##class)
/* clang-format off */
#define LIT(s) {"" s, sizeof(s) - 1}
/* clang-format on */
#define FFFD "\xef\xbf\xbd"

static const struct {
	struct str text;
	const char *repaired; /* NULL: the text is rejected */
	uint32_t classes;
} rows[] = {
    /* nothing wrong */
    {LIT("{}"), "{}", 0},
    {LIT(" { \"a\" : [ 1 , { } , \"\\u00e9\\/\" ] } \n"), "{\"a\":[1,{},\"\\u00e9\\/\"]}", 0},
    {LIT("{\"n\":123456789012345678901234567890,\"e\":1e400,\"t\":true,\"f\":false,\"z\":null}"),
	"{\"n\":123456789012345678901234567890,\"e\":1e400,\"t\":true,\"f\":false,\"z\":null}", 0},

    /* commas */
    {LIT("{\"a\":1,}"), "{\"a\":1}", B(COMMA)},
    {LIT("{\"a\":[1,2 , ] , }"), "{\"a\":[1,2]}", B(COMMA)},
    {LIT("{\"a\":\"x\",}"), "{\"a\":\"x\"}", B(COMMA)},
    {LIT("{\"a\":[{},]}"), "{\"a\":[{}]}", B(COMMA)},
    {LIT("{,}"), NULL, 0},
    {LIT("{\"a\":[,]}"), NULL, 0},
    {LIT("{\"a\":1,,}"), NULL, 0},
    {LIT("{\"a\":1,,\"b\":2}"), NULL, 0},
    {LIT("{,\"a\":1}"), NULL, 0},
    {LIT("{\"a\":1 \"b\":2}"), NULL, 0},
    {LIT("{\"a\":1},"), NULL, 0},

    /* constants, literals, numbers */
    {LIT("{\"a\":[NaN,nan,-nan,Infinity,-Infinity,inf,-inf,+Inf,INF,N/A,n/a,-nan(ind),1.#INF,-1.#IND,1.#QNAN]}"),
	"{\"a\":[null,null,null,null,null,null,null,null,null,null,null,null,null,null,null]}", B(CONSTANT)},
    {LIT("{\"a\":inf}"), "{\"a\":null}", B(CONSTANT)},
    {LIT("{\"a\":True,\"b\":False,\"c\":None,\"d\":TRUE}"), "{\"a\":true,\"b\":false,\"c\":null,\"d\":true}",
	B(LITERAL)},
    {LIT("{\"a\":[01,-007,+5,+1.5e3,.5,-.5,5.,5.e3,1.5E+3,0x0,0X1f,-0xFF]}"),
	"{\"a\":[\"01\",\"-007\",\"+5\",\"+1.5e3\",\".5\",\"-.5\",\"5.\",\"5.e3\",1.5E+3,\"0x0\",\"0X1f\",\"-0xFF\"]}",
	B(NUMBER)},
    {LIT("{\"a\":[NaN,01,True,]}"), "{\"a\":[null,\"01\",true]}", B(CONSTANT) | B(NUMBER) | B(LITERAL) | B(COMMA)},
    {LIT("{\"a\":foo}"), NULL, 0},
    {LIT("{\"a\":none}"), NULL, 0},
    {LIT("{\"a\":undefined}"), NULL, 0},
    {LIT("{\"a\":tru}"), NULL, 0},
    {LIT("{\"a\":nanx}"), NULL, 0},
    {LIT("{\"a\":1e}"), NULL, 0},
    {LIT("{\"a\":1.2.3}"), NULL, 0},
    {LIT("{\"a\":.}"), NULL, 0},
    {LIT("{\"a\":-}"), NULL, 0},
    {LIT("{\"a\":+}"), NULL, 0},
    {LIT("{\"a\":--1}"), NULL, 0},
    {LIT("{\"a\":0x}"), NULL, 0},
    {LIT("{\"a\":0xg}"), NULL, 0},
    {LIT("{\"a\":12ab}"), NULL, 0},
    {LIT("{\"a\":1 2}"), NULL, 0},

    /* members without a value: null in inner objects, removed from the outermost object */
    {LIT("{\"a\":}"), "{}", B(EMPTY)},
    {LIT("{\"a\":,\"b\":1}"), "{\"b\":1}", B(EMPTY)},
    {LIT("{\"b\":1,\"a\": , }"), "{\"b\":1}", B(EMPTY) | B(COMMA)},
    {LIT("{\"a\":1,\"a\":}"), "{\"a\":1}", B(EMPTY)},
    {LIT("{\"a\":1,\"b\":,\"a\":2}"), "{\"a\":2}", B(EMPTY) | B(DUPLICATE)},
    {LIT("{\"args\":{\"Process Group Description\": , \"x\":1,\"y\":}}"),
	"{\"args\":{\"Process Group Description\":null,\"x\":1,\"y\":null}}", B(EMPTY)},
    {LIT("{\"a\":[{\"b\":}]}"), "{\"a\":[{\"b\":null}]}", B(EMPTY)},
    {LIT("{\"a\":,,\"b\":1}"), NULL, 0},
    {LIT("{\"a\":]}"), NULL, 0},
    {LIT("{\"a\":"), NULL, 0},
    {LIT("{:1}"), NULL, 0},

    /* lists that were shortened with an ellipsis */
    {LIT("{\"a\":[0, 1, ...],\"b\":2}"), "{\"a\":\"[0, 1, ...]\",\"b\":2}", B(CUT)},
    {LIT("{\"a\":{\"b\":[...]}}"), "{\"a\":{\"b\":\"[...]\"}}", B(CUT)},
    {LIT("{\"a\":[0,...,7]}"), "{\"a\":\"[0,...,7]\"}", B(CUT)},
    {LIT("{\"a\":[1],\"b\":[2, ... ]}"), "{\"a\":[1],\"b\":\"[2, ... ]\"}", B(CUT)},
    {LIT("{\"a\":[0, 1 ...]}"), NULL, 0},
    {LIT("{\"a\":[0, ....]}"), NULL, 0},
    {LIT("{\"a\":[\"x\", ...]}"), NULL, 0},
    {LIT("{\"a\":...}"), NULL, 0},
    {LIT("{\"a\":[0, ..."), NULL, 0},
    {LIT("{\"a\"}"), NULL, 0},
    {LIT("{a:1}"), NULL, 0},
    {LIT("{'a':1}"), NULL, 0},
    {LIT("{\"a\":'b'}"), NULL, 0},
    {LIT("{NaN:1}"), NULL, 0},

    /* control characters and NUL */
    {LIT("{\"a\":\"x\ny\tz\r\x01\x1f\x7f\"}"), "{\"a\":\"x\\ny\\tz\\r\\u0001\\u001f\x7f\"}", B(CONTROL)},
    {LIT("{\"a\nb\":1}"), "{\"a\\nb\":1}", B(CONTROL)},
    {LIT("{\"a\":\"x\0y\"}"), "{\"a\":\"x\\u0000y\"}", B(NUL)},
    {LIT("\0{\0\"a\"\0:\0[\0"
	 "1\0,\0"
	 "2\0]\0}\0"),
	"{\"a\":[1,2]}", B(NUL)},
    {LIT("{\"a\":1\x01}"), NULL, 0},
    {LIT("{\x0c\"a\":1}"), NULL, 0},
    {LIT("{\"a\":1\0"
	 "2}"),
	NULL, 0},

    /* backslashes: in a string with an invalid escape, only \" is an escape */
    {LIT("{\"a\":\"torch\\cuda\\__init__.py(219)\"}"), "{\"a\":\"torch\\\\cuda\\\\__init__.py(219)\"}", B(BACKSLASH)},
    {LIT("{\"a\":\"C:\\new\\table\\users\\x\"}"), "{\"a\":\"C:\\\\new\\\\table\\\\users\\\\x\"}", B(BACKSLASH)},
    {LIT("{\"a\":\"C:\\new\\table\"}"), "{\"a\":\"C:\\new\\table\"}", 0}, /* nothing shows that these are not escapes */
    {LIT("{\"a\":\"\\\\server\\share\\dir\"}"), "{\"a\":\"\\\\\\\\server\\\\share\\\\dir\"}", B(BACKSLASH)},
    {LIT("{\"a\":\"\\users\"}"), "{\"a\":\"\\\\users\"}", B(BACKSLASH)},
    {LIT("{\"a\":\"\\u12\"}"), "{\"a\":\"\\\\u12\"}", B(BACKSLASH)},
    {LIT("{\"a\":\"\\c \\ud800\"}"), "{\"a\":\"\\\\c \\\\ud800\"}", B(BACKSLASH)},
    {LIT("{\"a\":\"say \\\"hi\\\" in \\d\"}"), "{\"a\":\"say \\\"hi\\\" in \\\\d\"}", B(BACKSLASH)},
    {LIT("{\"a\":\"\\d\\\\\",\"b\":\"\\n\"}"), "{\"a\":\"\\\\d\\\\\\\\\",\"b\":\"\\n\"}", B(BACKSLASH)},
    {LIT("{\"\\d\":1}"), "{\"\\\\d\":1}", B(BACKSLASH)},
    {LIT("{\"a\":\"C:\\dir\\\",\"pid\":1}"), "{\"a\":\"C:\\\\dir\\\\\",\"pid\":1}",
	B(BACKSLASH)}, /* the last backslash does not escape the quote */
    {LIT("{\"a\":\"C:\\new\\\"}"), "{\"a\":\"C:\\\\new\\\\\"}", B(BACKSLASH)},
    {LIT("{\"a\":[\"C:\\x\\\",7],\"b\":\"y\"}"), "{\"a\":[\"C:\\\\x\\\\\",7],\"b\":\"y\"}", B(BACKSLASH)},
    {LIT("{\"a\":[\"C:\\x\\\",\"D:\\y\\\"]}"), NULL, 0}, /* two paths, or one path with quotes */

    /* surrogates and UTF-8 */
    {LIT("{\"a\":\"\\ud83d\\ude00 \\ud800 \\udc00 \\ud800\\u0041 \\ud800\\ud83d\\ude00\"}"),
	"{\"a\":\"\\ud83d\\ude00 " FFFD " " FFFD " " FFFD "\\u0041 " FFFD "\\ud83d\\ude00\"}", B(SURROGATE)},
    {LIT("{\"a\":\"\\ud800\"}"), "{\"a\":\"" FFFD "\"}", B(SURROGATE)},
    {LIT("{\"a\":\"\\ud800\\n\"}"), "{\"a\":\"" FFFD "\\n\"}", B(SURROGATE)},
    {LIT("{\"a\":\"\xff caf\xe9 \xe2\x82\xac \xe2\x82 \xc0\xaf\"}"),
	"{\"a\":\"" FFFD " caf" FFFD " \xe2\x82\xac " FFFD " " FFFD FFFD "\"}", B(UTF8)},
    {LIT("{\"\xe9\":\"\xf0\x9f\x98\"}"), "{\"" FFFD "\":\"" FFFD "\"}", B(UTF8)},
    {LIT("{\"a\":\xff}"), NULL, 0},

    /* byte order mark */
    {LIT("\xef\xbb\xbf{\"a\":1}"), "{\"a\":1}", B(BOM)},
    {LIT("\xef\xbb\xbf{\"a\":NaN}"), "{\"a\":null}", B(BOM) | B(CONSTANT)},
    {LIT("{\xef\xbb\xbf\"a\":1}"), NULL, 0},
    {LIT("\xef\xbb\xbf"), NULL, 0},

    /* duplicate members: in the outermost object, only the last one stays */
    {LIT("{\"a\":1,\"b\":2,\"a\":NaN}"), "{\"b\":2,\"a\":null}", B(CONSTANT) | B(DUPLICATE)},
    {LIT("{\"a\":1,\"a\":2,\"a\":3,}"), "{\"a\":3}", B(COMMA) | B(DUPLICATE)},
    {LIT("{\"a\":{\"x\":1,\"x\":2},\"b\":01}"), "{\"a\":{\"x\":1,\"x\":2},\"b\":\"01\"}", B(NUMBER)},
    {LIT("{\"b\":[1],\"a\":{\"b\":1},\"c\":{\"b\":2},\"b\":inf,\"d\":\"e\"}"),
	"{\"a\":{\"b\":1},\"c\":{\"b\":2},\"b\":null,\"d\":\"e\"}", B(CONSTANT) | B(DUPLICATE)},

    /* quotes */
    {LIT("{\"name\":\"Library(\"_inductor_test\", \"IMPL\")\n(1): <module>\",\"pid\":1,\"tid\":2}"),
	"{\"name\":\"Library(\\\"_inductor_test\\\", \\\"IMPL\\\")\\n(1): <module>\",\"pid\":1,\"tid\":2}",
	B(QUOTE) | B(CONTROL)},
    {LIT("{\"name\":\"say \"hi\"\",\"cat\":\"x\",\"args\":{\"k\":\"v\"}}"),
	"{\"name\":\"say \\\"hi\\\"\",\"cat\":\"x\",\"args\":{\"k\":\"v\"}}", B(QUOTE)},
    {LIT("{\"name\":\"\"hi\" there\"}"), "{\"name\":\"\\\"hi\\\" there\"}", B(QUOTE)},
    {LIT("{\"name\":\"5\" disk\",\"pid\":1}"), "{\"name\":\"5\\\" disk\",\"pid\":1}", B(QUOTE)},
    {LIT("{\"a\":[\"x\"y\", \"z\"],\"b\":\"c\"}"), "{\"a\":[\"x\\\"y\",\"z\"],\"b\":\"c\"}", B(QUOTE)},
    {LIT("{\"name\":\"f(\"C:\\dir\")\",\"pid\":1}"), "{\"name\":\"f(\\\"C:\\\\dir\\\")\",\"pid\":1}",
	B(QUOTE) | B(BACKSLASH)},
    {LIT("{\"name\":\"f(\"a\")\",\"v\":NaN,}"), "{\"name\":\"f(\\\"a\\\")\",\"v\":null}",
	B(QUOTE) | B(CONSTANT) | B(COMMA)},
    {LIT("{\"args\":{\"cmd\":\"x \"y\" z\",\"n\":1},\"name\":\"ok\"}"),
	"{\"args\":{\"cmd\":\"x \\\"y\\\" z\",\"n\":1},\"name\":\"ok\"}", B(QUOTE)},
    /*
     * a string that would contain the beginning of a member: the same text may be a record that lacks its last bracket
     */
    {LIT("{\"name\":\"{\"a\": \"x\", \"b\": 1}\",\"pid\":1}"), NULL, 0},
    {LIT("{\"ts\":1,\"name\":\"x\",\"args\":{\"a\":\"b\"}"), NULL, 0},
    /* two interpretations: a short name, followed by another member; or a name that includes the text of that member */
    {LIT("{\"name\":\"f({\"a\": \"x\", \"b\": \"y\"})\",\"pid\":1}"), NULL, 0},
    {LIT("{\"name\":\"f(\"a\",\"b\":\"c\")\",\"pid\":1}"), NULL, 0},
    /* other damage would give the same text: a doubled or missing comma, a missing quote or bracket, a doubled quote */
    {LIT("{\"name\":\"n\",,\"cat\":\"kernel\"}"), NULL, 0},
    {LIT("{\"name\":\"n\" \"cat\":\"kernel\"}"), NULL, 0},
    {LIT("{\"name\":\"n,\"cat\":\"kernel\",\"ts\":1}"), NULL, 0},
    {LIT("{\"name\":\"n\",cat\":\"kernel\",\"ts\":1}"), NULL, 0},
    {LIT("{\"name\":\"n\"\",\"cat\":\"kernel\"}"), NULL, 0},
    {LIT("{\"name\":\"\"n\",\"cat\":\"kernel\"}"), NULL, 0},
    {LIT("{\"d\":[[5,2],[2,7],\"t\":[\"float\",\"float\"]}"), NULL, 0},
    {LIT("{\"d\":[\"a\",\"b],\"t\":[\"c\"]}"), NULL, 0},
    {LIT("{\"d\":[\"a\"\"b\"]}"), NULL, 0},
    {LIT("{\"d\":[\"a,\"b\"]}"), NULL, 0},
    {LIT("{\"d\":[\"a\",,\"b\"]}"), NULL, 0},
    {LIT("{\"a\":[\",\",\",\"\"]}"), NULL, 0}, /* it is unknown which comma belongs to a string */
    {LIT("{\"a\":[\"x\\\",\",\",\"y\\\\\"]}"), NULL, 0},
    {LIT("{\"a\":\"x\\\\\"y\\d\",\"b\":1}"), "{\"a\":\"x\\\\\\\\\\\"y\\\\d\",\"b\":1}", B(QUOTE) | B(BACKSLASH)},
    {LIT("{\"a\"b\":1}"), NULL, 0}, /* other ends of keys are not tried */

    /* texts that are truncated, have brackets that do not match, or are not an object */
    {LIT(""), NULL, 0},
    {LIT("{"), NULL, 0},
    {LIT("{\"a\":1"), NULL, 0},
    {LIT("{\"a\":1,"), NULL, 0},
    {LIT("{\"a\":\"x"), NULL, 0},
    {LIT("{\"a\":\"x\\"), NULL, 0},
    {LIT("{\"a\":\"x\""), NULL, 0},
    {LIT("{\"a"), NULL, 0},
    {LIT("{\"a\":[1,2}"), NULL, 0},
    {LIT("{\"a\":[1,2"), NULL, 0},
    {LIT("{\"a\":1}}"), NULL, 0},
    {LIT("{\"a\":1]"), NULL, 0},
    {LIT("{\"a\":1}{\"b\":2}"), NULL, 0},
    {LIT("[1,]"), NULL, 0},
    {LIT("NaN"), NULL, 0},
    {LIT("\"a\""), NULL, 0},
    {LIT("}"), NULL, 0},
    {LIT("\0"), NULL, 0},
    {LIT("{\"name\":\"void at::nat"), NULL, 0},
};

static bool repaired(struct str text, struct buf *to, uint32_t *repairs)
{
	struct str exact = exact_copy(text);
	bool done = repair_object(exact, to, repairs);

	if (done)
		CHECK(slow_json((struct str){to->p, to->n}) && to->p[0] == '{');
	free((char *)exact.p);
	return done;
}

static void test_table(void)
{
	struct buf b = {0};
	uint32_t repairs;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (repaired(rows[i].text, &b, &repairs) != (rows[i].repaired != NULL)) {
			CHECK_STR(rows[i].text, rows[i].repaired ? "repaired" : "refused");
		} else if (rows[i].repaired) {
			CHECK_STR(((struct str){b.p, b.n}), rows[i].repaired);
			CHECK_INT(repairs, rows[i].classes);
		} else {
			CHECK(true);
		}
	}
	buf_free(&b);
}

/* A record nested to a depth of JSON_DEPTH is repaired; a deeper one is not. */
static void test_depth(void)
{
	struct buf b = {0}, out = {0};
	uint32_t repairs;
	size_t depth, i;

	for (depth = JSON_DEPTH - 1; depth <= JSON_DEPTH; depth++) {
		b.n = 0;
		buf_lit(&b, "{\"a\":");
		for (i = 0; i < depth; i++)
			buf_char(&b, '[');
		buf_lit(&b, "NaN");
		for (i = 0; i < depth; i++)
			buf_char(&b, ']');
		buf_char(&b, '}');
		CHECK_INT(repaired((struct str){b.p, b.n}, &out, &repairs), depth < JSON_DEPTH);
	}
	buf_free(&b);
	buf_free(&out);
}

/*
 * Inserts damage of a known kind at every position inside a string, but not at its ends, where an inserted quote may
 * look like a doubled one. The rest of the record stays unchanged.
 */
static void test_injected(void)
{
	static const struct {
		const char *damage, *becomes;
		uint32_t class;
	} kinds[] = {
	    {"\n", "\\n", B(CONTROL)},
	    {"\xff", FFFD, B(UTF8)},
	    {"\\ud800", FFFD, B(SURROGATE)},
	    {"\"", "\\\"", B(QUOTE)},
	};
	static const char record[] =
	    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add and more of a name\",\"pid\":1,"
	    "\"args\":{\"External id\":1,\"Input type\":[\"float\",\"int\"]}}";
	const char *from = strstr(record, "ten::"), *to = strstr(record, " of a name"), *p;
	struct buf b = {0}, want = {0}, out = {0};
	uint32_t repairs;
	size_t k;

	for (k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		for (p = from; p < to; p++) {
			b.n = want.n = 0;
			buf_add(&b, record, (size_t)(p - record));
			buf_add(&b, kinds[k].damage, strlen(kinds[k].damage));
			buf_add(&b, p, strlen(p));
			buf_add(&want, record, (size_t)(p - record));
			buf_add(&want, kinds[k].becomes, strlen(kinds[k].becomes));
			buf_add(&want, p, strlen(p));
			CHECK(repaired((struct str){b.p, b.n}, &out, &repairs));
			CHECK(str_eq((struct str){out.p, out.n}, (struct str){want.p, want.n}));
			CHECK_INT(repairs, kinds[k].class);
		}
	}
	buf_free(&b);
	buf_free(&want);
	buf_free(&out);
}

/* For any damage: the result is an object, and repairing it again changes nothing. */
static void test_mutations(void)
{
	struct buf b = {0}, once = {0}, twice = {0};
	struct fault f;
	uint32_t repairs, again;
	size_t i, done = 0, refused = 0;
	bool good;

	for (i = 0; i < 100000; i++) {
		mutate(&b, str_of(samples[i % SAMPLES]), 1 + i % 3);
		good = json_check((struct str){b.p, b.n}, &f) && b.n && *str_trim((struct str){b.p, b.n}).p == '{';
		if (!repaired((struct str){b.p, b.n}, &once, &repairs)) {
			refused++;
			CHECK(!good);
			continue;
		}
		done += !good;
		CHECK_INT(repairs & ~B(DUPLICATE), good ? 0 : repairs & ~B(DUPLICATE));
		CHECK(good || repairs);
		CHECK(repaired((struct str){once.p, once.n}, &twice, &again));
		CHECK(!again && str_eq((struct str){once.p, once.n}, (struct str){twice.p, twice.n}));
	}
	CHECK(done > 5000 && refused > 5000);
	buf_free(&b);
	buf_free(&once);
	buf_free(&twice);
}

/* Texts with very many interpretations take little time and limited memory, and do not overflow the stack. */
static void test_hostile(void)
{
	static const char *const pieces[] = {
	    "\"", "\",\"", "\":\"", "\\\"", "\",\"a\":\"", "\"]", "\"}", "[\"", "a\"b"};
	struct buf b = {0}, out = {0};
	uint32_t repairs;
	size_t i, j, n;

	for (i = 0; i < 300; i++) {
		b.n = 0;
		buf_lit(&b, "{\"a\":\"");
		n = 1 + random_below(2000);
		for (j = 0; j < n; j++) {
			const char *piece = pieces[i < 9 ? i : random_below(1 + i % 9)];

			buf_add(&b, piece, strlen(piece));
		}
		buf_lit(&b, "\",\"b\":foo}");
		CHECK(!repaired((struct str){b.p, b.n}, &out, &repairs));
		b.n -= 4;
		buf_lit(&b, "1}");
		repaired((struct str){b.p, b.n}, &out, &repairs);
	}
	buf_free(&b);
	buf_free(&out);
}

void unit_test(void)
{
	size_t i;

	for (i = 0; i < REPAIR_N; i++)
		CHECK(repair_text((enum repair_class)i) != NULL);
	CHECK_STR(str_of(repair_text(REPAIR_COMMA)), "trailing comma; removed");
	CHECK_STR(str_of(repair_text(REPAIR_NUMBER)), "number not valid in JSON; written as a string");
	test_table();
	test_depth();
	test_injected();
	test_mutations();
	test_hostile();
}
