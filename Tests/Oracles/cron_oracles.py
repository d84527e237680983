"""What cronsim and croniter answer to a cron question."""

import datetime
import functools
import itertools
import re

import croniter
import cronsim

import zones
from questions import FIELDS, NAMES

MACROS = {"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
          "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *"}


def fields(question):
    return MACROS.get(question["cron"], question["cron"]).split()


def plain(field, kind):
    """A field in which a range of one value, with or without a step, is that value."""
    names, first = NAMES.get(kind, []), FIELDS[kind][0]

    def number(text):
        return names.index(text.lower()) + first if text.lower() in names else int(text)

    return re.sub(r"(\w+)-(\w+)(/\d+)?", lambda found: found[1] if number(found[1]) == number(found[2]) else found[0],
                  field)


def is_fixed(question):
    minute, hour = fields(question)[:2]
    return not minute.startswith("*") and not hour.startswith("*")


def by_cronsim(expression, start):
    try:
        yield from cronsim.CronSim(expression, start)
    except cronsim.CronSimError:
        return


def by_croniter(expression, start):
    try:
        # With `implement_cron_bug`, a day field counts as a star by its first letter, as in Debian's cron.
        found = croniter.croniter(expression, start, datetime.datetime, implement_cron_bug=True)
        while True:
            yield found.get_next()
    except (croniter.CroniterBadCronError, croniter.CroniterBadDateError):
        return


def on_zone_clock(library, question, written):
    """The clock times of a library without a zone, as Time.md puts them on the clock of the zone."""
    name, start, count = question["tz"], zones.instant(question["from"]), question["n"]
    fixed = is_fixed(question)
    found = set()
    for clock in library(" ".join(written), zones.clock(start, name) - margin(start, name)):
        if zones.is_skipped(clock, name):
            moments = [zones.end_of_gap(clock, name)] if fixed else []
        else:
            moments = zones.instants(clock, name)[:1 if fixed else 2]
        found.update(moment for moment in moments if moment > start)
        if len(found) >= count:
            last = sorted(found)[count - 1]
            if zones.instants(clock, name)[0] >= last + margin(last, name):
                break
    return sorted(found)[:count]


@functools.cache
def margin(moment, name):
    """How far clock times near an instant can be out of the order of their instants: as far as the clock changes."""
    near = zones.changes_within(moment - 2 * zones.DAY, moment + 2 * zones.DAY, name)
    return max((abs(zones.offset(change, name) - zones.offset(change - zones.SECOND, name)) for change in near),
               default=datetime.timedelta()) + zones.SECOND


def with_zone(library, question):
    """The answer of a library with its own treatment of changes."""
    start = zones.instant(question["from"]).astimezone(zones.zone(question["tz"]))
    found = itertools.islice(library(" ".join(fields(question)), start), question["n"])
    return [moment.astimezone(zones.UTC) for moment in found]


def answers(question):
    """The answers, and up to when they are compared: the libraries give up after 50 years without any."""
    start = zones.instant(question["from"])
    documented = [plain(field, kind) for kind, field in zip(FIELDS, fields(question), strict=True)]
    found = {
        "cronsim, as documented": on_zone_clock(by_cronsim, question, documented),
        "croniter, clock times": on_zone_clock(by_croniter, question, fields(question)),
        "croniter": with_zone(by_croniter, question),
    }
    # Where clocks were set back at 00:01, cronsim may search without an end.
    if question["tz"] != "America/St_Johns" or start.year > 2011:
        found["cronsim"] = with_zone(by_cronsim, question)
    return found, start.replace(year=start.year + 49, day=1)
