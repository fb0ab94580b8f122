# cuda_gpu_mem_size_sum.sh: the bytes of copies and memsets on the device
nsys-sum -k memcpy,memset -f bytes Count Operation -- "${files[@]}"
finish '' $?
