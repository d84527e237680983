"""Judges a run: nothing lost, nothing twice with another id, no hang, no crash, and a message that names the fault."""

import collections
import contextlib
import errno
import os
import re
import signal
import sqlite3

import errnos
from scenario import trouble

# What the daemon says instead of the words of the C library, because that says what to do.
OWN_WORDS = {
    "EMFILE": "too many files are open", "ENFILE": "too many files are open", "EPERM": "permission denied",
    "ENOSPC": "no room on the disk", "EDQUOT": "no room on the disk", "ENOMEM": "not enough memory",
}
# How SQLite says that a call failed; it keeps the errno to itself.
STORE_WORDS = (
    "disk I/O error", "unable to open database file", "database or disk is full", "database is locked",
    "out of memory", "readonly database", "access permission denied", "locking protocol",
)
SURVIVED, NAMED, LIBRARY, NOT_REACHED, VIOLATION = "survived", "message", "library", "not reached", "violation"


class Fault:
    """The n-th call of a kind fails with an errno (by its name), in one life of the daemon."""

    def __init__(self, call, number, error, life):
        self.call, self.number, self.errno, self.life = call, number, error, life

    def __str__(self):
        return f"{self.call}:{self.number}:{self.errno} in life {self.life}"

    @property
    def setting(self):
        return f"{self.call}:{self.number}:{self.errno}"

    def is_named_in(self, text, target):
        """Whether a text has the call, the errno or its words, SQLite's, or the path that the call was about."""
        number = getattr(errno, self.errno)
        call = re.escape(self.call.split(".")[0])
        words = [re.escape(os.strerror(number)), rf"\b{self.errno}\b", rf"\berrno:? {number}\b", rf"\b{call}\d?\b",
                 re.escape(OWN_WORDS.get(self.errno, os.strerror(number))), *map(re.escape, STORE_WORDS)]
        if target.startswith("/"):
            words.append(re.escape(target))
        return re.search("|".join(words), text, re.IGNORECASE) is not None


def store_problems(scenario):
    """What is wrong in the store after the last life."""
    with contextlib.suppress(sqlite3.Error):
        problems = [f"the store: {text}" for (text,) in scenario.rows("PRAGMA integrity_check") if text != "ok"]
        for name, sink, state, reason in scenario.rows(
            "SELECT d.definition, d.sink, d.state, d.reason FROM delivery d JOIN firing f ON f.id = d.firing "
            "WHERE d.state <> 'delivered' AND NOT (d.state = 'expired' AND f.kind <> 'expiry')"
        ):
            problems.append(f"{name} to {sink} is {state}: {reason}")
        return problems
    return ["the store cannot be read"]


def judge(scenario, lives, fault, noted):
    """The verdict, and the reasons of a violation. `noted` is what the library wrote when the call failed: the fault,
    and what the call was about; empty if it did not come to that."""
    problems = []
    was_reached, target = bool(noted), noted.partition(fault.errno)[2].strip()
    arrived, torn = scenario.arrived()
    problems += [f"torn: {line}" for line in torn]
    for sink, found in arrived.items():
        ids = collections.defaultdict(set)
        for key, delivery in found:
            ids[key].add(delivery)
        problems += [f"{sink}: {key} has several ids" for key, seen in ids.items() if len(seen) > 1]
    problems += [f"lost: {' '.join(item)}" for item in sorted(scenario.missing(lives[-1].number))]
    problems += scenario.broken_promises + store_problems(scenario)
    is_of_library = False
    for life in lives:
        if not was_reached or life.number != fault.life:
            problems += problems_of_sound(life)
        elif life.status < 0 and errnos.library_reason(fault.call, fault.errno, target):
            is_of_library = True
        elif life.is_hung:
            problems.append("does not stop")
        elif life.status < 0:
            problems.append(f"ended by {signal.Signals(-life.status).name}")
        elif is_impaired(life) and not fault.is_named_in(words_of(life), target):
            if fault.call in errnos.LIBRARY_SILENT:
                is_of_library = True
                continue
            problems.append(f"nothing names the fault: status {life.status}, complete {life.is_complete}, "
                            f"refused {life.refused}")
    if problems:
        return VIOLATION, problems
    if not was_reached:
        return NOT_REACHED, []
    if is_of_library:
        return LIBRARY, []
    return (NAMED if any(is_impaired(life) for life in lives if life.number == fault.life) else SURVIVED), []


def problems_of_sound(life):
    """What is wrong with a life in which no call failed."""
    problems = [f"{name} was refused: {words[:200]}" for name, words in life.refused]
    if life.is_hung:
        problems.append("does not stop")
    if life.status != 0:
        problems.append(f"status {life.status}")
    return [f"life {life.number}, without a fault: {problem}" for problem in problems]


def is_impaired(life):
    """Whether a life did less than without a fault."""
    return life.status != 0 or not life.is_complete or bool(life.refused)


def words_of(life):
    """All in which a life could have named a fault."""
    return "\n".join(trouble(life.log) + [words for _, words in life.refused])
