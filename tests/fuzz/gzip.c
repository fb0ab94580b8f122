/* fuzz target: the inflater of this build agrees with zlib. The first byte selects header, pieces, and room. */
#include "fuzz.h"

#include "gzip_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t pieces[] = {1, 3, 100, SIZE_MAX}, rooms[] = {10, 1000, 65536, 1 << 18};
	const uint8_t how = size ? data[0] : 0;
	struct gzip_got got = {0}, want = {0};
	struct buf b = {0};

	if (how & 1)
		buf_lit(&b, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03");
	if (size > 1)
		buf_add(&b, data + 1, size - 1);
	if (!b.n)
		return 0;
	gzip_read((struct str){b.p, b.n}, pieces[how >> 1 & 3], rooms[how >> 3 & 3], &got);
	gzip_read_with_zlib((struct str){b.p, b.n}, &want);
	HOLD(gzip_same(&got, &want));
	buf_free(&got.content);
	buf_free(&want.content);
	buf_free(&b);
	return 0;
}
