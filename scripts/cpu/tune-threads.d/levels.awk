# levels.awk: prints "LEVEL CPUS THREADS" for each level of tune-threads, from the CPUs that this process may use and the
# lines "CPU,CORE,SOCKET" of lscpu. The first CPU of a core stands for the core; its other CPUs are the other threads of
# the core. If the cores are not known, each CPU is treated as a core, and all CPUs as one socket.
BEGIN {
	while (allowed == "" && (getline line <"/proc/self/status") > 0) {
		if (sub(/^Cpus_allowed_list:[ \t]*/, "", line))
			allowed = line
	}
	if (allowed == "") {
		"getconf _NPROCESSORS_ONLN" | getline n
		allowed = "0-" n - 1
	}
	n = split(allowed, range, ",")
	for (i = 1; i <= n; i++) {
		ends = split(range[i], end, "-")
		for (cpu = end[1] + 0; cpu <= end[ends] + 0; cpu++)
			may[last = cpu]
	}
	while (("lscpu -p=CPU,CORE,SOCKET 2>/dev/null" | getline line) > 0) {
		split(line, part, ",")
		if (line !~ /^#/)
			add(part[1], part[2], part[3])
	}
	unknown = !cores
	for (cpu = 0; unknown && cpu <= last; cpu++)
		add(cpu, cpu, 0)
	half = n_own > 1 ? int(n_own / 2) : 1
	level(1, some(1), 1)
	level("half", some(half), half)
	level("socket", some(n_own), n_own)
	level("all", all, cores)
	level("smt", every, threads)
}
function add(cpu, core, socket) {
	if (!(cpu in may))
		return
	every = every "," cpu
	threads++
	if (seen[core, socket]++)
		return
	if (!cores++)
		first_socket = socket
	all = all "," cpu
	if (socket == first_socket)
		own[++n_own] = cpu
}
function some(count,    i, list) {
	for (i = 1; i <= count; i++)
		list = list "," own[i]
	return list
}
function level(name, cpus, count) {
	print name, substr(cpus, 2), count
}
