/* report-sections: runs the questions of section files. */
#include "answers.h"
#include "base/err.h"
#include "figures.h"
#include "section_file.h"

/* Adds the questions of a file. */
static void ask(struct answers *a, struct section_figures *figures, const struct section_file *f)
{
	size_t i;

	for (i = 1; i < f->n; i++) {
		const struct section_block *b = &f->blocks[i];
		struct buf command = {0};

		figures_expand(figures, &command, section_block_text(b, "command"), FIGURES_SHELL);
		buf_char(&command, '\0');
		answers_add(a, (struct answer){.id = str_dup(b->id), .command = command.p, .from = b->from});
	}
}

int main(int argc, char **argv)
{
	struct answers a = {0};
	struct section_figures figures = {.place = "figures"};
	struct section_file f;
	int i;

	err_init(argv[0]);
	for (i = 1; i < argc; i++) {
		section_file_read(&f, argv[i]);
		ask(&a, &figures, &f);
	}
	answers_run(&a);
	return a.lost ? STATUS_LOST : STATUS_OK;
}
