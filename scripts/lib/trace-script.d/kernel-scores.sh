# kernel-scores.sh: compares the kernels of the ranks of a job.

# kernel_scores FILE RANKS: prints the score of each rank. FILE has a row for each kernel and rank; RANKS is the number of
# ranks. The reference of a kernel that all ranks ran is the smallest median of a rank.
kernel_scores() {
	filter-calls -w communicates==0 "$1" >"$folder/compared" || return
	groupby -g name -f dur_median -a count,min -o ndjson "$folder/compared" |
		filter-calls -w "count==$2" >"$folder/references" || return
	key-join --quiet -g name --take ref=dur_median_min "$folder/references" "$folder/compared" |
		filter-calls -w dur_sum |
		derive 'part=if(dur_median>0,dur_sum*ref/dur_median,dur_sum)' |
		groupby -g rank -a count,sum:count,sum:part,sum:dur_sum -o ndjson |
		derive kernels=count count=count_sum dur_sum=dur_sum_sum 'score=if(dur_sum>0,part_sum/dur_sum)'
}
