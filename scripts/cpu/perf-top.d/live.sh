# live.sh: records with perf and prints the result so far every T. It uses the variables `files`, `keys`, `locale`,
# `option` and `views` of perf-top.
command -v perf >/dev/null || die '--live needs perf, which is not in PATH'
[ ${#views[@]} -gt 0 ] || views=(symbol)
[ ${#files[@]} -gt 0 ] || files=(-a)
key=${keys[${views[-1]}]} columns=share,count order=period_share
# The periods of different events cannot be added. Several events may be recorded if there are two options -e,
# or one that contains , * ? or {.
option_e='(^| )(-e ?|--event[= ])'
several="${option_e}[^ ]*[,*?{]|$option_e.*$option_e"
if [ -e /sys/bus/event_source/devices/cpu_atom ] || [[ ${files[*]} =~ $several ]]; then
	key=event,$key columns=sum,count order=period_sum
fi

# Ctrl-C ends the recording, and groupby prints the result so far. The signal also ends other programs of the
# pipeline, which does not count as a failure. The recorded program runs in the user's locale.
trap : INT
status=0
LC_ALL=$locale perf record -q -F 199 --no-buffering -o - "${files[@]}" |
	perf script -i - -F comm,pid,tid,time,period,event,ip,sym,dso |
	trace2ndjson -F perf -k sample --no-args |
	groupby -g "$key" -f period -a "$columns" -s "$order" -t "${option[t]}" --every "${option[every]}" -o "${option[o]}"
for one in "${PIPESTATUS[@]}"; do
	case $one in 0 | 130) one=0 ;; 1) ;; *) one=2 ;; esac
	[ "$status" -ge "$one" ] || status=$one
done
exit "$status"
