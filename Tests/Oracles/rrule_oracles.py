"""What python-dateutil answers to a question about a recurrence rule.

dateutil finds clock times; the instants are those of zoneinfo. It leaves a start out that the rule does not yield, so
the start is added here, and COUNT and UNTIL are applied afterwards (RFC 5545 section 3.3.10: the start is always the
first occurrence, and counts).
"""

import calendar
import datetime
import itertools

from dateutil.rrule import rrulestr

import zones
from questions import DAYS, TIMES

# How far an oracle searches, in years and in occurrences of the bare frequency. Answers after that are not compared.
YEARS, TRIES = 30, 20_000
# With a frequency shorter than a day these only choose among what the frequency yields, beside those that add times.
LIMITS = {
    "HOURLY": ["BYMONTH", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR"],
    "MINUTELY": ["BYMONTH", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE"],
    "SECONDLY": ["BYMONTH", "BYYEARDAY", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE", "BYSECOND"],
}


class Rule:
    """A question about a recurrence rule, taken apart."""

    def __init__(self, question):
        self.zone, self.count = question["tz"], question["n"]
        self.parts = dict(part.split("=") for part in question["rrule"].split(";"))
        self.frequency = self.parts["FREQ"]
        self.is_elapsed = self.frequency in TIMES
        self.is_day = "T" not in question["start"]
        self.start = datetime.datetime.fromisoformat(question["start"])
        self.first = zones.instants(self.start, self.zone)[0]
        if self.is_elapsed:
            # Real time is counted from the instant, whatever was written for it.
            self.start = zones.clock(self.first, self.zone)
        # Only answers before this are compared.
        self.horizon = self.first.replace(year=self.first.year + YEARS, day=1)

    def last(self):
        """The instant of UNTIL, which counts."""
        until = self.parts.get("UNTIL")
        if until is None:
            return None
        if until.endswith("Z"):
            return datetime.datetime.strptime(until + "+0000", "%Y%m%dT%H%M%SZ%z")
        if "T" in until:
            return max(zones.instants(datetime.datetime.strptime(until, "%Y%m%dT%H%M%S"), self.zone))
        return zones.instants(datetime.datetime.strptime(until, "%Y%m%d") + zones.DAY, self.zone)[0] - zones.SECOND

    def numbers(self, name):
        return [int(number) for number in self.parts[name].split(",")] if name in self.parts else []

    def bounded(self, moments):
        """What is left by COUNT, UNTIL, the number that is asked for and the years that are compared."""
        last = self.last()
        count = min(self.count, int(self.parts.get("COUNT", self.count)))
        return list(itertools.islice(
            itertools.takewhile(lambda moment: last is None or moment <= last, moments), count))


def clock_times(parts, start):
    """The clock times that dateutil finds, without COUNT and UNTIL."""
    parts = {name: part for name, part in parts.items() if name not in ("COUNT", "UNTIL")}
    # dateutil searches up to this year.
    datetime.MAXYEAR = start.year + YEARS
    try:
        yield from rrulestr(";".join(f"{name}={part}" for name, part in parts.items()), dtstart=start)
    except ValueError as error:
        # What an interval never meets.
        if "empty" not in str(error):
            raise
    finally:
        datetime.MAXYEAR = 9999


def as_documented(rule):
    """The parts and the start with which dateutil reads a rule as Time.md does."""
    parts, start = dict(rule.parts), rule.start
    if "BYWEEKNO" in parts and not {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} & set(parts):
        parts["BYDAY"] = DAYS[start.weekday()]
    days = parts.get("BYDAY", "").split(",")
    if len({len(day) > 2 for day in days}) > 1:
        most = 53 if rule.frequency == "YEARLY" and "BYMONTH" not in parts else 5
        parts["BYDAY"] = ",".join(day if len(day) > 2 else ",".join(f"{number}{day}" for number in range(1, most + 1))
                                  for day in days)
    if "BYSECOND" in parts:
        parts["BYSECOND"] = ",".join(sorted({str(min(second, 59)) for second in rule.numbers("BYSECOND")}))
    if "BYWEEKNO" in parts or ("BYSETPOS" in parts and rule.frequency == "WEEKLY"):
        # Begin with the whole period.
        parts = {"BYHOUR": start.hour, "BYMINUTE": start.minute, "BYSECOND": start.second, **parts}
        if rule.frequency == "WEEKLY":
            parts.setdefault("BYDAY", DAYS[start.weekday()])
            start = first_of_week(start, rule)
        else:
            start = start.replace(month=1, day=1)
        start = start.replace(hour=0, minute=0, second=0)
    return parts, start


def first_of_week(clock, rule):
    return clock - (clock.weekday() - DAYS.index(rule.parts.get("WKST", "MO"))) % 7 * zones.DAY


def in_weeks(rule, parts, start):
    """The clock times of a rule with BYWEEKNO, whose weeks dateutil confuses at the turn of the year."""
    weeks, positions = set(rule.numbers("BYWEEKNO")), rule.numbers("BYSETPOS")
    bare = {name: part for name, part in parts.items() if name not in ("BYWEEKNO", "BYSETPOS")}
    for _, clocks in itertools.groupby(clock_times(bare, start), key=lambda clock: clock.year):
        found = [clock for clock in clocks if weeks & set(week_numbers(clock, rule))]
        if positions:
            places = {position - 1 if position > 0 else len(found) + position for position in positions
                      if abs(position) <= len(found)}
            found = [found[place] for place in sorted(places)]
        yield from found


def week_numbers(clock, rule):
    """The number of the week in its year, from the front and from the end (ISO 8601, for any first day)."""
    def number(day):
        return ((first_of_week(day, rule) + 3 * zones.DAY).timetuple().tm_yday - 1) // 7 + 1

    year = (first_of_week(clock, rule) + 3 * zones.DAY).year
    return number(clock), number(clock) - number(datetime.datetime(year, 12, 28)) - 1


def on_zone_clock(rule, clocks):
    """The instants of clock times in their order. They are that of the clock but for skipped times, which are later."""
    waiting = set()
    for clock in clocks:
        moment = zones.instants(clock, rule.zone)[0]
        waiting.add(moment)
        for ready in sorted(ready for ready in waiting if ready < moment - zones.DAY):
            waiting.remove(ready)
            yield ready
    yield from sorted(waiting)


def in_steady_time(rule, parts):
    """The instants of a rule shorter than a day while the clock does not change."""
    return (rule.first + (clock - rule.start) for clock in clock_times(parts, rule.start))


def in_real_time(rule, parts):
    """The same over changes of the clock: the frequency counts real time, the other parts test what the clock shows."""
    limits = LIMITS[rule.frequency]
    bare = {name: part for name, part in parts.items() if name not in limits}
    for number, clock in enumerate(clock_times(bare, rule.start)):
        moment = rule.first + (clock - rule.start)
        if number == TRIES:
            rule.horizon = moment
            return
        shown = zones.clock(moment, rule.zone)
        if all(passes(name, parts[name].split(","), shown) for name in limits if name in parts):
            yield moment


def passes(name, values, clock):
    if name == "BYDAY":
        return DAYS[clock.weekday()] in values
    of_month, of_year = clock.day, clock.timetuple().tm_yday
    shown = {
        "BYMONTH": [clock.month], "BYHOUR": [clock.hour], "BYMINUTE": [clock.minute], "BYSECOND": [clock.second],
        "BYMONTHDAY": [of_month, of_month - 1 - calendar.monthrange(clock.year, clock.month)[1]],
        "BYYEARDAY": [of_year, of_year - 366 - calendar.isleap(clock.year)],
    }[name]
    return any(int(value) in shown for value in values)


def with_start(rule, moments):
    """The start comes first and counts, whether the rule yields it or not."""
    return itertools.chain([rule.first], (moment for moment in moments if moment > rule.first))


def documented(rule):
    """None if Time.md does not say it."""
    parts, start = as_documented(rule)
    if not rule.is_elapsed:
        clocks = in_weeks(rule, parts, start) if "BYWEEKNO" in parts else clock_times(parts, start)
        return rule.bounded(with_start(rule, on_zone_clock(rule, clocks)))
    found = rule.bounded(with_start(rule, in_steady_time(rule, parts)))
    changes = zones.changes_within(rule.first, found[-1] if len(found) > 1 else rule.horizon, rule.zone)
    if not changes:
        return found
    offsets = {zones.offset(moment, rule.zone).seconds % 3600 for moment in (rule.first, *changes)}
    if len(offsets) > 1 and rule.frequency == "HOURLY" and "BYMINUTE" in parts:
        return None
    return rule.bounded(with_start(rule, in_real_time(rule, parts)))


def literal(rule):
    """dateutil without any adaptation of the rule; None if it refuses the rule."""
    try:
        if rule.is_elapsed:
            return rule.bounded(with_start(rule, in_steady_time(rule, rule.parts)))
        return rule.bounded(with_start(rule, on_zone_clock(rule, clock_times(rule.parts, rule.start))))
    except ValueError:
        return None


def answers(question):
    """The answers, and up to when they are compared."""
    rule = Rule(question)
    # In this order: the first may lower the horizon.
    return {"dateutil, as documented": documented(rule), "dateutil": literal(rule)}, rule.horizon
