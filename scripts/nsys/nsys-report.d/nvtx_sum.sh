# nvtx_sum.sh: the time of each range, by style
make_folder
nsys-close -k range -- "${files[@]}" |
	filter-calls -w dur |
	rows >"$folder/ranges"
proceed 'no ranges' "${PIPESTATUS[@]}"
[ -s "$folder/ranges" ] || finish ''
nsys-sum -g style,domain,name -c Style=style Instances Range "$folder/ranges"
finish 'no ranges' $?
