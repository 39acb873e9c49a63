/* delay.c: a switch of Ethernet between network namespaces that delays each frame.
 *
 *     delay MICROSECONDS NAMESPACE...
 *
 * For kernels without netem. Makes an interface tap0 in each namespace; the n-th, from 1, gets the
 * address 02:00:00:00:00:0n, 10.77.0.n/24 and an MTU of 9000. A frame leaves MICROSECONDS after it
 * came, by hrtimer, in order; the switch has no limit of bandwidth (tc sets that in the
 * namespaces). It prints "ready" when the interfaces exist, and ends when its standard input does;
 * then it tells how much CPU time it has taken, which the ranks did not have.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PORTS = 8, FRAME = 9216, QUEUE = 4096 };

typedef struct frame {
    long long due;               /* nanoseconds of CLOCK_MONOTONIC */
    int from, bytes;
    unsigned char data[FRAME];
} frame;

static frame *queue;             /* ring of QUEUE frames, first come first served */
static unsigned head, tail;
static int port[MAX_PORTS], ports;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "delay: %s %s: %s\n", what, name, strerror(errno));
    exit(1);
}

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Sets a request of the interface tap0 in the current namespace. */
static void set(int sock, unsigned long request, struct ifreq *ifr, const char *namespace)
{
    if (ioctl(sock, request, ifr) != 0)
        fail("cannot set up tap0 in", namespace);
}

static int open_port(const char *namespace, int number)
{
    char path[256];
    struct ifreq ifr = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int ns, tap, sock;

    snprintf(path, sizeof path, "/run/netns/%s", namespace);
    ns = open(path, O_RDONLY | O_CLOEXEC);
    if (ns < 0 || setns(ns, CLONE_NEWNET) != 0)
        fail("cannot enter", path);
    close(ns);
    tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    snprintf(ifr.ifr_name, IFNAMSIZ, "tap0");
    if (tap < 0 || ioctl(tap, TUNSETIFF, &ifr) != 0)
        fail("cannot make tap0 in", namespace);
    sock = socket(AF_INET, SOCK_DGRAM, 0);
    memcpy(ifr.ifr_hwaddr.sa_data, (char[]){2, 0, 0, 0, 0, (char)number}, 6);
    ifr.ifr_hwaddr.sa_family = 1;                    /* ARPHRD_ETHER */
    set(sock, SIOCSIFHWADDR, &ifr, namespace);
    ifr.ifr_mtu = 9000;
    set(sock, SIOCSIFMTU, &ifr, namespace);
    memset(&ifr.ifr_addr, 0, sizeof ifr.ifr_addr);
    ifr.ifr_addr.sa_family = AF_INET;
    memcpy(ifr.ifr_addr.sa_data + 2, (char[]){10, 77, 0, (char)number}, 4);
    set(sock, SIOCSIFADDR, &ifr, namespace);
    memcpy(ifr.ifr_netmask.sa_data + 2, "\xff\xff\xff\0", 4);
    set(sock, SIOCSIFNETMASK, &ifr, namespace);
    set(sock, SIOCGIFFLAGS, &ifr, namespace);
    ifr.ifr_flags |= IFF_UP;
    set(sock, SIOCSIFFLAGS, &ifr, namespace);
    close(sock);
    return tap;
}

/* Reads what has come. Frames beyond the ring's end stay in the kernel's queues. */
static void take(long long delay)
{
    for (int from = 0; from < ports; from++)
        while (head - tail < QUEUE) {
            frame *const f = &queue[head % QUEUE];
            const ssize_t bytes = read(port[from], f->data, FRAME);
            if (bytes <= 0)
                break;
            f->due = now() + delay;
            f->from = from;
            f->bytes = (int)bytes;
            head++;
        }
}

/* Writes a frame to the port of its address, or to all others. A full port drops it. */
static void deliver(const frame *f)
{
    const int only = (f->data[0] & 1) == 0 ? f->data[5] - 1 : -1;

    for (int to = 0; to < ports; to++)
        if (to != f->from && (only < 0 || only == to))
            if (write(port[to], f->data, (size_t)f->bytes) < 0 && errno != EAGAIN)
                fail("cannot write to", "tap0");
}

int main(int argc, char **argv)
{
    const long long delay = argc > 1 ? atoll(argv[1]) * 1000 : -1;
    struct pollfd watched[MAX_PORTS + 1];
    struct rusage used;

    ports = argc - 2;
    if (delay < 0 || ports < 2 || ports > MAX_PORTS) {
        fprintf(stderr, "usage: delay MICROSECONDS NAMESPACE..., 2 to %d namespaces\n", MAX_PORTS);
        return 2;
    }
    queue = malloc(QUEUE * sizeof *queue);
    if (queue == NULL)
        fail("no memory for", "the queue");
    prctl(PR_SET_TIMERSLACK, 1UL);
    for (int i = 0; i < ports; i++) {
        port[i] = open_port(argv[2 + i], i + 1);
        watched[i] = (struct pollfd){.fd = port[i], .events = POLLIN};
    }
    watched[ports] = (struct pollfd){.fd = 0, .events = POLLIN};
    puts("ready");
    fflush(stdout);
    for (char byte; watched[ports].revents == 0 || read(0, &byte, 1) > 0;) {
        const long long wait = head == tail ? -1 : queue[tail % QUEUE].due - now();
        const struct timespec left = {wait / 1000000000, wait % 1000000000};
        if (wait > 0 || head == tail)
            ppoll(watched, (nfds_t)ports + 1, head == tail ? NULL : &left, NULL);
        take(delay);
        while (head != tail && queue[tail % QUEUE].due <= now())
            deliver(&queue[tail++ % QUEUE]);
    }
    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr, "delay: %u frames, %.3f seconds of a CPU\n", head,
            (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6);
    return 0;
}
