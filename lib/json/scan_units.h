/* scan_units: finds where units, values and strings end; a part of scan_kernel.h. */

/* The results for the blocks searched so far. */
struct KERNEL(finder) {
	struct scan_unit *units;
	/* found: number of units in units[]; known: the end of the last unit that the preceding call returned */
	size_t found, known;
	size_t base; /* offset of the block in p[] */
	int64_t depth;
	uint64_t doubt; /* 0 as long as the current unit is clean */
};

static inline void KERNEL(emit)(struct KERNEL(finder) *f, size_t end, bool clean)
{
	/* The preceding call may have returned this unit already, when the block was incomplete. */
	if (end > f->known)
		f->units[f->found++] = (struct scan_unit){end, clean};
}

/*
 * Handles any number of lines in a block. Returns 0, or, if an open string crosses the end of a line, the number of
 * bytes up to that end.
 */
static unsigned KERNEL(many_lines)(struct KERNEL(finder) *f, const struct KERNEL(block) *b)
{
	uint64_t ends, bit, rest = ~(uint64_t)0, mine;
	unsigned at;

	for (ends = b->newline; ends; ends &= ends - 1) {
		bit = ends & (0 - ends);
		at = (unsigned)__builtin_ctzll(ends);
		mine = rest & (bit - 1);
		f->depth += __builtin_popcountll(b->open & mine) - __builtin_popcountll(b->close & mine);
		KERNEL(emit)(f, f->base + at + 1, !f->depth && !f->doubt && !(b->bad & mine) && !(b->in_string & bit));
		f->depth = 0;
		f->doubt = 0;
		rest = 0 - bit;
		if (b->in_string & bit)
			return at + 1;
	}
	f->depth += __builtin_popcountll(b->open & rest) - __builtin_popcountll(b->close & rest);
	f->doubt |= b->bad & rest;
	return 0;
}

/*
 * The same as many_lines(), but fast for blocks with at most one newline. It has no branch for blocks without a
 * newline, because the processor cannot predict such a branch well. Without a newline, `after` is 0.
 */
static inline unsigned KERNEL(lines)(struct KERNEL(finder) *f, const struct KERNEL(block) *b)
{
	uint64_t bit = b->newline & (0 - b->newline), before = bit - 1, after = ~before, none = bit ? 0 : before;
	int64_t depth;

	if ((b->newline ^ bit) | (b->in_string & bit) || f->known > f->base)
		return KERNEL(many_lines)(f, b);
	depth = f->depth + __builtin_popcountll(b->open & before) - __builtin_popcountll(b->close & before);
	f->units[f->found] = (struct scan_unit){
	    f->base + (size_t)__builtin_popcountll(before) + 1, !((uint64_t)depth | f->doubt | (b->bad & before))};
	f->found += !none;
	f->depth = (int64_t)((uint64_t)depth & none) + __builtin_popcountll(b->open & after) -
		   __builtin_popcountll(b->close & after);
	f->doubt = ((f->doubt | b->bad) & none) | (b->bad & after);
	return 0;
}

/* Finds the ends of values in a block; returns true after a closing bracket without an opening one. */
static inline bool KERNEL(values)(struct KERNEL(finder) *f, const struct KERNEL(block) *b)
{
	uint64_t ends, bit, rest = ~(uint64_t)0;

	/* A value can end in a block only if the block has at least as many closing brackets as there are open ones. */
	if (f->depth > __builtin_popcountll(b->close)) {
		f->depth += __builtin_popcountll(b->open) - __builtin_popcountll(b->close);
		f->doubt |= b->bad;
		return false;
	}
	for (ends = b->open | b->close; ends; ends &= ends - 1) {
		bit = ends & (0 - ends);
		f->depth += b->open & bit ? 1 : -1;
		if (f->depth > 0)
			continue;
		KERNEL(emit)(f, f->base + (unsigned)__builtin_ctzll(ends) + 1,
		    !f->depth && !f->doubt && !(b->bad & rest & (bit | (bit - 1))));
		f->doubt = 0;
		rest = ~(bit | (bit - 1));
		if (f->depth < 0)
			return true;
	}
	f->doubt |= b->bad & rest;
	return false;
}

/* The number of blocks that are classified before they are searched. */
enum { KERNEL(BATCH) = 16 };

/*
 * Runs two loops over each batch, one that classifies its blocks and one that searches them, so that each loop keeps
 * its state in registers. It is inlined once for each mode, so that the loops do not test the mode.
 */
__attribute__((always_inline)) static inline size_t KERNEL(run_mode)(
    struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max, bool lines)
{
	struct KERNEL(block) blocks[KERNEL(BATCH)];
	struct KERNEL(finder) f = {.units = units, .known = s->end, .depth = s->state.depth, .doubt = s->state.doubt};
	struct scan_state state = s->state, ahead;
	size_t at = s->at, left, count, i, k;
	unsigned broken = 0;
	bool stop = false;

	while (at < n) {
		/*
		 * A batch has 1024 bytes. So a line that is nested deeper than 1024 within the batch is nested deeper
		 * than 512 at the beginning or at the end of the batch.
		 */
		f.doubt |= lines && f.depth > DEEP;
		left = n - at;
		count = left < 64 ? 1 : left / 64 < KERNEL(BATCH) ? left / 64 : KERNEL(BATCH);
		ahead = state;
		for (i = 0; i < count; i++)
			blocks[i] = KERNEL(look)(p + at + i * 64, BELOW(left), lines, &ahead);
		for (i = 0; i < count; i++) {
			state.depth = f.depth;
			state.doubt = f.doubt;
			f.base = at + i * 64;
			/* At most 64 units end in one block. */
			stop = f.found + 64 > max || (!lines && KERNEL(values)(&f, &blocks[i]));
			broken = lines && !stop ? KERNEL(lines)(&f, &blocks[i]) : 0;
			if (stop || broken)
				break;
		}
		if (broken) {
			/*
			 * After an unclosed string, the inside and outside of all following strings would be swapped,
			 * so the search restarts after the line.
			 */
			at += i * 64 + broken;
			state = (struct scan_state){0};
			f.depth = 0;
			f.doubt = 0;
		} else if (stop || left < 64) {
			break;
		} else {
			at += count * 64;
			ahead.depth = f.depth;
			ahead.doubt = f.doubt;
			state = ahead;
		}
	}
	/*
	 * If the search stopped within a batch, `state` and `at` advance only over the blocks before the one where it
	 * stopped.
	 */
	for (k = 0; stop && k < i; k++, at += 64)
		KERNEL(look)(p + at, ~(uint64_t)0, lines, &state);
	s->state = state;
	s->at = at;
	if (f.found)
		s->end = units[f.found - 1].end;
	return f.found;
}

static size_t KERNEL(run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max)
{
	return s->mode == SCAN_LINES ? KERNEL(run_mode)(s, p, n, units, max, true)
				     : KERNEL(run_mode)(s, p, n, units, max, false);
}

static size_t KERNEL(skip)(struct str text)
{
	struct scan_state s = {0};
	struct KERNEL(block) b;
	uint64_t ends;
	size_t at;

	for (at = 0; at < text.n; at += 64) {
		b = KERNEL(look)(text.p + at, BELOW(text.n - at), false, &s);
		if (s.depth > __builtin_popcountll(b.close)) {
			s.depth += __builtin_popcountll(b.open) - __builtin_popcountll(b.close);
			continue;
		}
		for (ends = b.open | b.close; ends; ends &= ends - 1) {
			s.depth += b.open & ends & (0 - ends) ? 1 : -1;
			if (s.depth == 0)
				return at + (size_t)__builtin_ctzll(ends) + 1;
		}
	}
	return 0;
}

static size_t KERNEL(quote)(struct str text)
{
	uint64_t escaped = 0, quotes;
	struct scan_oddities o;
	struct scan_frame f;
	size_t at;

	for (at = 0; at < text.n; at += 64) {
		classify_frame(text.p + at, &f);
		quotes = f.quote & BELOW(text.n - at);
		if (f.odd || escaped) {
			classify_odd(text.p + at, &o);
			quotes &= ~KERNEL(escapes)(o.backslash, &escaped);
		}
		if (quotes)
			return at + (size_t)__builtin_ctzll(quotes);
	}
	return text.n;
}
