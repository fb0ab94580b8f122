# cuda_gpu_sum.sh: the time of each kernel, and of copies and memsets, on the device
nsys-sum -k kernel,memcpy,memset -g kind,name,demangledName \
	-c "Category=if(kind=='kernel','CUDA_KERNEL','MEMORY_OPER')" Instances Operation -- "${files[@]}"
finish '' $?
