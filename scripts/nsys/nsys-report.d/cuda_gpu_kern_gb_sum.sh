# cuda_gpu_kern_gb_sum.sh: the time of each kernel on the device, by grid and block
nsys-sum -k kernel -g name,demangledName,gridX,gridY,gridZ,blockX,blockY,blockZ \
	-c "GridXYZ=pad(gridX,4)+' '+pad(gridY,4)+' '+pad(gridZ,4)" \
	-c "BlockXYZ=pad(blockX,4)+' '+pad(blockY,4)+' '+pad(blockZ,4)" Instances Name -- "${files[@]}"
finish '' $?
