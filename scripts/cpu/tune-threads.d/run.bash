# run.bash: the functions of tune-threads that run COMMAND. They use its variables `bind`, `files`, `folder`, `locale`,
# `log` and `option`, and set `failed` to 1 if a run fails.

bound() { # bound PROGRAM CPUS COMMAND...: runs COMMAND on these CPUs
	case $1 in
	numactl) numactl --localalloc --physcpubind="$2" "${@:3}" ;;
	taskset) taskset -c "$2" "${@:3}" ;;
	none) "${@:3}" ;;
	esac
}

quoted() { # quoted TEXT: prints TEXT as a JSON string
	local text=${1//[[:cntrl:]]/ }
	text=${text//\\/\\\\}
	printf '"%s"' "${text//\"/\\\"}"
}

# run LEVEL CPUS THREADS RUN: runs COMMAND and writes a record. The output of COMMAND goes to its log and to standard
# error.
run() {
	local start took status record places=cores file="$log/$1-$4.log"
	[ "$1" != smt ] || places=threads
	{
		status=0
		start=$(date +%s%N)
		(
			export LC_ALL="$locale" OMP_NUM_THREADS="$3" MKL_NUM_THREADS="$3" OMP_PROC_BIND=close OMP_PLACES="$places"
			export GOMP_CPU_AFFINITY="$2" KMP_AFFINITY=granularity=fine,compact,1,0
			export KMP_BLOCKTIME="${KMP_BLOCKTIME-0}" GOMP_SPINCOUNT="${GOMP_SPINCOUNT-0}"
			bound "$bind" "$2" "${files[@]}" </dev/null 2>&1
		) || status=$?
		# The time ends here, before tee does. cat reports a full disk in one line.
		echo "$start $(($(date +%s%N) - start)) $status" | cat >"$folder/end" || exit 2
	} | tee -- "$file" >&2 || exit 2
	read -r start took status <"$folder/end"
	printf -v record '{"ts":%s,"dur":%s,"kind":"range","name":%s,"level":"%s","run":%s,"threads":%s,"cpus":"%s",' \
		"$start" "$took" "$(quoted "${files[0]##*/}")" "$1" "$4" "$3" "$2"
	record+=$(printf '"bind":"%s","status":%s,"file":%s}' "$bind" "$status" "$(quoted "$file")")
	echo "$record" | cat >>"$log/runs.ndjson" || exit 2
	[ "${option[o]}" != runs ] || echo "$record" | cat || exit 2
	# shellcheck disable=SC2034 # tune-threads reads `failed`
	[ "$status" = 0 ] || { failed=1 && warn "level $1, run $4: exit status $status; its time is not used"; }
}
