# cluster.sh: functions for tests that need several machines: three sshd, or a Slurm of three nodes, on the loopback
# address of this machine. A test sources this file after lib.sh. All keys, settings and logs are in $TEST_TMP, and all
# processes end with the test, also if a signal ends it. Each function that starts something returns 1 and counts a
# skipped check if that is impossible here.
#
# A node is ENGINE.NAME: sshd.n1, sshd.n2, sshd.n3, slurm.n1, slurm.n2, slurm.n3; slurm.master is munged and slurmctld.
# Each process of a node has the variable TEST_NODE=$TEST_TMP/ENGINE.NAME or is a descendant of one that has it.
# shellcheck shell=sh

NODES='n1 n2 n3'
trap 'stop_cluster; cd / && rm -rf "$TEST_TMP"' EXIT

# have_parallel: returns 0 if GNU parallel is installed, and makes it write its own files to $TEST_TMP.
have_parallel() {
	parallel --version 2>/dev/null | grep -q '^GNU parallel' || { skip 'no GNU parallel'; return 1; }
	PARALLEL_HOME=$TEST_TMP/parallel
	export PARALLEL_HOME
	mkdir -p "$PARALLEL_HOME" && : >"$PARALLEL_HOME/will-cite"
}

# start_sshd [PATH]: starts the nodes n1, n2 and n3, whose sessions have this PATH (default: the PATH of sshd, without
# the programs of this tree). Sets SSH, the command `$SSH NODE COMMAND`, and PARALLEL_SSH. As root, sshd needs the
# folder /run/sshd, which is made when its service starts; here it is made if it is missing.
start_sshd() {
	have ssh ssh-keygen || return
	sshd_program=$(PATH=$PATH:/usr/sbin command -v sshd) || { skip 'no sshd'; return 1; }
	sshd_dir=$TEST_TMP/sshd
	sshd_log=$sshd_dir/log
	mkdir -m 700 "$sshd_dir" && : >"$sshd_log" || return
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd 2>/dev/null || { skip 'sshd: cannot make the folder /run/sshd'; return 1; }
	for sshd_key in client host; do
		ssh-keygen -q -t ed25519 -N '' -f "$sshd_dir/$sshd_key" </dev/null || return
	done
	printf 'nodes %s\n' "$(cat "$sshd_dir/host.pub")" >"$sshd_dir/known_hosts"
	cat >"$sshd_dir/sshd_config" <<-END
		ListenAddress 127.0.0.1
		HostKey $sshd_dir/host
		PidFile none
		AuthorizedKeysFile $sshd_dir/client.pub
		AuthenticationMethods publickey
		PermitRootLogin prohibit-password
		StrictModes no
		UsePAM no
		MaxStartups 100
	END
	cat >"$sshd_dir/config" <<-END
		Host *
		HostName 127.0.0.1
		KexAlgorithms curve25519-sha256
		HostKeyAlias nodes
		User $(id -un)
		IdentityFile $sshd_dir/client
		IdentitiesOnly yes
		UserKnownHostsFile $sshd_dir/known_hosts
		GlobalKnownHostsFile /dev/null
		StrictHostKeyChecking yes
		BatchMode yes
		ConnectTimeout 5
		ServerAliveInterval 5
		ServerAliveCountMax 2
		LogLevel ERROR
	END
	SSH="ssh -F $sshd_dir/config"
	PARALLEL_SSH=$SSH
	export SSH PARALLEL_SSH
	sshd_port=$(first_port)
	for sshd_node in $NODES; do
		start_sshd_node "$sshd_node" "${1-}" || { skip "sshd: $(tail -n 1 "$sshd_log")"; return 1; }
	done
}

# start_sshd_node NODE PATH: starts the sshd of a node on the first free port from sshd_port. bash reads the user's
# ~/.bashrc in a session of ssh, except with SHLVL. KexAlgorithms: the default of OpenSSH 9 takes 0.1 s of each side.
start_sshd_node() {
	sshd_last=$((sshd_port + 100))
	while [ "$sshd_port" -lt "$sshd_last" ]; do
		sshd_port=$((sshd_port + 1))
		TEST_NODE=$TEST_TMP/sshd.$1 "$sshd_program" -D -e -f "$sshd_dir/sshd_config" -p "$sshd_port" \
			-o "SetEnv=TEST_NODE=$TEST_TMP/sshd.$1 TMPDIR=$sshd_dir SHLVL=1${2:+ \"PATH=$2\"}" </dev/null >>"$sshd_log" 2>&1 &
		echo $! >"$TEST_TMP/sshd.$1.pid"
		printf 'Host %s\nPort %d\n' "$1" "$sshd_port" | cat - "$sshd_dir/config" >"$sshd_dir/config.$1"
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			if ssh -F "$sshd_dir/config.$1" "$1" true >>"$sshd_log" 2>&1 </dev/null; then
				mv "$sshd_dir/config.$1" "$sshd_dir/config"
				return
			fi
			kill -0 $! 2>/dev/null || break
			sleep 0.1
		done
		tail -n 2 "$sshd_log" | grep -q 'Address already in use' || return 1
	done
	return 1
}

# start_slurm [CORES]: starts slurmctld, and slurmd for the nodes n1, n2 and n3, to which Slurm gives so many tasks at a
# time (default 1). Sets SLURM_CONF, so that srun, sbatch and squeue use this Slurm. Only the user who runs the test can
# start jobs: munged checks that.
start_slurm() {
	PATH=$PATH:/usr/sbin
	have munged slurmctld slurmd sinfo getent || return
	slurm_host=$(uname -n)
	slurm_host=${slurm_host%%.*}
	getent ahosts "$slurm_host" >/dev/null || { skip "slurm: the host name $slurm_host has no address"; return 1; }
	slurm_dir=$TEST_TMP/slurm
	slurm_port=$(($(first_port) + 25))
	slurm_last=$((slurm_port + 400))
	slurm_cores=${1:-1}
	SLURM_CONF=$slurm_dir/slurm.conf
	export SLURM_CONF
	while [ "$slurm_port" -lt "$slurm_last" ]; do
		rm -rf "$slurm_dir" && mkdir -m 700 "$slurm_dir" && mkdir "$slurm_dir/state" "$slurm_dir/spool" || return
		start_slurm_daemons && return
		slurm_reason=$(grep -h -e fatal: -e error: "$slurm_dir"/*.log | tail -n 1)
		stop_cluster slurm
		grep -q 'Address already in use' "$slurm_dir"/*.log || break
		slurm_port=$((slurm_port + 4))
	done
	skip "slurm: ${slurm_reason:-the nodes are not idle after 10 s}"
	return 1
}

# start_slurm_daemons: starts all daemons on four ports from slurm_port, and waits until all nodes are idle. Returns 1
# if a daemon ends or if this takes 10 s.
#
# CgroupPlugin: slurmd looks for cgroups even if no plugin uses them, except with this line. batch_sched_delay: a job
# would wait up to 3 s. SlurmdTimeout, cred_expire: the tasks of a dead node are repeated after 20 s, not after minutes.
start_slurm_daemons() {
	head -c 128 /dev/urandom >"$slurm_dir/munge.key" && chmod 400 "$slurm_dir/munge.key" || return
	echo CgroupPlugin=cgroup/v1 >"$slurm_dir/cgroup.conf"
	cat >"$SLURM_CONF" <<-END
		ClusterName=test
		SlurmctldHost=$slurm_host(127.0.0.1)
		SlurmctldPort=$slurm_port
		CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
		AuthType=auth/munge
		AuthInfo=socket=$slurm_dir/munge.socket,cred_expire=5
		CredType=cred/munge
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		StateSaveLocation=$slurm_dir/state
		SlurmdSpoolDir=$slurm_dir/spool/%n
		SlurmctldPidFile=$slurm_dir/slurmctld.pid
		SlurmdPidFile=$slurm_dir/slurmd-%n.pid
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		MpiDefault=none
		SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SlurmdParameters=config_overrides
		ReturnToService=2
		SlurmdTimeout=5
		KillWait=5
		PropagateResourceLimits=NONE
		NodeName=DEFAULT CPUs=$slurm_cores
		NodeName=n[1-3] NodeHostname=$slurm_host NodeAddr=127.0.0.1 Port=[$((slurm_port + 1))-$((slurm_port + 3))]
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	start_daemon master munged --force --foreground --key-file="$slurm_dir/munge.key" \
		--socket="$slurm_dir/munge.socket" --pid-file="$slurm_dir/munged.pid" --seed-file="$slurm_dir/munge.seed" \
		--log-file="$slurm_dir/munged.log"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ ! -S "$slurm_dir/munge.socket" ] || break
		sleep 0.1
	done
	start_daemon master slurmctld -D -f "$SLURM_CONF"
	for slurm_node in $NODES; do
		start_daemon "$slurm_node" slurmd -D -f "$SLURM_CONF" -N "$slurm_node"
	done
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ "$(timeout 5 sinfo -h -t idle -o %D 2>&1)" != 3 ] || return 0
		for slurm_pid in "$TEST_TMP"/slurm.*.pid; do
			kill -0 "$(cat "$slurm_pid")" 2>/dev/null || return 1
		done
		sleep 0.5
	done
	return 1
}

# start_daemon NODE COMMAND...: starts a daemon of Slurm, whose messages go to a file *.log.
start_daemon() {
	daemon_node=$1
	shift
	TEST_NODE=$TEST_TMP/slurm.$daemon_node "$@" </dev/null >>"$slurm_dir/$daemon_node.$1.log" 2>&1 &
	echo $! >"$TEST_TMP/slurm.$daemon_node.$1.pid"
}

# first_port: prints a port from 10000 to 29999, below those of clients; tests that run at the same time begin at
# different ports.
first_port() {
	echo $((10000 + $$ % 400 * 50))
}

# kill_node ENGINE.NAME: kills all processes of a node at once, as a loss of power would.
kill_node() {
	# shellcheck disable=SC2046 # a list of process ids
	kill -KILL $(processes "$1") 2>/dev/null
	rm -f "$TEST_TMP/$1"*.pid
}

# stop_cluster [ENGINE]: kills the processes of all nodes of this engine, or of both. Processes that were being started
# are found by a later round.
stop_cluster() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		stop_pids=$(processes "${1-}")
		[ "$stop_pids" ] || break
		# shellcheck disable=SC2086 # a list of process ids
		kill -KILL $stop_pids 2>/dev/null
		sleep 0.1
	done
	rm -f "$TEST_TMP/${1-}"*.pid
}

# processes PREFIX: prints the ids of all processes of the nodes whose names begin with PREFIX: the daemons, the
# processes with their TEST_NODE, and all descendants of these. A daemon may have overwritten its environment, so its id
# is in a file; slurmstepd is not a child of slurmd, but has its environment.
processes() {
	{
		cat "$TEST_TMP/$1"*.pid
		grep -lz "^TEST_NODE=$TEST_TMP/$1" /proc/[0-9]*/environ
		grep -E '^(State:.*Z|PPid:)' /proc/[0-9]*/status
	} 2>/dev/null | awk '
		/^[0-9]+$/ { found[$1] }
		/environ$/ { split($0, part, "/"); found[part[3]] }
		/:PPid:/ { split($1, part, "/"); parent[part[3]] = $2 }
		/:State:/ { split($1, part, "/"); zombie[part[3]] }
		END {
			do {
				more = 0
				for (pid in parent)
					if (!(pid in found) && parent[pid] in found) { found[pid]; more = 1 }
			} while (more)
			for (pid in found)
				if (pid in parent && !(pid in zombie)) print pid
		}'
}
