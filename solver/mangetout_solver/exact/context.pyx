"""Tests answered by one thread or several that share a table. See context.pyi for the contract."""

from libc.stdint cimport int64_t, uint64_t
from libcpp.atomic cimport atomic

from concurrent.futures import ThreadPoolExecutor

from mangetout_solver.exact.table cimport WAYS, Entry, close_table, open_table, room, widen
from mangetout_solver.search.control cimport Control, now_ns

cdef enum:
    ALONE = 20_000  # nodes
    GROWTH = 4


cdef bint poll(Limits *limits, Control control, atomic[int] *done, int64_t poll_nodes) noexcept nogil:
    if limits.nodes >= limits.most_nodes or done.load() or control.poll(now_ns()):
        return True
    limits.next_poll = min(limits.nodes + poll_nodes, limits.most_nodes)
    return False


cdef class Context:
    def __cinit__(self, memory_bytes=256 << 20, *, threads=1, without=()) -> None:
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads: found {threads}, expected 1 to {MAX_THREADS}")
        self.threads = threads
        if not open_table(&self.table, max(memory_bytes, WAYS * sizeof(Entry))):
            raise MemoryError

    def __dealloc__(self):
        close_table(&self.table)

    @property
    def nodes(self) -> int:
        return sum([self.limits[i].nodes for i in range(self.threads)])

    @property
    def table_bytes(self) -> int:
        return self.table.buckets * WAYS * sizeof(Entry)

    cdef int search(self, int number, const void *question, Control control) noexcept nogil:
        """Answers on the thread of this number, within its limits: 1, 0 or STOPPED. Each engine has its own."""
        return STOPPED

    cdef int answer(self, const void *question, Control control, object max_nodes) except -3:
        """1, 0 or STOPPED. max_nodes: of this call, no limit where None."""
        cdef int64_t most = (<int64_t> 1 << 60) if max_nodes is None else max_nodes
        cdef int found
        self.done.store(0)
        if self.threads == 1:
            return self._run(0, question, control, most)
        # Most questions are answered before it pays to ask several.
        found = self._run(0, question, control, min(most, ALONE))
        if found == STOPPED and most > ALONE and control.stop_reason is None:
            return self._run_all(question, control, most - ALONE)
        return found

    cdef int _run_all(self, const void *question, Control control, int64_t most) except -3:
        """In rounds: when the table is full it grows, and all go on from the root with what it knows."""
        cdef int found = STOPPED
        cdef int64_t share, before
        self.table.shared = 1
        with ThreadPoolExecutor(self.threads, thread_name_prefix="exact") as pool:
            while found == STOPPED and most > 0 and control.stop_reason is None:
                widen(&self.table, GROWTH * self.table.buckets)
                # At most one entry a node.
                share = max(1, <int64_t> min(<uint64_t> most, room(&self.table)) // self.threads)
                before = self.nodes
                asked = [
                    pool.submit(self._run_thread, i, <uint64_t> question, control, share) for i in range(self.threads)
                ]
                found = max([each.result() for each in asked])
                self.table.used += self.nodes - before
                most -= self.threads * share
        self.table.shared = 0
        return found

    def _run_thread(self, int number, uint64_t question, Control control, int64_t most):
        return self._run(number, <const void *> question, control, most)

    cdef int _run(self, int number, const void *question, Control control, int64_t most) except -3:
        cdef int found
        self.limits[number].most_nodes = self.limits[number].nodes + most
        self.limits[number].next_poll = self.limits[number].nodes
        with nogil:
            found = self.search(number, question, control)
            if found != STOPPED:
                self.done.store(1)
        return found
