/* sections: asks the questions of section files, and makes the records of a report from their answers. */
#ifndef SECTIONS_H
#define SECTIONS_H

#include "answers.h"
#include "figures.h"
#include "section_file.h"

/* The parts of a report, in the order in which they are written. Zero-initialise; sections_free(). */
struct sections {
	struct figures shared; /* those of the command line, and of files that share theirs */
	struct answers answers;
	int64_t rows; /* the number of rows in each table, or 0 for the number of the section */
	bool pictures;
	/* private */
	struct buf verdict, verdict_members, sources, facts, figures, sections;
	long double weight; /* of the verdict */
	struct sections_finding {
		long double saves;
		struct buf text;
	} * findings;
	size_t n_findings, findings_cap;
	struct section_run {
		const struct section_file *file;
		struct figures figures;
		struct answer **answers;      /* of each block; NULL for a block that asks nothing */
		struct buf marks;             /* of the next section */
		const struct answer *picture; /* from which the last of them are */
	} * runs;
	size_t n_runs, runs_cap;
};

/* Asks the questions of a file. If its figures are shared, also waits for the answers. */
void sections_ask(struct sections *s, const struct section_file *f);

/* Waits for all answers, and writes the report. Returns false, and writes nothing, if there is no verdict. */
bool sections_write(struct sections *s, struct out *out);
void sections_free(struct sections *s);

#endif
