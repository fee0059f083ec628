# Loaded by gdb for `heddle replay --gdb`: steps through a finding by visible operation, forwards and backwards.
#
# The runtime calls heddle_debug_step(N) on the thread's own stack when the N-th operation of the schedule is about to be
# performed, and heddle_debug_failure() where the finding is. Going back starts the program again, which does the same as
# before, and stops one operation earlier.
import gdb

STEPS = @STEPS@
ENVIRONMENT = @ENVIRONMENT@


class Position:
    step = 0


def run(command):
    gdb.execute(command, to_string=True)


class StepBreakpoint(gdb.Breakpoint):
    """Stops at one step, or at every one from it on."""
    wanted = 1

    def stop(self):
        Position.step = int(gdb.parse_and_eval("(unsigned)$rdi"))
        return Position.step >= self.wanted


class FailureBreakpoint(gdb.Breakpoint):
    def stop(self):
        return True


def show():
    """Selects the innermost frame of the program itself."""
    try:
        frame = gdb.selected_frame()
    except gdb.error:
        return
    while frame is not None:
        place = frame.find_sal()
        library = gdb.solib_name(frame.pc()) or ""
        name = place.symtab.fullname() if place.symtab else ""
        if "libheddle_" not in library and name and not name.startswith("/usr/"):
            frame.select()
            break
        frame = frame.older()
    print("step %d of %d" % (Position.step, STEPS))
    if frame is not None:
        gdb.execute("frame")


def go(command, wanted):
    steps.wanted = wanted
    run(command)
    if gdb.selected_inferior().pid == 0:
        print("the execution is over")
        return
    show()


class Next(gdb.Command):
    """On to the next visible operation, or to the failure."""

    def __init__(self):
        super().__init__("heddle-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if gdb.selected_inferior().pid == 0:
            print("the execution is over; heddle-back goes to its last step")
            return
        go("continue", Position.step + 1)


class Back(gdb.Command):
    """Back to the visible operation before."""

    def __init__(self):
        super().__init__("heddle-back", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        over = gdb.selected_inferior().pid == 0 or at_failure()
        wanted = Position.step if over else Position.step - 1
        if wanted < 1:
            print("this is the first step")
            return
        go("run", wanted)


class Until(gdb.Command):
    """To the visible operation with this number."""

    def __init__(self):
        super().__init__("heddle-until", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        try:
            wanted = int(argument)
        except ValueError:
            wanted = 0
        if not 1 <= wanted <= STEPS:
            print("heddle-until needs a number from 1 to %d" % STEPS)
            return
        go("run", wanted)


def at_failure():
    try:
        return gdb.newest_frame().name() == "heddle_debug_failure"
    except gdb.error:
        return False


for line in ("set confirm off", "set pagination off", "set startup-with-shell off", "set breakpoint pending on",
             "set print thread-events off", "set disable-randomization on"):
    run(line)
for signal in ("SIGSYS", "SIGSEGV", "SIGABRT", "SIGFPE", "SIGILL", "SIGBUS"):
    run("handle %s nostop noprint pass" % signal)
for name, value in ENVIRONMENT.items():
    run("set environment %s %s" % (name, value))
# The runtime has to be loaded before its functions can be named.
run("tbreak main")
run("run")
steps = StepBreakpoint("heddle_debug_step", internal=True)
failure = FailureBreakpoint("heddle_debug_failure", internal=True)
steps.silent = failure.silent = True
Next()
Back()
Until()
go("run", @UNTIL@)
print("heddle-next and heddle-back step by visible operation; heddle-until N goes to one")
