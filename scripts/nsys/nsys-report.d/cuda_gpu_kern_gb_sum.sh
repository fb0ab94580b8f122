# cuda_gpu_kern_gb_sum.sh: the time of each kernel on the device, by grid and block
columns=("GridXYZ=pad(gridX,4)+' '+pad(gridY,4)+' '+pad(gridZ,4)" "BlockXYZ=pad(blockX,4)+' '+pad(blockY,4)+' '+pad(blockZ,4)")
sums kernel name,demangledName,gridX,gridY,gridZ,blockX,blockY,blockZ Instances "Name=$label"
