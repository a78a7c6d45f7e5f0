"""A long-running process of the guest, with its log."""

import asyncio
import collections
import contextlib
import os
import re
import signal
import time

LOGS = "/host/output/logs"


def uptime():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Service:
    """A process whose output goes to `logs/NAME.log`, each line after the guest's uptime."""

    def __init__(self, name, *command, environment=None):
        self.name = name
        self.command = command
        self.process = None
        self._environment = environment
        self._reader = None
        # Each line with the guest's uptime when it was said.
        self._recent = collections.deque(maxlen=500)
        self._line = asyncio.Condition()

    @property
    def lines(self):
        """The last lines that were said."""
        return [line for _, line in self._recent]

    @property
    def timed_lines(self):
        """The last lines that were said, each as (uptime, line)."""
        return list(self._recent)

    @property
    def running(self):
        return self.process is not None and self.process.returncode is None

    async def start(self, stdin=None):
        """Starts the process; `stdin` is a line for its standard input."""
        self._recent.clear()
        environment = None if self._environment is None else os.environ | self._environment
        self.process = await asyncio.create_subprocess_exec(
            *self.command, env=environment,
            stdin=asyncio.subprocess.DEVNULL if stdin is None else asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        self._reader = asyncio.create_task(self._read(self.process))
        if stdin is not None:
            self.process.stdin.write(stdin.encode() + b"\n")
            self.process.stdin.close()

    async def stop(self, how=signal.SIGTERM, seconds=15):
        """Signals the process and waits for its end; returns its exit status."""
        if self.process is None:
            return None
        if self.running:
            self.process.send_signal(how)
        try:
            async with asyncio.timeout(seconds):
                status = await self.process.wait()
        except TimeoutError:
            self.process.kill()
            status = await self.process.wait()
            self.note(f"did not end within {seconds} s of signal {how}: killed")
        # A child of the process may still hold the pipe.
        await asyncio.wait([self._reader], timeout=1)
        self._reader.cancel()
        self.process = None
        return status

    async def ended(self, seconds):
        """Waits for the process's own end; returns its exit status, 128 and more for a signal."""
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait([self._reader])
        except TimeoutError:
            await self.stop()
            raise TimeoutError(f"{self.name}: not at its end within {seconds} s; its last words: "
                               f"{self.last_words()}") from None
        status = self.process.returncode
        self.process = None
        return status if status >= 0 else 128 - status

    async def said(self, pattern, seconds):
        """Waits for a line that matches `pattern`, in what was said since the start."""
        async with self._within(seconds, pattern), self._line:
            while not (found := next(filter(None, (re.search(pattern, line)
                                                   for line in self.lines)), None)):
                if not self.running:
                    raise RuntimeError(f"{self.name} ended; its last words: {self.last_words()}")
                await self._line.wait()
            return found

    @contextlib.asynccontextmanager
    async def _within(self, seconds, pattern):
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise TimeoutError(f"{self.name} did not say '{pattern}' within {seconds} s; its last "
                               f"words: {self.last_words()}") from None

    def last_words(self, count=5):
        return " / ".join(self.lines[-count:])

    def note(self, text):
        """Writes a line into the log."""
        with open(f"{LOGS}/{self.name}.log", "a") as log:
            log.write(f"{uptime():9.3f} {text}\n")

    async def _read(self, process):
        with open(f"{LOGS}/{self.name}.log", "a") as log:
            log.write(f"{uptime():9.3f} [{' '.join(self.command)}]\n")
            async for line in process.stdout:
                text = line.decode(errors="replace").rstrip()
                now = uptime()
                log.write(f"{now:9.3f} {text}\n")
                log.flush()
                async with self._line:
                    self._recent.append((now, text))
                    self._line.notify_all()
            status = await process.wait()
            log.write(f"{uptime():9.3f} [ended with {status}]\n")
        async with self._line:
            self._line.notify_all()


async def run(*command, check=True, stdin=None):
    """Runs a short command and returns its output; `stdin` is a line for its standard input."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL if stdin is None else asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    line = None if stdin is None else stdin.encode() + b"\n"
    output = (await process.communicate(line))[0].decode(errors="replace")
    if check and process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {process.returncode}: {output.strip()}")
    return output
