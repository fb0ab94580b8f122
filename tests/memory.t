#!/bin/sh
# memory.t: every filter stays under 16 MiB, and needs the same for twice the input.
. "${0%/*}/lib.sh"
have python3 || finish
if grep -q __asan_init "$BUILD/bin/trace2ndjson"; then
	skip 'memory is not measured under a sanitizer'
	finish
fi

cat >stream.py <<'E'
"""usage: stream.py KIND FILE MB: about that much of a kind of trace, made of FILE's events again and again.
Records come in ts order: each time a second later."""
import re, sys

kind, path, megabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
text = open(path).read()
head, events, tail = "", text, ""
if kind == "kineto":
    at = text.index('"traceEvents": [') + len('"traceEvents": [\n')
    end = text.index("\n  ],", at)
    head, events, tail = text[:at], text[at:end], text[end:]
    events, tail = events + ",\n", events + tail
elif kind == "nsys":
    at = text.index('{"Type"')
    head, events = text[:at], text[at:]
elif kind == "short":
    events = "".join(f'{{"ts":{i},"dur":{i * i},"kind":"op","name":"aten::mm"}}\n' for i in range(1000))
def later(parts, second):
    parts = list(parts)
    parts[1::2] = [str(int(ts) + second * 1_000_000_000) for ts in parts[1::2]]
    return "".join(parts)

sys.stdout.write(head)
if kind in ("records", "short"):
    events = "".join(line for line in events.splitlines(True) if line.startswith('{"ts":'))
    parts = re.split(r'(?<="ts":)(\d+)', events)
    for second in range(megabytes * 1_000_000 // len(events)):
        sys.stdout.write(later(parts, second))
else:
    piece = events * (1_000_000 // len(events) + 1)
    for _ in range(megabytes * 1_000_000 // len(piece)):
        sys.stdout.write(piece)
sys.stdout.write(tail)
E

trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | corr-join --sorted >records.ndjson

# peak KIND FILE MB PROGRAM...: KiB
peak() {
	python3 stream.py "$1" "$2" "$3" >fifo &
	shift 3
	"$BUILD/bench/measure" result "$@" <fifo >/dev/null || { echo 999999; return; }
	wait
	sed 's/.*"rss": \([0-9]*\).*/\1/' result
}

# flat NAME KIND FILE PROGRAM...
flat() {
	what=$1 kind=$2 file=$3
	shift 3
	once=$(peak "$kind" "$file" 60 "$@")
	twice=$(peak "$kind" "$file" 120 "$@")
	if [ "$once" -lt 16384 ] && [ "$twice" -lt 16384 ] && [ $((twice - once)) -le 1024 ]; then
		pass "$what"
	else
		echo "peak RSS $once KiB for 60 MB of input, $twice KiB for 120 MB" | fail "$what"
	fi
}

mkfifo fifo
for file in "$ROOT"/filters/*.c; do
	name=${file##*/}
	name=${name%.c}
	[ -x "$BUILD/bin/$name" ] || continue
	[ "$name" != ts-sort ] || continue # it keeps what -S allows: ts-sort.t
	# stats keeps a million values of a field before it is flat, which the short records exceed either time.
	options=
	[ "$name" != corr-join ] || options=--sorted # else it keeps every call: corr-join.t
	# shellcheck disable=SC2086 # none, or one
	[ "$name" = stats ] || flat "$name: records" records records.ndjson "$name" $options
	# shellcheck disable=SC2086
	flat "$name: short records" short records.ndjson "$name" $options
done
flat 'trace2ndjson: Kineto' kineto "$DATA/train.pt.trace.json" trace2ndjson
flat 'trace2ndjson: nsys' nsys "$DATA/train.nsys.json" trace2ndjson

finish
