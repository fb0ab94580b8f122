/* samples: typical records, a random source and mutations, for tests that need many texts. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "base/mem.h"
#include "json/scan.h"

#include <stdlib.h>

static const char *const samples[] = {
    "{\"ts\":1712195495502094520,\"dur\":12300,\"kind\":\"kernel\",\"name\":\"void "
    "at::native::vectorized_elementwise_kernel<4, "
    "at::native::FillFunctor<float>, at::detail::Array<char*, 1> >(int)\",\"cat\":\"kernel\",\"pid\":9,\"dev\":0,"
    "\"stream\":7,\"corr\":17,\"args\":{\"grid\":[80,1,1],\"block\":[128,1,1],\"est. achieved occupancy %\":31}}",
    "{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 1, \"tid\": 2,\r\n\t\"ts\": 12.5e0, "
    "\"dur\": -1,\n"
    "    \"args\": {\n      \"External id\": 1, \"Input Dims\": [[64, 3, 224, 224], [], [[]]], \"empty\": {}\n    }\n  "
    "}",
    "{\"ph\":\"X\",\"name\":\"torch\\\\cuda\\\\__init__.py(219): "
    "_lazy_init\",\"quote\":\"\\\"\\/\\b\\f\\n\\r\\t\",\"ts\":0.000}",
    "{\"name\":\"\xd0\xbf\xd1\x80\xd0\xb8 \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x98\x80 \\ud83d\\ude00 "
    "\\u00e9\",\"v\":[true,false,null,"
    "0,-0,1e9,1E-9,0.5e+1,12345678901234567890]}",
    "{\"a\":{\"b\":{\"c\":[{\"d\":[[[[1]]]]},\"e\"]}},\"a\":2,\"\":\"\",\"k\\u0041\":[ ]}",
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"Library(\\\"_inductor_test\\\", \\\"IMPL\\\")\\n(1): "
    "<module>\","
    "\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":0,\"args\":{\"Ev Idx\":7,\"Call stack\":\"a.py(1): f;b.py(2): g\"}}",
};

enum { SAMPLES = sizeof samples / sizeof *samples };

/* The state of xorshift64*, so that the texts are the same on every machine. */
static uint64_t random_state = 88172645463325252u;

static inline size_t random_below(size_t n)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (size_t)((random_state * 2685821657736338717u) >> 33) % n;
}

/* Returns a random byte that has a meaning in JSON or UTF-8. */
static inline char random_byte(void)
{
	static const char bytes[] = "\"\"\"\\\\{}[]:,,, \n\t\r\0\x01\x1f\x7f"
				    "0123456789-+.eEtruefalsn"
				    "uU\xc2\xa0\xe2\x82\xac\xed\xa0\x80\xf0\x9f\x98\x80\xff\xc0";

	return bytes[random_below(sizeof bytes - 1)];
}

/*
 * Sets *b to `text` with 1 to `most` changes: a byte is replaced, inserted or removed, a run of bytes is copied, or the
 * end is cut off.
 */
static inline void mutate(struct buf *b, struct str text, size_t most)
{
	size_t times = 1 + random_below(most), at, n;

	b->n = 0;
	buf_add(b, text.p, text.n);
	for (; times-- && b->n;) {
		at = random_below(b->n);
		switch (random_below(8)) {
		case 0:
		case 1:
		case 2:
			b->p[at] = random_byte();
			break;
		case 3:
		case 4:
			buf_char(b, 0);
			memmove(b->p + at + 1, b->p + at, b->n - 1 - at);
			b->p[at] = random_byte();
			break;
		case 5:
			memmove(b->p + at, b->p + at + 1, b->n - 1 - at);
			b->n--;
			break;
		case 6: /* a run of bytes is copied to another place */
			n = random_below(b->n - at) % 32;
			memmove(b->p + random_below(b->n - n), b->p + at, n);
			break;
		default:
			if (random_below(8) == 0)
				b->n = at;
			break;
		}
	}
}

/* Copies the text to its own memory block, so that a sanitizer reports a read beyond its end. */
static inline struct str exact_copy(struct str text)
{
	char *p = mem_alloc(text.n);

	if (text.n)
		memcpy(p, text.p, text.n);
	return (struct str){p, text.n};
}

/* The same as exact_copy(), but SCAN_PAD bytes follow the text; they look like its continuation. */
static inline struct str padded_copy(struct str text)
{
	static const char *const tails[] = {"\"", "}]", "\\", "\":1,{\"", " "};
	const char *tail = tails[random_below(sizeof tails / sizeof *tails)];
	char *p = mem_alloc(text.n + SCAN_PAD);
	size_t i;

	if (text.n)
		memcpy(p, text.p, text.n);
	for (i = 0; i < SCAN_PAD; i++)
		p[text.n + i] = tail[i % strlen(tail)];
	return (struct str){p, text.n};
}

#endif
