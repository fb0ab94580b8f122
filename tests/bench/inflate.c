/* inflate: measures zlib alone; it inflates a .gz file and discards the output, 128 KiB at a time. */
#include <stdio.h>
#include <zlib.h>

int main(int argc, char **argv)
{
	static unsigned char in[128 * 1024], out[128 * 1024];
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	z_stream z = {0};
	int r = Z_OK;

	if (!f || inflateInit2(&z, 15 + 32) != Z_OK) {
		fputs("usage: inflate FILE.gz\n", stderr);
		return 2;
	}
	while (r == Z_OK && (z.avail_in = (uInt)fread(in, 1, sizeof in, f)) > 0) {
		z.next_in = in;
		do {
			z.next_out = out;
			z.avail_out = sizeof out;
			r = inflate(&z, Z_NO_FLUSH);
		} while (r == Z_OK && z.avail_out == 0);
	}
	inflateEnd(&z);
	fclose(f);
	return r == Z_STREAM_END ? 0 : 1;
}
