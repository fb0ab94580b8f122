/* section_file: blocks, keys, texts, continued lines. */
#include "report-sections/section_file.h"

#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static void write_file(char *path, const char *text)
{
	const int fd = mkstemp(path);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

void unit_test(void)
{
	char path[] = "section-XXXXXX";
	struct section_file f;
	struct str rest = STR("  one\ttwo  three ");

	write_file(path, "# a comment\nshared\nif  a > b \n\nsection id from and more\ntitle A\n\t\tlong one\n\n"
			 "text\nask q\ntable x | y\n\t| z");
	section_file_read(&f, path);
	CHECK_INT(f.n, 3);
	CHECK_INT(f.blocks[0].n, 2);
	CHECK_STR(section_text(&f.blocks[0], "if"), "a > b");
	CHECK(section_text(&f.blocks[0], "shared").p != NULL);
	CHECK_STR(section_text(&f.blocks[0], "shared"), "");
	CHECK(section_text(&f.blocks[0], "each").p == NULL);
	CHECK_INT(f.blocks[0].kind, SECTION_HEAD);
	CHECK_INT(f.blocks[1].kind, SECTION_SECTION);
	CHECK_STR(f.blocks[1].id, "id");
	CHECK_STR(f.blocks[1].from, "from and more");
	CHECK_STR(section_text(&f.blocks[1], "title"), "A long one");
	CHECK_STR(section_text(&f.blocks[1], "text"), "");
	CHECK_STR(section_text(&f.blocks[2], "table"), "x | y | z");
	CHECK_INT(f.blocks[2].from.n, 0);
	section_file_free(&f);
	unlink(path);

	CHECK_STR(section_word(&rest), "one");
	CHECK_STR(section_word(&rest), "two");
	CHECK_STR(section_word(&rest), "three");
	CHECK_INT(section_word(&rest).n, 0);
}
