"""Results made up for tests: of any length, without running anything."""
import random


def result(events=60, threads=4, seed=1):
    """Threads that lock, read and write; the last read fails. Only `hits` has to do with it."""
    chance = random.Random(seed)
    file = "/synthetic/program.c"
    source = "\n".join(f"line {n} of the program();" for n in range(1, 121))
    paths = ["0"] + [f"0.{n}" for n in range(1, threads)]
    told, last, value = [], {}, 0

    def add(thread, kind, text, **more):
        line = more.pop("line", chance.randrange(1, 120))
        told.append({"thread": thread, "kind": kind, "text": text, "location": {"file": file, "line": line, "function": "work"}, **more})

    for path in paths[1:]:
        add("0", "ThreadCreate", "thread creation", other=path)
    owner = None
    while len(told) < events - 1:
        path = chance.choice(paths[1:])
        spot = chance.random()
        earlier = last.get("hits" if spot < 0.2 else "lock")
        follows = [earlier] if earlier is not None and told[earlier]["thread"] != path else []
        if spot < 0.1:
            add(path, "Load", "load", object="hits", size=4, value=value, before=value, follows=follows)
            last["hits"] = len(told) - 1
        elif spot < 0.2:
            before, value = value, chance.randrange(100)
            add(path, "Store", "store", object="hits", size=4, value=value, before=before, follows=follows)
            last["hits"] = len(told) - 1
        elif owner is None:
            others = [p for p in paths[1:] if p != path]
            waits = [{"thread": others[0], "text": "waits for mutex lock, held by thread " + path[2:], "object": "lock", "stack": [],
                      "holders": [{"thread": path, "location": None}], "location": {"file": file, "line": 7, "function": "work"}}]
            add(path, "MutexLock", "lock", object="lock", follows=follows, **({"blocks": waits} if chance.random() < 0.3 else {}))
            last["lock"], owner = len(told) - 1, path
        else:
            add(owner, "MutexUnlock", "unlock", object="lock")
            last["lock"], owner = len(told) - 1, None
    add("0", "Load", "load", object="hits", size=4, value=value, before=value, line=99,
        follows=[last["hits"]] if "hits" in last else [])
    of_hits = [i for i, event in enumerate(told) if event.get("object") == "hits"]
    frame = {"function": "main", "file": file, "line": 100, "module": "/synthetic/program", "in_program": True}
    finding = {"kind": "assertion", "message": "assertion `hits == 2` failed", "thread": "0",
               "location": {"file": file, "line": 100, "function": "main"}, "stack": [frame], "involved": [], "schedule": "0*3",
               "events": told, "output": "hello\n",
               "decisive": {"first": of_hits[-3], "second": of_hits[-2], "schedule": "0*4"}}
    return {"heddle": "0", "schema": 1, "program": file, "arguments": [], "build": None, "verdict": "bug", "reason": "",
            "coverage": {"kind": "all-schedules", "statement": "the search stopped at the first finding", "not_modelled": []},
            "search": {"reduction": "optimal"},
            "statistics": {"executions": 1234, "blocked": 5, "abandoned": 0, "events": 99999, "replayed": 777, "states": 0,
                           "transitions": 0, "max_depth": events, "threads": threads, "seconds": 1.5, "peak_rss_kib": 1},
            "findings": [finding], "warnings": [],
            "exploration": {"samples": [{"seconds": n / 10, "executions": n * n * 5, "events": n * 90} for n in range(16)],
                            "branches": [chance.randrange(1, 50) for _ in range(40)]},
            "sources": {file: source}}
