"""
gdb, in a program that Everett runs: `everett replay --gdb` loads this.

The program's threads are coroutines, all in one thread of the process, so that gdb's own `info threads` shows but one. Those
that do not run have put their registers onto their stacks (runtime/threads/switch_*.S), and can be looked at from there: an unwinder
makes them the callers of the frame that is really the innermost one. Registers are never changed, so that the program can go
on whatever is being looked at.
"""
import json
import os
import re
import signal

import gdb
from gdb.unwinder import Unwinder

# Where evr_switch() has left the registers of a coroutine, as offsets from its stack pointer; and how large that is.
SAVED = {
    "i386:x86-64": ("rip", "rsp", 64, {"r15": 8, "r14": 16, "r13": 24, "r12": 32, "rbx": 40, "rbp": 48, "rip": 56}),
    "aarch64": ("pc", "sp", 176, {**{"x%d" % (19 + i): 8 * i for i in range(12)}, "pc": 88}),
}


def value(text):
    return gdb.parse_and_eval(text)


def runtime():
    """The runtime's state; an error where there is none."""
    try:
        gdb.selected_inferior().threads()[0]
        return value("evr_rt")
    except (gdb.error, IndexError):
        raise gdb.GdbError("the program is not running: 'everett start' runs it to its first event")


def word(enum, number, prefix="EVR_"):
    """What the runtime calls it: EVR_MUTEX_INIT is 'mutex-init'."""
    for field in gdb.lookup_type("enum " + enum).fields():
        if field.enumval == int(number):
            return field.name[len(prefix):].lower().replace("_", "-")
    return "?"


def place(site):
    if not int(site):
        return ""
    s = site.dereference()
    name = s["function"].string() if int(s["function"]) else ""
    return " at %s:%d%s" % (os.path.basename(s["file"].string()), int(s["line"]), " in " + name if name else "")


def told(what, event=0, thread=0):
    """What reports say: of an event its kind, location or value; the name of a thread."""
    function = "((const char *(*)(const struct evr_event *, unsigned, int))evr_told)"
    try:
        return value("%s((const struct evr_event *)%#x, %d, '%s')" % (function, int(event), thread, what)).string()
    except gdb.error as error:
        # Before version 14, where the processor has AMX: the call was made, and all registers that gdb did not write back are what they were.
        if "extended state" not in str(error):
            raise
        return value("(const char *)&evr_told_text").string()


def location(address):
    """The name of what is there, if gdb knows one."""
    address = int(address)
    if not address:
        return ""
    text = gdb.execute("info symbol %#x" % address, to_string=True)
    return " %#x" % address if text.startswith("No symbol") else " " + text.split(" in section")[0].replace(" + ", "+")


def wide(v):
    """A value of the runtime's, of 16 bytes, which some versions of gdb cannot make a number of."""
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(int(v.address), 16)), "little")


def describe(e, done):
    kind = word("evr_event_kind", e["kind"])
    text = told("k", e.address)
    where = told("l", e.address)
    if where:
        text += " " + where
    if kind in ("create", "join"):
        text += " thread %d" % wide(e["expected"])
    elif kind == "choose":
        text += " %d of %d" % (wide(e["expected"]), wide(e["written"])) if done else " one of %d" % wide(e["written"])
    elif kind in ("write", "update") or (done and kind in ("read", "rmw", "cas")):
        now = told("v", e.address)
        text += ": " + now if now else ""
    return text + place(e["site"])


# ---- threads ----


class Thread:
    def __init__(self, rt, n):
        self.number = n
        self.rt = rt
        self.t = rt["threads"][n].dereference()
        self.state = word("evr_thread_state", self.t["state"])

    def has(self, sp):
        c = self.t["coroutine"]
        return int(c["stack"]) <= sp < int(c["stack"]) + int(c["size"])

    def function(self):
        if self.number == 0:
            return "main"
        return told("t", thread=self.number) or "?"

    def text(self):
        site = place(self.t["site"])
        if self.state == "waiting":
            return "about to " + describe(self.rt["world"]["pending"][self.number], False)
        if self.state == "joining":
            return "waits for thread %d to end%s" % (int(self.t["target"]), site)
        if self.state == "parked":
            return "waits at the barrier%s%s" % (location(self.t["queue"]), site)
        if self.state == "stuck":
            return "goes no further: an assumption does not hold, or the bound of a loop is reached" + site
        if self.state == "awaiting":
            return "waits in a loop for what others write" + site
        if self.state == "ended":
            return "ended" + (", failed" + site if self.t["failed"] else "")
        return "running" + site


def threads():
    rt = runtime()
    return [t for t in (Thread(rt, n) for n in range(int(rt["world"]["threads"]))) if t.state != "unused"]


def find_thread(text):
    try:
        wanted = int(text)
    except ValueError:
        raise gdb.GdbError("'%s' is not the number of a thread" % text)
    for t in threads():
        if t.number == wanted:
            return t
    raise gdb.GdbError("there is no thread %d" % wanted)


def registers():
    arch = gdb.newest_frame().architecture().name()
    if arch not in SAVED:
        raise gdb.GdbError("threads of this machine (%s) cannot be looked at" % arch)
    return SAVED[arch]


def stack_pointer():
    return int(gdb.newest_frame().read_register(registers()[1]))


def running():
    """The thread on whose stack the process is; None: the scheduler has its own."""
    for t in threads():
        if t.has(stack_pointer()):
            return t
    return None


# ---- looking at one that does not run ----


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


class View(Unwinder):
    """While `at` is set, that is what the innermost frame was called by: a stack pointer that evr_switch() has saved."""

    def __init__(self):
        super().__init__("everett")
        self.at = None
        self.innermost = None

    def __call__(self, pending):
        if self.at is None:
            return None
        pc, sp, size, saved = SAVED[pending.architecture().name()]
        here = (int(pending.read_register(sp)), int(pending.read_register(pc)))
        if here != self.innermost:
            return None
        # As if it were on the thread's own stack: gdb believes in no caller that lies below what it calls.
        inside = gdb.Value(self.at).cast(pending.read_register(sp).type)
        info = pending.create_unwind_info(FrameId(inside, pending.read_register(pc)))
        pointer = gdb.lookup_type("long").pointer()
        for name, offset in saved.items():
            info.add_saved_register(name, gdb.Value(self.at + offset).cast(pointer).dereference())
        info.add_saved_register(sp, gdb.Value(self.at + size))
        return info

    def show(self, thread):
        """From now on frames are those of the thread; None: of whoever runs."""
        if thread is not None and not thread.has(stack_pointer()):
            pc, sp = registers()[:2]
            frame = gdb.newest_frame()
            self.innermost = (int(frame.read_register(sp)), int(frame.read_register(pc)))
            self.at = int(thread.t["coroutine"]["sp"])
        else:
            self.at = None
        gdb.invalidate_cached_frames()


view = View()
gdb.unwinder.register_unwinder(None, view, replace=True)


def forget_view(_):
    if view.at is not None:
        view.show(None)


gdb.events.stop.connect(forget_view)


stopped = False  # and nobody has looked yet


def note_stop(event):
    global stopped
    stopped = True


def select_program():
    """Stopped in Everett's own code on behalf of the program: what the user looks at is the program's."""
    global stopped
    if not stopped:
        return
    stopped = False
    try:
        if running() is None or not is_ours(gdb.newest_frame()):
            return
        frames = program_frames()
        if frames:
            frames[0].select()
    except (gdb.error, gdb.GdbError):
        pass


# gdb itself selects the innermost frame once it has told of the stop.
gdb.events.stop.connect(note_stop)
gdb.events.before_prompt.connect(select_program)


def is_ours(frame):
    """A frame of the runtime, not of the program."""
    symbol, sal = gdb.lookup_global_symbol("evr_run"), frame.find_sal()
    name = frame.name() or "??"
    if name.startswith("evr_"):
        return True
    if symbol is None or not sal.symtab:
        return False
    source = os.path.dirname(os.path.dirname(symbol.symtab.fullname()))
    return sal.symtab.fullname().startswith(source + os.sep)


def arguments(frame):
    try:
        block, words = frame.block(), []
    except RuntimeError:
        return ""
    while block.function is None and block.superblock:
        block = block.superblock
    for symbol in block:
        if symbol.is_argument:
            words.append("%s=%s" % (symbol.print_name, frame.read_var(symbol).format_string(max_elements=8)))
    return ", ".join(words)


def program_frames():
    """Those of the program's own functions. A thread has none that has not begun, or only waits for its stores to be seen."""
    frame, frames = gdb.newest_frame(), []
    while frame is not None:
        if frame.level() or view.at is None:
            frames.append(frame)
        try:
            frame = frame.older()
        except gdb.error:
            break
    return [f for f in frames if not is_ours(f) and f.function()]


def print_frame(frame):
    sal = frame.find_sal()
    where = " at %s:%d" % (os.path.basename(sal.symtab.filename), sal.line) if sal.symtab else ""
    print("#%-2d %s (%s)%s" % (frame.level(), frame.name() or "??", arguments(frame), where))


def backtrace(thread):
    """Of the program's own functions; the numbers are gdb's, for `frame`."""
    if thread.state == "ended":
        print("thread %d has ended" % thread.number)
        return
    view.show(thread)
    frames = program_frames()
    for frame in frames:
        print_frame(frame)
    if not frames:
        print("thread %d is not in a function of the program" % thread.number)


# ---- stepping ----

seen = 0  # events of the trace that were shown, or passed by


def events():
    return runtime()["world"]["trace"]["events"]


def print_events(first, last):
    e = events()
    for i in range(first, last):
        x = e["data"][i]
        print("%4d  thread %d  %s" % (i, int(x["thread"]), describe(x, True)))


class Stop(gdb.Breakpoint):
    """Where the scheduler asks for the next step: all that has happened is in the trace."""

    def __init__(self, thread):
        address = int(value("evr_rt.engine->ops->next"))
        super().__init__("*%#x" % address, internal=True)
        self.silent = True
        self.wanted = thread
        self.first = seen

    def stop(self):
        e = events()
        new = [int(e["data"][i]["thread"]) for i in range(self.first, int(e["len"]))]
        return bool(new) if self.wanted is None else self.wanted in new


def is_alive():
    return bool(gdb.selected_inferior().pid)


def go_on(thread):
    """Until something has happened, in that thread if it is not None."""
    global seen
    stop = Stop(thread)
    try:
        gdb.execute("continue", to_string=True)
    finally:
        stop.delete()
    if not is_alive():
        print("the execution is over")
        seen = 0
        return
    last = int(events()["len"])
    print_events(min(seen, last), last)
    seen = last
    runtime()
    faults = value("evr_execution")["faults"]
    for i in range(int(faults["len"])):
        f = faults["data"][i]
        print("      thread %d  %s: %s%s" % (int(f["thread"]), f["kind"].string(), f["message"].string(), place(f["site"])))


# ---- commands ----


class Everett(gdb.Command):
    """The program that Everett runs: its threads, and its events.

everett start     run it again, to its first event
everett next [N]  to the next event, of thread N if given
everett events    what has happened so far
everett threads   what each thread does
everett bt [N]    where a thread is: the program's functions only
everett thread N  look at a thread: then `up`, `frame`, `info locals` and `print` are about it

An event is what other threads can notice: accesses to shared memory, locks, thread creation and the like. Between two of
them gdb's own commands (step, break, watch, ...) work as usual."""

    def __init__(self):
        super().__init__("everett", gdb.COMMAND_RUNNING, prefix=True)


class Threads(gdb.Command):
    """What each thread of the program does; '*' marks the thread whose stack the process is on."""

    def __init__(self):
        super().__init__("everett threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        here = running()
        for t in threads():
            star = "*" if here and here.number == t.number else " "
            print("%s %-3d %-16s %s" % (star, t.number, t.function(), t.text()))


class Backtrace(gdb.Command):
    """everett bt [N]: where thread N is, in the program's own functions; without N, the running thread."""

    def __init__(self):
        super().__init__("everett bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        thread = find_thread(argument) if argument else running()
        if thread is None:
            raise gdb.GdbError("no thread runs: say which (see 'everett threads')")
        backtrace(thread)
        view.show(None)


class ThreadView(gdb.Command):
    """everett thread [N]: select thread N until the program continues; without N, the running thread.
Frame #0 stays where the process is; the thread's own frames are above it."""

    def __init__(self):
        super().__init__("everett thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        thread = find_thread(argument) if argument else running()
        if thread is None:
            view.show(None)
            return
        if thread.state == "ended":
            raise gdb.GdbError("thread %d has ended" % thread.number)
        view.show(thread)
        frames = program_frames()
        if not frames:
            view.show(None)
            raise gdb.GdbError("thread %d is not in a function of the program" % thread.number)
        frames[0].select()
        print_frame(frames[0])


class Next(gdb.Command):
    """everett next [N]: continue to the next event, of thread N if given, and print it."""

    def __init__(self):
        super().__init__("everett next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        runtime()
        go_on(find_thread(argument).number if argument else None)


class Events(gdb.Command):
    """The events of the execution so far."""

    def __init__(self):
        super().__init__("everett events", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        print_events(0, int(events()["len"]))


class Start(gdb.Command):
    """Restart the execution, and stop at its first event."""

    def __init__(self):
        super().__init__("everett start", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        global seen
        confirm = gdb.parameter("confirm")
        gdb.execute("set confirm off")
        stop = gdb.Breakpoint("evr_run", internal=True, temporary=True)
        stop.silent = True
        try:
            gdb.execute("run", to_string=True)
        finally:
            gdb.execute("set confirm %s" % ("on" if confirm else "off"))
        seen = 0
        if is_alive():
            go_on(None)


# ---- calls and locals, for reports ----

# Where a value of so many bytes is returned.
RESULT = {"i386:x86-64": "rax", "aarch64": "x0"}
# Where the first two arguments of a call are.
ARGUMENTS = {"i386:x86-64": ("rdi", "rsi"), "aarch64": ("x0", "x1")}
# Registers that are what they were when a function returns.
KEPT = {"i386:x86-64": {"rbx", "rbp", "rsp", "r12", "r13", "r14", "r15"}, "aarch64": {"sp"} | {"x%d" % i for i in range(19, 30)}}
SCALAR = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_PTR)
LONGEST = 20  # seconds
DEEPEST = 12  # functions that are looked at
MOST_CALLS = 200  # of a function: one that is called more often is no longer stopped


class Here(gdb.Breakpoint):
    """Where the process stops without a word."""

    def __init__(self, address):
        super().__init__("*%#x" % address, internal=True)
        self.silent = True


class Recorder:
    """
    What the report of an execution says of the program's calls and locals: at each event, the functions that its thread is in and their
    variables. A call is known by where its frame is on the thread's stack, until its return address is reached there. The execution is run
    twice: the first time tells which functions are of interest, and the second time they are stopped at their beginnings, since
    arguments need not be kept for longer.
    """

    def __init__(self, most, starts):
        self.most = most  # events
        self.starts = starts  # of functions: address -> how often it was reached
        self.own = []  # breakpoints
        self.entered = {}  # thread, base and start of a call -> its arguments
        self.calls = []
        self.events = []
        self.failure = None  # as an event
        self.stacks = {}  # of each thread: the calls that it is in, outermost first
        self.returns = {}  # address -> breakpoint
        self.kept = {}  # place and variable -> is it where it seems to be?
        self.names = {}  # of what pointers point to

    def text(self, v):
        t = v.type.strip_typedefs()
        if v.is_optimized_out:
            return None
        if t.code == gdb.TYPE_CODE_PTR:
            address = int(v)
            if address not in self.names:
                self.names[address] = told("p", event=address)
            return self.names[address]
        if t.code == gdb.TYPE_CODE_INT and t.sizeof == 1:
            return str(int(v))
        return v.format_string(max_elements=6, max_depth=2, symbols=False, repeat_threshold=0)

    def is_kept(self, frame, name):
        """
        Is the variable where gdb looks for it? Of a frame that has called another one, gdb takes registers that calls may change for what
        they are now.
        """
        key = (frame.pc(), name)
        if key not in self.kept:
            frame.select()
            text, at = gdb.execute("info address " + name, to_string=True), frame.pc() - 1
            ranges = [m for m in re.finditer(r"Range (0x[0-9a-f]+)-(0x[0-9a-f]+): ((?:(?!Range 0x).)*)", text, re.DOTALL)]
            if ranges:
                text = "".join(m[3] for m in ranges if int(m[1], 16) <= at < int(m[2], 16))
            self.kept[key] = set(re.findall(r"\$(\w+)", text)) <= KEPT[frame.architecture().name()]
        return self.kept[key]

    def variables(self, frame, wanted, here=False):
        """Its arguments, or its other locals; of those with one name, the innermost. `here`: it has called nothing yet."""
        try:
            block = frame.block()
        except RuntimeError:
            return []
        found = {}
        while block is not None:
            for symbol in block:
                if not (symbol.is_argument if wanted == "arguments" else symbol.is_variable and not symbol.is_argument):
                    continue
                if symbol.addr_class == gdb.SYMBOL_LOC_STATIC or symbol.print_name in found:
                    continue
                try:
                    text = self.text(frame.read_var(symbol, block)) if here or self.is_kept(frame, symbol.print_name) else None
                except (gdb.error, gdb.MemoryError, UnicodeError):
                    text = None
                if text is not None or wanted == "arguments":
                    found[symbol.print_name] = text
            if block.function is not None:
                break
            block = block.superblock
        return [{"name": name, "value": value} for name, value in found.items()]

    def look(self, number, place):
        """The thread has come to the event at that place of the trace."""
        thread = Thread(runtime(), number)
        view.show(thread)
        sp, frames = registers()[1], []
        for frame in program_frames()[-DEEPEST:][::-1]:
            older = frame.older()
            if older is not None and frame.type() != gdb.INLINE_FRAME:
                frames.append((int(older.read_register(sp)), frame, int(older.pc())))
        stack = self.stacks.setdefault(number, [])
        same = 0
        while same < len(stack) and same < len(frames) and stack[same][0] == frames[same][0] and self.calls[stack[same][1]]["function"] == frames[same][1].name():
            same += 1
        del stack[same:]
        for base, frame, back in frames[same:]:
            stack.append((base, len(self.calls), frame.function(), back))
            start = self.start_of(frame)
            self.starts.setdefault(start, 0)
            arguments = self.entered.get((number, base, start)) or self.variables(frame, "arguments")
            self.calls.append({"thread": number, "function": frame.name(), "arguments": arguments, "result": None})
            if back not in self.returns:
                self.returns[back] = self.here(back)
        found = [{"call": call, "locals": self.variables(frame, "locals")} for (_, call, _, _), (_, frame, _) in zip(stack, frames)]
        view.show(None)
        return {"thread": number, "place": place, "frames": found}

    def here(self, address):
        self.own.append(Here(address))
        return self.own[-1]

    def start_of(self, frame):
        block = frame.block()
        while block.function is None:
            block = block.superblock
        return block.start

    def entered_at(self, address):
        thread, frame = running(), gdb.newest_frame()
        if thread is not None:
            base = stack_pointer() + (8 if frame.architecture().name() == "i386:x86-64" else 0)
            self.entered[thread.number, base, address] = self.variables(frame, "arguments", here=True)
        self.starts[address] += 1
        if self.starts[address] == MOST_CALLS:
            next(b for b in self.own if b.location == "*%#x" % address).enabled = False

    def returned(self, address):
        thread = running()
        if thread is None:
            return
        stack, sp = self.stacks.get(thread.number, []), stack_pointer()
        for base, call, function, back in stack:
            target = function.type.target()
            if back != address or base > sp:
                continue
            self.calls[call]["result"] = ""
            if target.strip_typedefs().code in SCALAR:
                register = RESULT[gdb.newest_frame().architecture().name()]
                self.calls[call]["result"] = self.text(gdb.newest_frame().read_register(register).cast(target))
        while stack and stack[-1][0] <= sp:
            stack.pop()

    def run(self):
        gdb.execute("set confirm off")
        start = gdb.Breakpoint("evr_run", internal=True, temporary=True)
        start.silent = True
        gdb.execute("run </dev/null", to_string=True)
        if not is_alive():
            return
        recorded = {int(value("(long)&%s" % name)): name for name in ("evr_trace_append", "evr_trace_record")}
        for address in [*recorded, *self.starts]:
            self.here(address)
        while len(self.events) < self.most:
            gdb.execute("continue", to_string=True)
            if not is_alive():
                return
            at = int(gdb.newest_frame().pc())
            if at in recorded:
                trace, first = (int(gdb.newest_frame().read_register(r)) for r in ARGUMENTS[gdb.newest_frame().architecture().name()])
                if recorded[at] == "evr_trace_append":
                    first = int(gdb.Value(first).cast(gdb.lookup_type("struct evr_event").pointer())["thread"])
                place = int(gdb.Value(trace).cast(gdb.lookup_type("struct evr_trace").pointer())["events"]["len"])
                # What is recorded comes to be appended, too. An execution that had to learn something begins again.
                if not self.events or self.events[-1]["place"] != place:
                    self.events.append(self.look(first, place))
            elif at in self.returns:
                self.returned(at)
            elif at in self.starts:
                self.entered_at(at)
            else:
                # The failure.
                thread = running()
                if thread is not None:
                    self.failure = self.look(thread.number, len(self.events))
                return


class Record(gdb.Command):
    """everett record FILE N: run the execution, and write what its first N events say of calls and locals to a file, as JSON."""

    def __init__(self):
        super().__init__("everett record", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        # Nobody waits for an execution that has no end: this ends gdb, and with it the program.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LONGEST)
        path, most = argument.rsplit(" ", 1)
        first = Recorder(int(most), {})
        first.run()
        for breakpoint in first.own:
            breakpoint.delete()
        recorder = Recorder(int(most), first.starts)
        recorder.run()
        with open(path, "w") as out:
            json.dump({"calls": recorder.calls, "events": recorder.events, "failure": recorder.failure}, out)


for command in (Everett, Threads, Backtrace, ThreadView, Next, Events, Start, Record):
    command()
