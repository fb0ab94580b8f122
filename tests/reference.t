#!/bin/sh
# reference.t: runs the lines of the cookbook tracefilters(7) that answer the questions of four notebooks and a guide,
# on recorded traces, and compares their outputs with golden and independently computed answers. Each question is a
# check.
. "${0%/*}/lib.sh"
only_slow_follow # runs 120 pipelines
have python3 || finish
need_shared data/dvdt/ckp-0a1b2c3d4e5f6071.0001.json data/kineto/dlrm_a100_2022_control.json.gz \
	data/plaidml/mnist_mlp_v1.gz data/nsys/synth_small.json data/onednn/mkldnn-v0.21.1-seed004.log \
	data/torch/torch1.4-seed004-bottleneck.txt data/perf/perf-script-nochain-default.txt golden/kineto/dlrm_overheads \
	golden/plaidml/mnist_mlp_v1 golden/nsys/synth_small golden/onednn || finish

# The files that the cookbook names. A repository of Collective Knowledge stores tags in .cm/meta.json.
ln -s "$SHARED/data/dvdt/ckp-0a1b2c3d4e5f6071.0001.json" point.json
ln -s "$SHARED/data/kineto/dlrm_a100_2022_control.json.gz" run.json.gz
ln -s "$SHARED/data/plaidml/mnist_mlp_v1.gz" eventlog.gz
ln -s "$SHARED/data/nsys/synth_small.json" report.json
ln -s "$SHARED/data/onednn/mkldnn-v0.21.1-seed004.log" verbose.log
ln -s "$SHARED/data/torch/torch1.4-seed004-bottleneck.txt" profile.txt
ln -s "$SHARED/data/perf/perf-script-nochain-default.txt" samples.txt
cp "$ROOT/lib/device/kernel-names.tsv" .
mkdir -p repo/experiment/alexnet/.cm out
cp point.json repo/experiment/alexnet/ckp-0a1b2c3d4e5f6071.0001.json
echo '{"tags":["alexnet","prof"]}' >repo/experiment/alexnet/.cm/meta.json
trace-join run.json.gz >run.ndjson

# Line 2 N - 1 of `lines` is a question, `# NUMBER TEXT`, and line 2 N its command. The files of the command are out/N
# (standard output), out/N.err, out/N.status and out/N.svg, if it draws a picture.
sed -n '/^# [0-9][0-9][0-9]\./{p;n;p;}' "$ROOT/scripts/tracefilters.7" | sed 's/\\e/\\/g' >lines
n=0
while IFS= read -r question && IFS= read -r command; do
	n=$((n + 1))
	rm -f a.svg
	timeout 60 sh -c "$command" </dev/null >out/$n 2>out/$n.err
	echo $? >out/$n.status
	[ ! -f a.svg ] || mv a.svg out/$n.svg
done <lines

SHARED=$SHARED reference_answers.py lines . >answers
check 'all questions have an answer: 23, 22, 17, 42 and 5' 0 \
	"cut -d . -f 1 answers | uniq -c | awk '{ print \$2, \$1 }'" <<'E'
000 23
001 22
002 17
003 42
004 5
E
while read -r item answer; do
	question=$(sed -n "s/^# $item /$item /p" lines | head -n 1)
	if ! command -v rsvg-convert >/dev/null && sed -n "/^# $item /{n;p;}" lines | grep -q '| plot .*[.]p[nd][gf]'; then
		skip "$question: no rsvg-convert"
	elif [ "$answer" = same ]; then
		pass "$question"
	else
		{ sed -n "/^# $item /{n;p;}" lines && printf '%s\n' "$answer"; } | fail "$question"
	fi
done <answers

finish
