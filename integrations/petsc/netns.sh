#!/bin/sh
# netns.sh RANKS DELAY RATE COMMAND...: run COMMAND by mpirun with each rank in a network namespace.
#
#     netns.sh 2 100us 1gbit ./product -poisson 2 -side 500 -times
#
# Frames take DELAY (500us, 2ms) from one namespace to another, and each namespace sends at most
# RATE (as tc takes it). Open MPI talks TCP over it, and nothing else. RATE is set by tc tbf. DELAY
# is set by tc netem; where the kernel has none, the program delay.c takes its place (Linux with
# TUN). Needs root, ip, tc, cc and mpirun. Namespaces, interfaces and processes go away at the end,
# after a failure and after Ctrl-C. EMULATION=delay takes delay.c in any case.
#
# The environment variable NETNS_PREFIX (default spmv) names the namespaces: PREFIX1, PREFIX2, ...
set -eu

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '/^set/d'
}
case ${1-} in -h|--help) usage; exit 0;; esac
if [ $# -lt 4 ]; then usage >&2; exit 2; fi
ranks=$1 delay=$2 rate=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
prefix=${NETNS_PREFIX:-spmv}

fail() { echo "netns.sh: $*" >&2; exit 1; }

case $ranks in [2-8]) ;; *) echo "netns.sh: RANKS $ranks: expected 2 to 8" >&2; exit 2;; esac
case $delay in
    *[!0-9]*us) microseconds='';;
    *us) microseconds=${delay%us};;
    *ms) microseconds=${delay%ms}000;;
    *) microseconds='';;
esac
case $microseconds in
    ''|*[!0-9]*) echo "netns.sh: DELAY $delay: expected a whole number and us or ms" >&2; exit 2;;
esac
[ "$(id -u)" = 0 ] || fail "only root can make network namespaces"
for tool in ip tc cc mpirun unshare; do
    command -v "$tool" > /dev/null || fail "$tool is not installed"
done

work=$(mktemp -d)
relay=''
cleanup() {
    trap - EXIT INT TERM
    exec 9>&- || true
    if [ -n "$relay" ]; then
        wait "$relay" 2> /dev/null || true
    fi
    for rank in $(seq "$ranks"); do
        ip netns del "$prefix$rank" 2> /dev/null || true
    done
    ip link del "${prefix}br" 2> /dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
for rank in $(seq "$ranks"); do
    [ ! -e "/run/netns/$prefix$rank" ] || { ranks=0; fail "the namespace $prefix$rank exists: \
NETNS_PREFIX names others, 'ip netns del $prefix$rank' removes it"; }
done
for rank in $(seq "$ranks"); do
    ip netns add "$prefix$rank"
    ip -n "$prefix$rank" link set lo up
done

# With netem: a bridge, and a pair of interfaces to each namespace. Where netem is missing, the
# pairs are removed again, and delay.c makes the interfaces.
with_netem() {
    ip link add "${prefix}br" type bridge && ip link set "${prefix}br" up || return 1
    for rank in $(seq "$ranks"); do
        ip link add "${prefix}v$rank" type veth peer name tap0 netns "$prefix$rank"
        ip link set "${prefix}v$rank" master "${prefix}br" up mtu 9000
        ip -n "$prefix$rank" link set tap0 up mtu 9000
        ip -n "$prefix$rank" addr add "10.77.0.$rank/24" dev tap0
        tc qdisc add dev "${prefix}v$rank" root netem delay "$delay" limit 100000 \
            2> "$work/netem" || return 1
    done
}

without_netem() {
    cc -O2 -o "$work/delay" "$here/delay.c" || fail "delay.c does not compile"
    mkfifo "$work/input" "$work/output"
    names=''
    for rank in $(seq "$ranks"); do names="$names $prefix$rank"; done
    # A real-time process wakes on time although the ranks wait by polling.
    realtime=''
    if chrt -f 10 true 2> /dev/null; then realtime='chrt -f 10'; fi
    # shellcheck disable=SC2086
    $realtime "$work/delay" "$microseconds" $names < "$work/input" > "$work/output" &
    relay=$!
    exec 9> "$work/input"
    answer=''
    read -r answer < "$work/output" || true
    [ "$answer" = ready ] || fail "delay.c does not run"
}

if [ "${EMULATION-}" != delay ] && with_netem; then
    echo "netns.sh: delay by tc netem" >&2
else
    [ ! -s "$work/netem" ] || echo "netns.sh: tc netem: $(cat "$work/netem")" >&2
    ip link del "${prefix}br" 2> /dev/null || true
    for rank in $(seq "$ranks"); do ip link del "${prefix}v$rank" 2> /dev/null || true; done
    without_netem
    echo "netns.sh: delay by delay.c" >&2
fi
# A burst of one frame: what a burst allows passes at once after a pause.
for rank in $(seq "$ranks"); do
    ip netns exec "$prefix$rank" tc qdisc add dev tap0 root tbf rate "$rate" burst 10kb latency 1s
done

# mpirun starts its daemons by this program instead of ssh: HOST COMMAND. A namespace of host names
# keeps Open MPI from taking all ranks for one host.
cat > "$work/agent" << 'AGENT'
#!/bin/sh
host=$1
shift
name=$NETNS_PREFIX${host##*.}
exec ip netns exec "$name" unshare --uts sh -c 'hostname "$0"; exec sh -c "$1"' "$name" "$*"
AGENT
chmod +x "$work/agent"
hosts=''
for rank in $(seq "$ranks"); do hosts="$hosts,10.77.0.$rank:1"; done
export NETNS_PREFIX="$prefix" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1
# shellcheck disable=SC2016
ip netns exec "${prefix}1" unshare --uts sh -c 'hostname "$0"; exec "$@"' "${prefix}1" \
    mpirun -n "$ranks" --host "${hosts#,}" --mca plm_rsh_agent "$work/agent" \
    --mca btl tcp,self --mca pml ob1 --mca btl_tcp_if_include 10.77.0.0/24 \
    --mca oob_tcp_if_include 10.77.0.0/24 --bind-to none "$@" 9>&-
