# cuda_gpu_mem_time_sum.sh: the time of copies and memsets on the device
nsys-sum -k memcpy,memset Count Operation -- "${files[@]}"
finish '' $?
