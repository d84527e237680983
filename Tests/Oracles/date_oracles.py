"""What Python's zoneinfo and the calendar of dateutil answer to a question about a date or a reminder."""

import datetime

from dateutil.relativedelta import relativedelta

import zones


def at(question):
    clock, name = datetime.datetime.fromisoformat(question["at"]), question["tz"]
    first, second = zones.instants(clock, name)
    policy = question.get("dst", "compatible")
    if policy == "skip" and zones.is_skipped(clock, name):
        return []
    return [first, second] if policy == "both" and zones.is_repeated(clock, name) else [first]


def reminder(question):
    words = question["before"].split(" ")
    lengths = {unit.removesuffix("s"): int(count) for count, unit in zip(words[::2], words[1::2], strict=True)}
    clock = zones.clock(at(question)[0], question["tz"])
    clock -= relativedelta(months=lengths.get("month", 0))
    clock -= datetime.timedelta(weeks=lengths.get("week", 0), days=lengths.get("day", 0))
    exact = datetime.timedelta(**{f"{unit}s": lengths.get(unit, 0) for unit in ("hour", "minute", "second")})
    return [zones.instants(clock, question["tz"])[0] - exact]
