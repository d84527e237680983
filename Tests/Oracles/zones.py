"""Clock times and instants in a zone, by Python's zoneinfo."""

import datetime
import functools
import zoneinfo

UTC = datetime.UTC
DAY = datetime.timedelta(days=1)
SECOND = datetime.timedelta(seconds=1)


def use_system_zones(directory):
    zoneinfo.reset_tzpath([directory])


@functools.cache
def zone(name):
    return zoneinfo.ZoneInfo(name)


def instant(text):
    return datetime.datetime.fromisoformat(text)


def written(moment):
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def instants(clock, name):
    """The first and the second instant of a clock time. If it is skipped, the first uses the offset before the gap."""
    return [clock.replace(tzinfo=zone(name), fold=fold).astimezone(UTC) for fold in (0, 1)]


def is_skipped(clock, name):
    first, second = instants(clock, name)
    return second < first


def is_repeated(clock, name):
    first, second = instants(clock, name)
    return first < second


def clock(moment, name):
    """What the clock of the zone shows."""
    return moment.astimezone(zone(name)).replace(tzinfo=None, fold=0)


def offset(moment, name):
    return moment.astimezone(zone(name)).utcoffset()


def change_between(low, high, name):
    """The first instant with another offset than at `low`. At `high` the offset is another one."""
    before = offset(low, name)
    while high - low > SECOND:
        middle = low + (high - low) // 2 // SECOND * SECOND
        if offset(middle, name) == before:
            low = middle
        else:
            high = middle
    return high


@functools.cache
def changes(name, year):
    """The instants of a year at which the offset changes, if no two are on one day."""
    found = []
    moment = datetime.datetime(year, 1, 1, tzinfo=UTC)
    while moment.year == year:
        if offset(moment, name) != offset(moment + DAY, name):
            found.append(change_between(moment, moment + DAY, name))
        moment += DAY
    return found


def changes_within(first, last, name):
    years = range(first.year, last.year + 1)
    return [change for year in years for change in changes(name, year) if first < change <= last]


def end_of_gap(skipped, name):
    """The first instant after the gap in which a clock time is."""
    first, second = instants(skipped, name)
    return change_between(second - SECOND, first, name)
