#include "findings_page.h"

#include "claims.h"

/* Appends the lines of claims that are findings, or of those that are questions, as far as they fit. */
static size_t put_lines(struct buf *to, const struct report *r, bool cannot, size_t most)
{
	size_t n = 0, i;

	for (i = 0; i < r->n_claims; i++) {
		if (r->claims[i].cannot != cannot)
			continue;
		if (to->n + r->claims[i].line.n > most)
			break;
		buf_add(to, r->claims[i].line.p, r->claims[i].line.n);
		n++;
	}
	return n;
}

void findings_page_put(struct buf *to, const struct report *r)
{
	enum { END = 80 }; /* room for the last line */
	size_t cannot_bytes = 0, all = 0, findings, cannot, i;

	for (i = 0; i < r->n_claims; i++) {
		cannot_bytes += r->claims[i].cannot ? r->claims[i].line.n : 0;
		all += !r->claims[i].cannot;
	}
	buf_add(to, r->head.p, r->head.n);
	findings = put_lines(to, r, false, FINDINGS_MOST - END - (cannot_bytes < 2048 ? cannot_bytes : 2048));
	cannot = put_lines(to, r, true, FINDINGS_MOST - END);
	claims_end(to, findings, cannot, all - findings, r->lost);
}
