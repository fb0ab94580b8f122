#include "pftrace_entries.h"

void pftrace_entries_init(struct pftrace_entries *p, struct reader *r)
{
	p->reader = r;
	spool_init(&p->entries);
	spool_init(&p->slices);
	spool_init(&p->ends);
}

void pftrace_fail(struct pftrace_entries *p, const struct fault *f)
{
	p->reader->src->fault = *f;
	p->failed = true;
}

void pftrace_entries_add_slice(struct pftrace_entries *p, const struct pftrace_entry *entry)
{
	struct pftrace_track *track = &p->tracks.list[entry->track];
	const struct pftrace_slice slice = {.ts = entry->ts,
	    .entry = p->entries.size,
	    .number = p->begins,
	    .track = entry->track,
	    .sequence = p->sequence->id,
	    .clock = entry->clock,
	    .is_end = entry->type == PFTRACE_END};
	struct fault f;

	if (track->sequence == PFTRACE_NONE)
		track->sequence = slice.sequence;
	track->shared |= track->sequence != slice.sequence;
	p->n_slices++;
	if (!spool_add(&p->slices, &slice, sizeof slice, &f) ||
	    (!slice.is_end && !spool_add(&p->ends, &(uint64_t){0}, sizeof(uint64_t), &f)))
		pftrace_fail(p, &f);
	p->begins += !slice.is_end;
}

void pftrace_entries_add(struct pftrace_entries *p, struct pftrace_entry *entry)
{
	const struct buf *const texts[PFTRACE_TEXTS] = {&p->name, &p->cat, &p->args, &p->flows, &p->extras};
	struct fault f;
	bool good;
	size_t i;

	p->events++;
	for (i = 0; i < PFTRACE_TEXTS; i++)
		entry->n[i] = texts[i]->n;
	good = spool_add(&p->entries, entry, sizeof *entry, &f);
	for (i = 0; good && i < PFTRACE_TEXTS; i++)
		good = !texts[i]->n || spool_add(&p->entries, texts[i]->p, texts[i]->n, &f);
	if (!good)
		pftrace_fail(p, &f);
}

size_t pftrace_entries_read(struct pftrace_entries *p, struct spool_window *w, uint64_t at, struct pftrace_entry *entry,
    struct str texts[PFTRACE_TEXTS])
{
	struct fault f;
	const char *bytes = spool_read(&p->entries, w, at, sizeof *entry, &f);
	size_t i, n = sizeof *entry;

	if (bytes) {
		memcpy(entry, bytes, sizeof *entry);
		for (i = 0; i < PFTRACE_TEXTS; i++)
			n += (size_t)entry->n[i];
		bytes = spool_read(&p->entries, w, at, n, &f);
	}
	if (!bytes) {
		pftrace_fail(p, &f);
		return 0;
	}
	bytes += sizeof *entry;
	for (i = 0; i < PFTRACE_TEXTS; i++) {
		texts[i] = (struct str){entry->n[i] ? bytes : NULL, (size_t)entry->n[i]};
		bytes += entry->n[i];
	}
	return n;
}

void pftrace_entries_free(struct pftrace_entries *p)
{
	pftrace_clocks_free(&p->clocks);
	pftrace_tracks_free(&p->tracks);
	spool_free(&p->entries);
	spool_free(&p->slices);
	spool_free(&p->ends);
	bufs_free(&p->name, &p->cat, &p->args, &p->flows, &p->extras, &p->extra_values, &p->extra_tracks);
}
