/* blocks: their order, and the tables and bars that are made of rows. */
#include "test.h"

#include "json/check.h"
#include "json/scan.h"
#include "ndjson2report/blocks.h"

static struct report report;
static struct buf drawn;
static struct blocks blocks;
static struct blocks_options options;

static void take(const char *json)
{
	static struct buf line;
	static struct diagnostics problems;
	struct fault f;

	line.n = 0;
	buf_add(&line, json, strlen(json));
	scan_pad(&line);
	CHECK_SHOW(json_check(buf_str(&line), &f), "%s", json);
	report_take(&report, buf_str(&line), &problems, (struct fault_location){"x", 1, 0});
	CHECK_INT(problems.n, 0);
}

/* Makes the blocks, and returns their kinds and texts. */
static struct str make(bool brief, bool commands)
{
	static const char *const kinds[] = {[BLOCK_VERDICT] = "verdict",
	    [BLOCK_TABLE] = "table",
	    [BLOCK_TILES] = "tiles",
	    [BLOCK_CONTENTS] = "contents",
	    [BLOCK_FINDINGS] = "findings",
	    [BLOCK_HEADING] = "heading",
	    [BLOCK_TEXT] = "text",
	    [BLOCK_PICTURE] = "picture",
	    [BLOCK_COMMANDS] = "commands"};
	size_t i;

	blocks_free(&blocks);
	options.brief = brief;
	options.commands = commands;
	options.findings = 9;
	for (i = 0; i < REPORT_SECTIONS; i++)
		options.rows[i] = 9;
	blocks_make(&blocks, &report, &options);
	drawn.n = 0;
	for (i = 0; i < blocks.n; i++) {
		const struct block *b = &blocks.list[i];

		const char *kind = b->kind == BLOCK_TABLE && b->bars ? "bars" : kinds[b->kind];

		buf_add(&drawn, kind, strlen(kind));
		buf_add(&drawn, "+", b->kind == BLOCK_HEADING && b->contained);
		buf_lit(&drawn, ":");
		buf_add(&drawn, b->text.p, b->text.n);
		buf_lit(&drawn, " ");
	}
	return buf_str(&drawn);
}

/* Returns a cell of the last block. */
static struct str cell(size_t row, size_t column)
{
	const struct block *b = &blocks.list[blocks.n - 1];

	CHECK(row < b->n && column < b->n_columns);
	return b->rows[row].cells[column].text;
}

static void check_order(void)
{
	take("{\"kind\":\"report/verdict\",\"title\":\"t\",\"text\":\"v\"}");
	take("{\"kind\":\"report/finding\",\"title\":\"f\"}");
	take("{\"kind\":\"report/figure\",\"name\":\"n\",\"group\":\"line\"}");
	take("{\"kind\":\"report/section\",\"id\":\"k\",\"columns\":[{\"name\":\"a\",\"brief\":true}],\"lines\":3,"
	     "\"text\":\"s\",\"note\":\"n\",\"commands\":[\"c\"]}");
	take("{\"kind\":\"report/section\",\"id\":\"x\",\"of\":\"k\",\"columns\":[{\"name\":\"a\"}]}");
	take("{\"kind\":\"report/section\",\"id\":\"y\",\"of\":\"none\",\"columns\":[{\"name\":\"a\"}],"
	     "\"commands\":[\"c\"]}");
	take("{\"kind\":\"report/section\",\"id\":\"steps\",\"view\":\"parts\",\"columns\":[{\"name\":\"a\","
	     "\"brief\":true}],\"lines\":3}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"a\":1}");
	take("{\"kind\":\"report/row\",\"section\":\"steps\",\"a\":1}");
	CHECK_STR(make(false, true), "verdict: contents: findings: heading:k text:s text:n table: commands: "
				     "heading+:x heading:y commands: heading:steps bars: ");
	CHECK_STR(make(true, true), "verdict: heading:steps bars: findings: table: commands: text:\x02n \x03 "
				    "heading:y commands: ");
	CHECK_STR(make(true, false), "verdict: heading:steps bars: findings: table: text:\x02n \x03 ");
	report_free(&report);
}

/* Columns without values, of which the first one has the number of the rows that are summed up. */
static void check_empty_columns(void)
{
	take("{\"kind\":\"report/section\",\"id\":\"k\",\"columns\":[{\"name\":\"dev\",\"brief\":true},"
	     "{\"name\":\"n\",\"brief\":true}],\"lines\":9}");
	take("{\"kind\":\"report/row\",\"section\":\"k\"}");
	make(false, false);
	CHECK_INT(blocks.list[blocks.n - 1].n_columns, 1);
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"n\":7}");
	make(false, false);
	CHECK_INT(blocks.list[blocks.n - 1].n_columns, 1);
	CHECK_STR(cell(1, 0), "\x02"
			      "7\x03");
	make(true, false);
	CHECK_STR(cell(1, 0), "\x02"
			      "7\x03");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"n\":3,\"rest\":5}");
	make(false, false);
	CHECK_STR(cell(2, 0), "\x02"
			      "5\x03 others");
	report_free(&report);
}

static void check_tables(void)
{
	const struct block *b;

	take("{\"kind\":\"report/section\",\"id\":\"k\",\"columns\":["
	     "{\"name\":\"op\",\"title\":\"Op\",\"unit\":\"name\",\"brief\":true,\"sum\":true},"
	     "{\"name\":\"none\",\"title\":\"None\",\"unit\":\"text\",\"brief\":true},"
	     "{\"name\":\"n\",\"title\":\"N\",\"unit\":\"count\"},"
	     "{\"name\":\"dur\",\"title\":\"Time (ms)\",\"unit\":\"ms\",\"brief\":true,\"sum\":true}],"
	     "\"lines\":1}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"op\":\"x\",\"dur\":2000000}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"op\":\"y\",\"n\":7,\"dur\":-1}");
	take("{\"kind\":\"report/row\",\"section\":\"k\",\"rest\":5,\"dur\":3000000}");
	make(false, false);
	b = &blocks.list[blocks.n - 1];
	CHECK_INT(b->n_columns, 3); /* one has no values */
	CHECK_STR(b->columns[0].title, "Op");
	CHECK(b->columns[0].text && !b->columns[0].wide && !b->columns[1].text && b->columns[1].wide);
	CHECK_STR(cell(0, 0), "\x01x\x03");
	CHECK_STR(cell(1, 0), "\x01y\x03");
	CHECK_STR(b->rows[1].cells[2].exact, "-1");
	CHECK(b->rows[2].rest);
	options.rows[0] = 1;
	options.brief = true;
	blocks_free(&blocks);
	blocks_make(&blocks, &report, &options);
	CHECK_INT(blocks.list[blocks.n - 1].n, 2);
	CHECK_STR(cell(1, 0), "\x02"
			      "6\x03 others");
	CHECK_STR(cell(1, 1), "\x02"
			      "3.0\x03");
	report_free(&report);
}

static void check_bars(void)
{
	const struct block *b;

	take("{\"kind\":\"report/section\",\"id\":\"s\",\"view\":\"parts\",\"columns\":["
	     "{\"name\":\"step\",\"title\":\"Step\",\"unit\":\"int\",\"brief\":true},"
	     "{\"name\":\"a\",\"title\":\"A (ms)\",\"unit\":\"ms\",\"color\":\"host\"},"
	     "{\"name\":\"b\",\"title\":\"B\",\"unit\":\"time\",\"color\":\"copies\"},"
	     "{\"name\":\"c\",\"title\":\"C\",\"unit\":\"time\",\"color\":\"none\"},"
	     "{\"name\":\"all\",\"title\":\"All (ms)\",\"unit\":\"ms\",\"brief\":true}],\"lines\":9}");
	take("{\"kind\":\"report/row\",\"section\":\"s\",\"step\":7,\"a\":3000000,\"b\":-1,\"all\":4000000}");
	make(false, false);
	b = &blocks.list[blocks.n - 1];
	CHECK(b->bars && b->legend);
	CHECK_INT(b->bar_before, 1);
	CHECK_INT(b->n, 1);
	CHECK_INT(b->n_parts, 2); /* no row has a value of the third one */
	CHECK_STR(b->rows[0].parts[0].name, "A");
	CHECK_DOUBLE(b->rows[0].parts[1].size, 0); /* a bar cannot show a negative value */
	CHECK_DOUBLE(b->whole, 3e6);
	CHECK_STR(b->rows[0].parts[0].share, "\x02"
					     "100.0 %\x03");
	make(true, false);
	b = &blocks.list[blocks.n - 1];
	CHECK_STR(b->rows[0].cells[1].text, "\x02"
					    "4.0 ms\x03");
	report_free(&report);
}

void unit_test(void)
{
	check_order();
	check_tables();
	check_empty_columns();
	check_bars();
	blocks_free(&blocks);
	buf_free(&drawn);
}
