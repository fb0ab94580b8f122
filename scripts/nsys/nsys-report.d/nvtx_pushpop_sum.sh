# nvtx_pushpop_sum.sh: the time of each push/pop range
make_folder
nsys-close -k range -- "${files[@]}" |
	filter-calls -v -w 'style == StartEnd' |
	rows >"$folder/ranges"
proceed 'no push/pop ranges' "${PIPESTATUS[@]}"
[ -s "$folder/ranges" ] || finish ''
nsys-sum -g domain,name Instances Range "$folder/ranges"
finish 'no push/pop ranges' $?
