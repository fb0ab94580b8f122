#include "section_file.h"

#include "base/char_class.h"
#include "base/err.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const kinds[] = {NULL, "ask", "section", "marks", "figure", "finding", "claim", "verdict", "facts"};

/* The keys of the other lines. */
static const char *const keys[] = {"shared", "if", "each", "table", "command", "as", "lenient", "status", "row", "sum",
    "min", "first", "named", "members", "let", "list", "term", "columns", "short", "sums", "rest", "limit", "lines",
    "when", "title", "text", "note", "view", "of", "brief", "value", "share", "mark_unit", "saves", "detail", "advice",
    "per", "hint", "evidence", "weight", "source", "fact", "unit", "at_most", "sure", "run", "was", "pick", "next",
    "question", "why", "record", NULL};

struct str section_word(struct str *rest)
{
	struct str word;
	size_t n = 0;

	*rest = str_trim(*rest);
	while (n < rest->n && !is_blank(rest->p[n]))
		n++;
	word = str_head(*rest, n);
	*rest = str_trim(str_from(*rest, n));
	return word;
}

/* Appends the text of the file; its last line ends with a newline. */
static void read_text(struct buf *text, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		die("%s: cannot open:", path);
	while ((n = read(fd, buf_room(text, 4096), 4096)) > 0)
		text->n += (size_t)n;
	if (n < 0)
		die("%s: cannot read:", path);
	close(fd);
	buf_char(text, '\n');
}

/* Joins lines that begin with tabs with the preceding line: a blank replaces the newline and the tabs. */
static void join_lines(struct buf *text)
{
	size_t i, n = 0;

	for (i = 0; i < text->n; i++) {
		if (text->p[i] == '\n' && i + 1 < text->n && text->p[i + 1] == '\t') {
			text->p[n++] = ' ';
			while (text->p[i + 1] == '\t')
				i++;
		} else {
			text->p[n++] = text->p[i];
		}
	}
	text->n = n;
}

/* Begins a block with the rest of its first line. */
static void add_block(struct section_file *f, size_t kind, struct str rest)
{
	f->blocks = mem_grow(f->blocks, &f->cap, f->n + 1, sizeof *f->blocks);
	f->blocks[f->n++] =
	    (struct section_block){.kind = (enum section_kind)kind, .id = section_word(&rest), .from = rest};
}

static void add_line(struct section_file *f, struct str line)
{
	struct section_block *b = &f->blocks[f->n - 1];
	const struct str key = section_word(&line);
	size_t kind;

	for (kind = 1; kind < sizeof kinds / sizeof *kinds; kind++) {
		if (str_eq(key, str_of(kinds[kind]))) {
			add_block(f, kind, line);
			return;
		}
	}
	if (!str_in(key, keys))
		die("%s: '%.*s' is not a key of a section file", f->path, (int)key.n, key.p);
	b->lines = mem_grow(b->lines, &b->cap, b->n + 1, sizeof *b->lines);
	b->lines[b->n++] = (struct section_line){key, line};
}

void section_file_read(struct section_file *f, const char *path)
{
	struct str rest, line;

	*f = (struct section_file){.path = str_dup(str_of(path))};
	read_text(&f->text, path);
	join_lines(&f->text);
	add_block(f, SECTION_HEAD, STR(""));
	for (rest = buf_str(&f->text); str_split(&rest, '\n', &line);) {
		if (str_trim(line).n && line.p[0] != '#')
			add_line(f, line);
	}
}

void section_file_free(struct section_file *f)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		free(f->blocks[i].lines);
	free(f->blocks);
	free(f->path);
	buf_free(&f->text);
}

struct str section_text(const struct section_block *b, const char *key)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		if (str_eq(b->lines[i].key, str_of(key)))
			return b->lines[i].text;
	}
	return (struct str){NULL, 0};
}
