# pictures.sh: the functions of trace-report that make the marks of pictures. A file marks.ID in $folder has the marks of
# a section, and `picture` the command that the report shows for them.
# shellcheck disable=SC2034 # model.sh uses `picture`

mark_members=kind,section,lane,depth,at,dur,share,count,color,name,label

# begin_pictures: starts the passes over all device records that the pictures need, in the background.
begin_pictures() {
	drawing=()
	case ${option[o]} in html | ndjson) ;; *) return 0 ;; esac
	in_background fold_stacks
	drawing+=($!)
	in_background slice_streams
	drawing+=($!)
}

# draw_pictures: draws the timeline, and the GPU time by annotation, operator and kernel.
draw_pictures() {
	local process
	[ ${#drawing[@]} -gt 0 ] || return 0
	for process in "${drawing[@]}"; do
		wait "$process"
		proceed '' $?
	done
	draw_timeline
	draw_stacks
}

# marks SECTION: prints the records from standard input as marks of the section.
marks() {
	derive --quiet "kind='report/mark'" "section='$1'" | ndjson2table --quiet -o ndjson -f "$mark_members"
}

# stream_slices: prints the start and the end of the timeline, the length of its slices in microseconds, and how many
# streams it shows: the 8 with the most work.
stream_slices() {
	local streams times
	streams=$(ndjson2table --quiet -o raw -f stream "$folder/answer.streams" | wc -l)
	[ "$streams" -le 8 ] || streams=8
	times=$(slices $((streams < 3 ? 400 : 1000 / streams)))
	echo "$times $streams"
}

# slice_streams: computes how long each type of work ran on each stream in each slice of time.
slice_streams() {
	local start end slice streams
	start=$(stream_slices)
	read -r start end slice streams <<<"$start"
	[ "$streams" -gt 0 ] || return 0
	gpu-busy --quiet --per stream --every "${slice}us" --origin "$start" "$folder/device" |
		derive "ts=ts-$start" |
		filter-calls --quiet -w 'ts>=0' -w "ts<$((end - start))" >"$folder/slices"
	proceed '' "${PIPESTATUS[@]}"
}

# draw_timeline: draws the steps, the annotations of the thread with most of them, and the slices of the streams.
draw_timeline() {
	local start end slice streams type share place=''
	start=$(stream_slices)
	read -r start end slice streams <<<"$start"
	[ "$streams" -gt 0 ] || return 0
	# Several ranks or devices have streams with the same names.
	[ ! -s "$folder/answer.ranks" ] || place="'rank '+str(default(rank,0))+', device '+str(default(dev,0))+', '+"
	relate "slice=${slice}000"
	say timeline 'How much of each slice of time a stream was busy, and with what.'
	picture[timeline]="$trace_join ${selection[device]} | gpu-busy --per stream --every ${slice}us --origin $start |
		derive ts=ts-$start"
	picture[timeline]=${picture[timeline]//$'\n\t\t'/ }
	# The records of the streams that are drawn come first; --first gives their members to the slices of the stream.
	groupby --quiet -g rank,dev,stream -f busy -a sum -o ndjson -s busy_sum -t 8 "$folder/slices" |
		derive --cumulate place=1 "share=str(fixed(100*busy_sum/$((end - start)),1))" \
			"lane=$place'stream '+str(stream)+': busy '+share+' %'" >"$folder/lanes"
	proceed '' "${PIPESTATUS[@]}"
	derive --quiet -g rank,dev,stream --first lane=lane --first place=place "$folder/lanes" "$folder/slices" |
		filter-calls --quiet -k counter -w lane |
		derive at=ts "ts=ts+place*2*$((end - start))" >"$folder/lane-slices"
	proceed '' "${PIPESTATUS[@]}"
	for type in compute:computing comm:communication memory:copies other:none; do
		share=${type%:*}_time
		derive "share=$share/dur" "color='${type#*:}'" "name='${type#*:}'" "$folder/lane-slices" |
			filter-calls --quiet -w 'share>0'
	done | ts-sort >"$folder/stacked"
	{ draw_steps "$start"; draw_annotations "$start" "$end"; cat "$folder/stacked"; } |
		marks timeline >"$folder/marks.timeline"
	proceed '' "${PIPESTATUS[@]}"
}

# say SECTION TEXT: sets the text of a section that has a picture.
say() {
	[[ ! ${template[section/$1]} =~ (.*\"text\":\")[^\"]*(\".*) ]] ||
		template[section/$1]=${BASH_REMATCH[1]}$2${BASH_REMATCH[2]}
}

# draw_steps START: prints the steps as marks.
draw_steps() {
	[ "$window" = steps ] || return 0
	groupby --quiet -g ts,dur,name -a count -o ndjson "$folder/answer.steps" |
		ts-sort | ndjson2svg gantt --quiet --color kind --rows rank --marks |
		derive "at=ts-$1" "lane='steps'" "color='annotation'" "label=sub(name,'^ProfilerStep#','')"
}

# draw_annotations START END: prints the outermost ranges, or those directly in a step, of one thread as marks: their parts
# from START to END.
draw_annotations() {
	local depth=0
	[ "$window" != steps ] || depth=1
	filter-calls --quiet -k range -w "end>$1" -w "ts<$2" "$folder/answer.other" |
		derive 'level=default(len(ranges),0)' "dur=min(end,$2)-max(ts,$1)" "ts=max(ts,$1)" |
		filter-calls --quiet -w "level==$depth" >"$folder/outermost"
	proceed '' "${PIPESTATUS[@]}"
	groupby --quiet -g rank,pid,tid -a sum -o ndjson -s dur_sum -t 1 "$folder/outermost" |
		derive chosen=1 |
		derive --quiet -g rank,pid,tid --first chosen=chosen - "$folder/outermost" |
		filter-calls --quiet -k range -w chosen==1 |
		ndjson2svg gantt --quiet --color kind --rows thread --marks |
		derive "at=ts-$1" "lane='annotations of '+lane" "color='annotation'" "label=sub(sub(name,'^## ',''),' ##\$','')"
}

# fold_stacks: makes the frames of the GPU time. The numbers after # are removed, so that all steps are one frame.
fold_stacks() {
	ndjson2folded --quiet -g 'ranges[],ops[],short' -f dur "$folder/device" |
		sed -E 's/#[0-9]+([; ])/\1/g' |
		ndjson2svg flame --quiet --marks -t 100 >"$folder/frames"
	proceed '' "${PIPESTATUS[@]}"
}

# draw_stacks: draws the frames of fold_stacks.
draw_stacks() {
	say stacks 'The width of a frame is the GPU time of the work that was launched in it.'
	picture[stacks]="$trace_join | nvtx-attach -r op --as op ${selection[device]} |
		ndjson2folded -g 'ranges[],ops[],short' -f dur | flame"
	picture[stacks]=${picture[stacks]//$'\n\t\t'/ }
	filter-calls --quiet -k range "$folder/answer.other" |
		derive "name=sub(name,'#[0-9]+$','')" |
		groupby --quiet -g name -a count -o ndjson |
		derive annotation=1 |
		derive --quiet -g name --first annotation=annotation - "$folder/frames" |
		filter-calls --quiet -w depth |
		derive "color=if(default(len(capture(name,'^(Memcpy|Memset)')),0)>0,'copies','computing')" \
			"color=if(default(len(capture(name,'(^nccl|^hip|^hccl|ncclKernel)')),0)>0,'communication',color)" \
			"label=sub(sub(name,'^## ',''),' ##\$','')" \
			"label=sub(label,'^autograd::engine::evaluate_function: (.*)','\\\\1 (autograd)')" \
			"label=sub(label,'torch::autograd::','')" \
			"color=if(self>0,color,if(default(annotation,0)+(depth==0)>0,'annotation','operator'))" |
		marks stacks >"$folder/marks.stacks"
	proceed '' "${PIPESTATUS[@]}"
	learn stacks_time,stacks_hidden "$folder/frames" '| filter-calls -w depth==0 |
		derive stacks_time=dur "stacks_hidden=if(hidden>0,hidden)"'
	! known stacks_hidden || template[section/stacks-note]="{\"note\":\"The GPU time is {stacks_time:time} in all. Frames \
that are not drawn, because they are narrower than a pixel: {stacks_hidden:count}.\"}"
}

# draw_samples SECTION CONDITION: draws the samples that fulfil the condition of filter-calls as a flame graph, if they
# have stacks.
draw_samples() {
	local weight='' unit=count frames=${1//-/_}
	case ${kind_of[$1]} in
	samples-time) weight=' -f dur' unit='time' ;;
	samples-period) weight=' -f period' ;;
	esac
	filter-calls --quiet -k sample "$folder/answer.other" |
		eval "filter-calls --quiet $2" |
		eval "ndjson2folded --quiet$weight" |
		ndjson2svg flame --quiet --marks -t 100 >"$folder/frames"
	proceed '' "${PIPESTATUS[@]}"
	some frames -w 'depth==2' || return 0
	marks "$1" <"$folder/frames" >"$folder/marks.$1"
	proceed '' $?
	picture[$1]="$trace_join | filter-calls -k sample $2 | ndjson2folded$weight | flame"
	template[section/${kind_of[$1]}]="${template[section/${kind_of[$1]}]%\}},\"mark_unit\":\"$unit\"}"
	learn "${frames}_hidden" "$folder/frames" "| filter-calls -w 'hidden>0' | derive ${frames}_hidden=hidden"
	template[section/$1-note]="{\"note\":\"Frames that are not drawn, because they are narrower than a pixel or deeper than \
100 levels: {${frames}_hidden:count}.\"}"
}
