"""model.py: the time of a product and of an iteration of conjugate gradients on many ranks.

    T_local = seconds that one rank takes for as many bytes: diagonal block, x and y
    T_net   = latency + (messages - 1) * overhead + (bytes - burst) / bandwidth
    T_off   = the same per byte, for the off-diagonal block, received x and copies of x

    product   = max(T_local, T_net) + T_off                              short messages
    product   = max(T_local, latency) + latency + T_net + T_off          long messages
    iteration = product + 3 * ceil(log2 ranks) * latency + 136 * rows / vector_speed

Each time is that of the slowest rank. A message longer than `eager` is long: MPI announces it,
waits for the answer and then sends it. MPI looks for the announcement only when it is called, so a
long message is not sent during the diagonal block.

KSPCG with Jacobi reduces three times an iteration (two dot products, one norm) and moves 136 bytes
per row in its vectors: 2 dot products of 16, a norm of 8, 2 axpy of 24, 1 aypx of 24 and 1
pointwise product of 24.
"""
import dataclasses
import math

import numpy as np

VECTOR_BYTES = 2 * 16 + 8 + 2 * 24 + 24 + 24
REDUCTIONS = 3


@dataclasses.dataclass(frozen=True)
class Network:
    latency: float              # seconds of a message of 8 bytes
    overhead: float             # seconds that each further message at the same time adds
    bandwidth: float            # bytes per second
    eager: int                  # the longest message, in bytes, that MPI sends unasked
    burst: int = 0              # bytes that pass at once after a pause


@dataclasses.dataclass(frozen=True)
class Local:
    """One rank's product, at some sizes: lines in logarithms lie between them, and below the least
    a straight line, which ends at a product without nonzeros."""
    bytes_of: tuple             # rising
    seconds_of: tuple
    start: float                # seconds of a product without nonzeros
    vector_speed: float         # bytes per second of one rank's vectors

    def seconds(self, size):
        least, first = self.bytes_of[0], self.seconds_of[0]
        below = self.start + np.minimum(size, least) * (first - self.start) / least
        between = np.exp(np.interp(np.log(np.maximum(size, 1)), np.log(self.bytes_of),
                                np.log(self.seconds_of)))
        beyond = np.maximum(size / self.bytes_of[-1], 1)
        return np.where(size < least, below, between * beyond)


def local_bytes(counts):
    return (counts.diagonal_bytes + 16 * counts.rows).astype(float)


def local_times(counts, local):
    return local.seconds(local_bytes(counts))


def network_times(counts, network):
    """(T_net, whether a message is long) of each rank; 0 where it has no neighbours."""
    messages = np.maximum(counts.messages_received, counts.messages_sent)
    sent = 8 * np.maximum(counts.received, counts.sent)
    times = network.latency + (messages - 1) * network.overhead + \
        np.maximum(sent - network.burst, 0) / network.bandwidth
    return np.where(messages > 0, times, 0), sent > network.eager * np.maximum(messages, 1)


def exchange_time(counts, network):
    """Of x, without a product."""
    travel, is_long = network_times(counts, network)
    return float((travel + np.where(is_long, 2 * network.latency, 0)).max())


def product_time(counts, local, network):
    at_home = local_times(counts, local)
    travel, is_long = network_times(counts, network)
    # The off-diagonal block, x received, and the copies from x and into the received part.
    off = (counts.off_bytes + 16 * counts.sent + 24 * counts.received) \
        * (at_home - local.start) / local_bytes(counts)
    together = np.where(is_long,
                        np.maximum(at_home, network.latency) + network.latency + travel,
                        np.maximum(at_home, travel))
    return float((together + off).max())


def reduce_time(ranks, network):
    return math.ceil(math.log2(ranks)) * network.latency


def iteration_time(counts, local, network):
    return (product_time(counts, local, network)
            + REDUCTIONS * reduce_time(len(counts.rows), network)
            + VECTOR_BYTES * float(counts.rows.max()) / local.vector_speed)
