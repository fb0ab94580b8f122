# provenance.sh: finds the source lines of the kernels of torch.compile, in the logs of TORCH_TRACE. It uses the variable
# `folder` of trace-join.
compiled_region='^(Torch-Compiled Region: |## Call CompiledFxGraph )'
temporary=region,regions,region_key,region_id,compiled,compileds,compiled_nth,compiled_calls
temporary+=,operator_file,place,found,launch,none

# read_logs LOG...: writes a record of each source line of each kernel. `of` are the names of its graph in a trace: its
# key in the cache and its compilation id. A trace with a key uses the id only if the log has no key.
read_logs() {
	trace2ndjson -F inductor -k kernelinfo -- "$@" | rows >"$folder/kernels"
	proceed 'the log has no kernels of Inductor; record it with TORCH_TRACE=FOLDER INDUCTOR_PROVENANCE=1' \
		"${PIPESTATUS[@]}"
	derive --keep name graph=args.graph nth=args.nth calls=args.calls stacks=args.stacks \
		"entry=args.compile+' '+name+default(':'+str(args.handle),'')" \
		"kernel_file=sub(args.kernel_file,'^.*/','')" "id=sub(args.compile,'_[0-9]+\$','')" \
		"of=json('[\"'+default(args.fx_key,id+' without key')+'\",\"'+id+'\"]')" \
		"call=sub(name,'^extern_kernels[.]','aten::')" \
		"call=sub(call,'^torch[.]ops[.]([^.]*)[.]([^.]*).*','\\\\1::\\\\2')" "$folder/kernels" |
		derive --explode stack=stacks --drop stack,stacks \
			"line=sub(stack.file,'^.*/','')+':'+str(stack.line)+' in '+stack.function"
}

# table MATCH KEY,...: makes a record of the lines and kernels that have the same keys.
table() {
	derive -g "$2,line" --cumulate lines=1 | derive -g "$2,graph,entry" --cumulate entries=1 |
		derive "line=if(lines==1,line)" "entry=if(entries==1,entry)" |
		groupby -g "$2" -a list:line,list:entry,distinct:graph,first:kernel_file -o ndjson |
		derive "match='$1'" "lines=default(line_list,json('[]'))" entries=entry_list graphs=graph_distinct \
			"in_file=default(kernel_file_first,'')"
}

# number_calls TRACE: writes a record of each operator of a kernel that is directly in a compiled region: which call of
# this name it is, and how many the region has.
number_calls() {
	filter-calls -k op,range -w dur "$1" | filter-calls -v -k range -w "name!~$compiled_region" |
		call-tree -r op,range | filter-calls -k op -w "parent_name=~$compiled_region" |
		key-join --quiet -g name --take call <(derive name=call "$folder/lines") |
		derive --keep rank,pid,tid,name,parent_node start=ts length=dur ts=parent_node | ts-sort -S 32MiB |
		derive -g name --prev before=parent_node --cumulate at=1 \
			"from=if(default(before,0)!=parent_node,at)" |
		derive -g name --latest from=from nth=at-from+1 | tac |
		derive -g name --prev after=parent_node "last=if(default(after,0)!=parent_node,nth)" |
		derive -g name --latest calls=last --keep rank,pid,tid,name,nth ts=start dur=length "kind='kernelinfo'" |
		ts-sort -S 32MiB
}

# Adds to each call of a runtime the compiled regions around it, and its operator in them.
attach_compiled() {
	nvtx-attach -k api -r op,range --scope thread -e "$compiled_region" --as region |
		nvtx-attach -k api -r kernelinfo --scope thread --as compiled --take compiled_nth=nth,compiled_calls=calls |
		filter-calls -v -k kernelinfo -w nth
}

# add_lines JOINED: adds file and lines to the device records. Each kind of place is looked up once, with the best rule
# last. A file decides, unless the graph and the call give one kernel, of this file.
add_lines() {
	local in=$folder/lines take=match,lines,entries,graphs,in_file
	local device=(-w 'kind=~^(kernel|memcpy|memset)$')
	table name name <"$in" | filter-calls -w graphs==1 >"$folder/by_name"
	filter-calls -w kernel_file "$in" | table file kernel_file >"$folder/by_file"
	derive --explode of=of "$in" >"$folder/of"
	table graph of,call <"$folder/of" >"$folder/by_graph"
	derive --explode nth=nth "$folder/of" | filter-calls -w nth | table graph of,call,nth,calls |
		key-join --left -g of,call --take all=graphs "$folder/by_graph" |
		filter-calls -v -w all!=1 -w 'of=~^[-!0-9]' >"$folder/by_call"
	derive "${device[@]}" "kernel_file=sub(default(kernel_file,operator_file),'^.*/','')" "region=join(regions,' ')" \
		"region_key=capture(region,'.*## Call CompiledFxGraph (f[^ ]*) ##')" \
		"region_id=capture(region,'.*Torch-Compiled Region: ([^ ]+)')" \
		"region_id=region_id+if(len(default(region_key,''))>0,' without key','')" "compiled=default(compiled,name)" \
		"place=default(kernel_file,'')+' '+default(region_key,'')+' '+default(region_id,'')+' '+name" \
		"place=place+' '+compiled+default(' '+str(compiled_nth)+' '+str(compiled_calls),'')" \
		"place=place+default(join(args.stack,' '),'')" "$1" >"$folder/places"
	# The profiler of Inductor (2026) writes a kernel's stacks into its record: those of the first call of its name.
	filter-calls -w place -w args.stack "$folder/places" | derive --keep place --explode stack=args.stack \
		"line=sub(stack,'.*File \"([^\"]*/)?([^\"/]*)\", line ([0-9]+), in ([^\\n]*).*','\\\\2:\\\\3 in \\\\4')" |
		table stack place >"$folder/by_stack"
	filter-calls -w place "$folder/places" | groupby -a count -o ndjson \
		-g place,kernel_file,region_key,region_id,name,compiled,compiled_nth,compiled_calls |
		key-join --left -g place --take "$take" "$folder/by_stack" |
		key-join --left -g name --take "$take" "$folder/by_name" |
		derive of=region_id call=compiled nth=compiled_nth calls=compiled_calls |
		key-join --left -g of,call --take "$take" "$folder/by_graph" |
		key-join --left -g of,call,nth,calls --take "$take" "$folder/by_call" |
		derive of=region_key |
		key-join --left -g of,call --take "$take" "$folder/by_graph" |
		key-join --left -g of,call,nth,calls --take "$take" "$folder/by_call" |
		derive "one=(match=='graph')*(len(entries)==1)*(in_file==kernel_file)" |
		key-join --left -g kernel_file "$folder/by_file" \
			--take match,f_lines=lines,f_entries=entries,f_graphs=graphs |
		derive -w match==file -w '!one' one=0 |
		derive -w match==file -w one==0 lines=f_lines entries=f_entries graphs=f_graphs |
		derive "line=item(lines,0)" "entry=item(entries,0)" "in_file=if(len(in_file)>0,in_file)" \
			"kernel_file=default(kernel_file,in_file)" found=match |
		derive -w '!line' --drop lines >"$folder/found"
	take=kernel_file,line,lines,entry,entries,graphs,found
	key-join --left -g place --take "$take" "$folder/found" "$folder/places" |
		derive "${device[@]}" "launch=default(api.name,'')" \
			"none=if((kind=='kernel')*(sub(launch,'GraphLaunch','')==launch),'none')" \
			"match=default(match,found,none)" |
		derive --drop "$temporary"
}
