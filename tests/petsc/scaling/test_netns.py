"""integrations/petsc/netns.sh runs ranks in network namespaces with a delay, and cleans up."""
import os
import pathlib
import re
import shutil
import tempfile

from programs import PETSC, compile_program, missing, on_ranks, run, said

import tap

SCRIPT = PETSC / "netns.sh"
PREFIX = f"spmvt{os.getpid() % 100000}n"


def cannot():
    """Why this machine cannot run the script; None: it can."""
    if os.geteuid() != 0:
        return "only root can make network namespaces"
    for tool in ("ip", "tc", "cc", "unshare"):
        if not shutil.which(tool):
            return f"{tool} is not installed (Debian: iproute2, gcc, util-linux)"
    probe = PREFIX + "p"
    made = run("ip", "netns", "add", probe)
    if made.returncode != 0:
        return f"this machine makes no network namespaces: {made.stderr.strip()}"
    link = run("ip", "-n", probe, "link", "add", "d0", "type", "veth", "peer", "name", "d1")
    shaped = run("ip", "netns", "exec", probe, "tc", "qdisc", "add", "dev", "d0", "root", "tbf",
                 "rate", "1mbit", "burst", "64kb", "latency", "1s")
    run("ip", "netns", "del", probe)
    if link.returncode or shaped.returncode:
        return f"this machine has no veth or no tbf: {(link.stderr + shaped.stderr).strip()}"
    if not os.path.exists("/dev/net/tun"):
        return "this machine has no /dev/net/tun"
    return None


def clean(name, done):
    left = re.findall(PREFIX + r"\w*", run("ip", "netns", "list").stdout +
                      run("ip", "link").stdout)
    tap.ok(not left, f"{name}: no namespace and no interface is left", f"{left}\n{said(done)}")


def test(folder):
    product = folder / "product"
    done = compile_program(PETSC / "product.c", product)
    tap.ok(done.returncode == 0, "product.c compiles", said(done))
    expected = on_ranks(4, product, "-poisson", 3, "-side", 9, "-counts").stdout
    for emulation in ("delay", "netem"):
        os_words = ("env", f"NETNS_PREFIX={PREFIX}", f"EMULATION={emulation}", SCRIPT)
        done = run(*os_words, 4, "100us", "1gbit", product, "-poisson", 3, "-side", 9, "-counts")
        tap.ok(done.returncode == 0 and done.stdout == expected and expected.startswith("counts"),
               f"{emulation} wanted: four namespaces count what four ranks of one host count",
               said(done))
        clean(f"{emulation} wanted", done)
        if emulation == "netem" and "delay by tc netem" not in done.stderr:
            tap.skip("this kernel has no netem; delay.c took its place")
        # No message can be faster than its delay, however busy the machine is.
        done = run(*os_words, 2, "3ms", "100mbit", product, "-times", "-samples", 1)
        times = {int(size): float(seconds) for size, seconds in
                 re.findall(r"^time message_(\d+) (\S+)", done.stdout, re.M)}
        tap.ok(times.get(8, 0) >= 3e-3, f"{emulation} wanted: a message takes at least its delay",
               said(done))
        tap.ok(times.get(1 << 20, 0) >= 3e-3 + (1 << 20) * 8 / 100e6 * 0.9,
               f"{emulation} wanted: a long message takes at least its bytes over the rate",
               said(done))
        clean(f"{emulation} wanted, two ranks", done)
    done = run("env", f"NETNS_PREFIX={PREFIX}", SCRIPT, 2, "100us", "1gbit", "sh", "-c", "exit 7")
    tap.ok(done.returncode != 0, "a command that fails is told by the exit code", said(done))
    clean("a command that fails", done)


def test_refusals():
    for words, expected in (([], "COMMAND"), ([9, "1ms", "1gbit", "true"], "RANKS 9"),
                            ([2, "fast", "1gbit", "true"], "DELAY fast"),
                            ([2, "1.5ms", "1gbit", "true"], "DELAY 1.5ms")):
        done = run(SCRIPT, *words)
        tap.ok(done.returncode == 2 and expected in done.stderr,
               f"netns.sh {' '.join(map(str, words))} is refused", said(done))
    done = run("env", f"NETNS_PREFIX={PREFIX}", SCRIPT, 2, "1ms", "fast", "true")
    tap.ok(done.returncode != 0, "a rate that tc does not know is refused", said(done))
    clean("a refused rate", done)
    run("ip", "netns", "add", PREFIX + "2")
    done = run("env", f"NETNS_PREFIX={PREFIX}", SCRIPT, 2, "1ms", "1gbit", "true")
    there = PREFIX + "2" in run("ip", "netns", "list").stdout
    run("ip", "netns", "del", PREFIX + "2")
    tap.ok(done.returncode == 1 and "exists" in done.stderr and there,
           "a namespace of somebody else stays", said(done))


reason = missing() or cannot()
if reason:
    tap.skip(reason)
else:
    with tempfile.TemporaryDirectory() as work:
        test(pathlib.Path(work))
    test_refusals()
tap.done()
