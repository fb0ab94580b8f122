# cuda_api_gpu_sum.sh: the time of each CUDA call on the host, and of kernels, copies and memsets on the device
# Names of calls are as in cuda_api_sum.
nsys-sum -k api,kernel,memcpy,memset -w '!lib' -g kind,name,demangledName,args.name,nameId \
	-c "Category=if(kind=='api','CUDA_API',if(kind=='kernel','CUDA_KERNEL','MEMORY_OPER'))" Instances \
	"Operation=default(if(kind=='api',capture(name,'^(.*)_v[0-9][0-9][0-9][0-9]$'),name),name)" -- "${files[@]}"
finish '' $?
