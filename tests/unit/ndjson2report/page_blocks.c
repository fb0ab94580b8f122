/* page: the order of the blocks of a report, and the tables and bars that are made of its rows. */
#include "test.h"

#include "json/check.h"
#include "json/scan.h"
#include "ndjson2report/page.h"

static struct report report;
static struct buf drawn;

static void take(const char *json)
{
	static struct buf line;
	static struct diagnostics problems;
	struct event e;
	struct fault f;

	line.n = 0;
	buf_add(&line, json, strlen(json));
	scan_pad(&line);
	CHECK_SHOW(json_check(buf_str(&line), &f), "%s", json);
	CHECK(!event_parse(&e, buf_str(&line)));
	report_take(&report, &e, &(struct report_problems){&problems, {"x", 1, 0}});
	CHECK_INT(problems.n, 0);
}

/* --- a drawer that writes the names of the blocks --- */

static void put(const char *block, struct str text)
{
	buf_add(&drawn, block, strlen(block));
	buf_add(&drawn, text.p, text.n);
	buf_char(&drawn, ' ');
}

static void title(void *page, const struct report_verdict *v)
{
	(void)page;
	put("title:", v->title);
}

static void headline(void *page, const struct report_verdict *v)
{
	(void)page;
	put("headline:", v->text);
}

static void parts(void *page)
{
	(void)page;
	put("parts", STR(""));
}

static void tiles(void *page)
{
	(void)page;
	put("tiles", STR(""));
}

static void findings(void *page)
{
	(void)page;
	put("findings", STR(""));
}

static bool section(void *page, const struct report_section *s, int depth, bool half)
{
	(void)page;
	put(half ? "(half:" : depth ? "(inner:" : "(", s->id);
	return !str_eq(s->id, STR("left-out"));
}

static void paragraph(void *page, const struct report_section *s, struct str text, bool soft)
{
	(void)page, (void)s;
	if (text.n)
		put(soft ? "soft:" : "text:", text);
}

static void bars(void *page, const struct report_section *s)
{
	(void)page, (void)s;
	put("bars", STR(""));
}

static void table(void *page, const struct report_section *s, bool folded)
{
	(void)page, (void)s;
	put(folded ? "folded" : "table", STR(""));
}

static void commands(void *page, const struct report_section *s)
{
	(void)page, (void)s;
	put("commands", STR(""));
}

static void inner(void *page, bool begin)
{
	(void)page;
	put(begin ? "[" : "]", STR(""));
}

static void section_end(void *page, const struct report_section *s)
{
	(void)page, (void)s;
	put(")", STR(""));
}

static void lines(void *page)
{
	(void)page;
	put("lines", STR(""));
}

static const struct page_drawer drawer = {.title = title,
    .headline = headline,
    .parts = parts,
    .tiles = tiles,
    .findings = findings,
    .section = section,
    .paragraph = paragraph,
    .bars = bars,
    .table = table,
    .commands = commands,
    .inner = inner,
    .section_end = section_end,
    .lines = lines};

static void check_order(void)
{
	take("{\"kind\":\"report/verdict\",\"title\":\"t\",\"text\":\"v\"}");
	take("{\"kind\":\"report/finding\",\"title\":\"f\"}");
	take("{\"kind\":\"report/section\",\"id\":\"k\",\"columns\":[\"a\"],\"brief\":[\"a\"],\"lines\":3,"
	     "\"text\":\"s\",\"note\":\"n\",\"commands\":[\"c\"]}");
	take("{\"kind\":\"report/section\",\"id\":\"steps\",\"view\":\"parts\",\"columns\":[\"a\"],\"lines\":3}");
	take("{\"kind\":\"report/section\",\"id\":\"x\",\"of\":\"k\",\"columns\":[\"a\"]}");
	take("{\"kind\":\"report/section\",\"id\":\"y\",\"of\":\"k\",\"columns\":[\"a\"],\"commands\":[\"c\"]}");
	take("{\"kind\":\"report/section\",\"id\":\"left-out\",\"text\":\"s\"}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"a\":1}");
	take("{\"kind\":\"report/row\",\"section\":\"steps\",\"a\":1}");
	page_draw(&report, &drawer, NULL);
	CHECK_STR(buf_str(&drawn),
	    "title:t headline:v parts tiles findings "
	    "(k soft:s text:n table commands [ (half:x ) (half:y commands ) ] ) (steps bars folded ) (left-out ");
	drawn.n = 0;
	page_draw_brief(&report, &drawer, NULL, true);
	CHECK_STR(buf_str(&drawn),
	    "title:t headline:v parts (steps bars commands findings (k table commands lines (y commands ");
	drawn.n = 0;
	page_draw_brief(&report, &drawer, NULL, false);
	CHECK_STR(buf_str(&drawn), "title:t headline:v parts (steps bars findings (k table lines ");
	report_free(&report);
}

/* Columns without values, of which the first one has the number of the rows that are summed up. */
static void check_empty_columns(void)
{
	struct page_table t;

	take("{\"kind\":\"report/section\",\"id\":\"k\",\"columns\":[\"dev\",\"n\"],\"brief\":[\"dev\",\"n\"]}");
	take("{\"kind\":\"report/row\",\"section\":\"k\"}");
	page_table_init(&t, report_section(&report, STR("k")), false);
	CHECK_INT(t.n, 1);
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"n\":7}");
	page_table_init(&t, report_section(&report, STR("k")), false);
	CHECK_INT(t.n, 1);
	CHECK_STR(t.fields[0].title, "n");
	page_table_init(&t, report_section(&report, STR("k")), true);
	CHECK_INT(t.n, 2);
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"n\":3,\"rest\":5}");
	page_table_init(&t, report_section(&report, STR("k")), false);
	CHECK_INT(t.n, 2);
	CHECK_STR(t.fields[0].title, "dev");
	report_free(&report);
}

static void check_tables(void)
{
	const struct report_section *s;
	struct page_table t;

	take("{\"kind\":\"report/section\",\"id\":\"k\",\"columns\":[\"range\",\"op\",\"none\",\"n\",\"dur\"],"
	     "\"titles\":[\"\",\"Op\",\"None\",\"N\",\"Time (ms)\"],"
	     "\"units\":[\"path\",\"name\",\"text\",\"count\",\"ms\"],\"colors\":[\"\",\"\",\"\",\"\",\"host\"],"
	     "\"brief\":[\"op\",\"none\",\"dur\"]}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"op\":\"x\",\"dur\":2000000}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"range\":\"r\",\"n\":7,\"dur\":-1}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"rest\":5}");
	s = report_section(&report, STR("k"));
	CHECK_INT(page_rows(s), 2);
	page_table_init(&t, s, false);
	CHECK_INT(t.n, 3); /* the first two columns are joined, the third one has no values */
	CHECK_STR(t.fields[0].title, "Op");
	CHECK(t.fields[0].text && !t.fields[1].text);
	CHECK_STR(t.fields[1].title, "N");
	page_table_init(&t, s, true);
	CHECK_INT(t.n, 2);
	CHECK_INT(t.columns[t.fields[1].last].column, 4);
	CHECK_STR(page_bare_title(&s->columns[4]), "Time");
	CHECK_STR(page_bare_title(&s->columns[3]), "N");
	{
		struct page_part part[REPORT_COLUMNS];

		CHECK_INT(page_row_parts(s, &s->rows[0], part), 1);
		CHECK_STR(part[0].name, "Time");
		CHECK_DOUBLE(page_parts_sum(part, 1), 2e6);
		page_row_parts(s, &s->rows[1], part);
		CHECK_DOUBLE(page_part_size(part), 0); /* a bar cannot show a negative value */
	}
	report_free(&report);
}

void unit_test(void)
{
	check_order();
	check_tables();
	check_empty_columns();
	buf_free(&drawn);
}
