"""Why an oracle may answer something else than tminus.

A rule explains a difference of its oracle only for questions to which it applies. The first oracle of a kind reads
questions as Time.md says, and no rule explains a difference from it: tminus always agrees with one oracle.
"""

import dataclasses
import datetime
from collections.abc import Callable

import cronsim

import cron_oracles
import zones
from questions import FIELDS
from rrule_oracles import Rule as Parts

EPOCH = datetime.datetime(1970, 1, 1)


@dataclasses.dataclass
class Rule:
    oracle: str
    name: str
    reason: str
    applies: Callable


def explain(oracle, question, answer):
    """The first rule that explains why this oracle has another answer; None if there is none."""
    return next((rule for rule in RULES if rule.oracle == oracle and rule.applies(question, answer)), None)


# Cron

def range_of_one(question, answer):
    return any(cron_oracles.plain(field, kind) != field
               for kind, field in zip(FIELDS, cron_oracles.fields(question), strict=True))


def all_days(question, answer):
    """Whether a field has all days without being a star."""
    fields = cron_oracles.fields(question)
    job = cronsim.CronSim(" ".join(fields), EPOCH)
    return ((len(job.days) == 31 and not fields[2].startswith("*"))
            or (len({day % 7 for day in job.weekdays}) == 7 and not fields[4].startswith("*")))


def changes_near(question, answer):
    """The changes of the clock up to the last answer, and those just before, which move clock times."""
    start = zones.instant(question["from"])
    last = answer[-1] if answer else start
    return zones.changes_within(start - zones.DAY, last + zones.DAY, question["tz"])


def odd_change(question, answer):
    """A wildcard expression over a change by or at a fraction of an hour, or one that skips midnight."""
    def shift(change):
        return zones.offset(change, question["tz"]) - zones.offset(change - zones.SECOND, question["tz"])

    def skips_midnight(change):
        before, after = zones.clock(change - zones.SECOND, question["tz"]), zones.clock(change, question["tz"])
        return shift(change) > zones.SECOND and before.date() < after.date()

    return not cron_oracles.is_fixed(question) and any(
        shift(change).total_seconds() % 3600 or zones.clock(change, question["tz"]).minute or skips_midnight(change)
        for change in changes_near(question, answer))


def second_pass(question, answer):
    start = zones.instant(question["from"])
    return cron_oracles.is_fixed(question) and start.astimezone(zones.zone(question["tz"])).fold == 1


# Recurrence rules

def mixed_days(question, answer):
    days = Parts(question).parts.get("BYDAY", "").split(",")
    return len({len(day) > 2 for day in days}) > 1


def week_number_alone(question, answer):
    parts = Parts(question).parts
    return "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts)


def positions_of_weeks(question, answer):
    rule = Parts(question)
    return rule.frequency == "WEEKLY" and "BYSETPOS" in rule.parts


def second_60(question, answer):
    return 60 in Parts(question).numbers("BYSECOND")


def shorter_than_a_day(question, answer):
    rule = Parts(question)
    return rule.is_elapsed and bool(zones.changes_within(rule.first, answer[-1], rule.zone))


RULES = [
    Rule("croniter, clock times", "5-5 is all values", "Time.md: that one value, as in Debian's cron", range_of_one),
    Rule("croniter", "5-5 is all values", "the same", range_of_one),
    Rule("cronsim", "5-5/7 goes on", "it reads it as 5-59/7; in Debian's cron the range ends", range_of_one),
    Rule("croniter, clock times", "0-7 is a star", "Time.md: only a field that begins with * is one", all_days),
    Rule("croniter", "0-7 is a star", "the same", all_days),
    Rule("croniter", "its own clock changes", "it does not tell fixed times from wildcards, as Debian's cron does",
         changes_near),
    Rule("cronsim", "wildcards at odd changes",
         "over changes by or at half or three quarters of an hour, or over a skipped midnight, it gives wrong times",
         odd_change),
    Rule("cronsim", "asked in the second pass", "for fixed times it gives those of the first pass, which is over",
         second_pass),
    Rule("dateutil", "second 60", "it refuses it; RFC 5545 section 3.3.12 has it read as 59", second_60),
    Rule("dateutil", "days with and without a number", "of BYDAY=MO,2WE it wants both at once; RFC 5545 either",
         mixed_days),
    Rule("dateutil", "BYWEEKNO alone", "it takes all days of the week; RFC 5545 the day of the start",
         week_number_alone),
    Rule("dateutil", "BYWEEKNO in January", "it takes the first days of 2022 for week 53; ISO 8601 has them in week 52",
         lambda question, answer: "BYWEEKNO" in Parts(question).parts),
    Rule("dateutil", "BYSETPOS in the first week", "it counts from the start on; RFC 5545 in the whole week",
         positions_of_weeks),
    Rule("dateutil", "shorter than a day", "it follows the clock that is shown; tminus counts real time",
         shorter_than_a_day),
]
