"""Random questions for `tminus next --batch`."""

import datetime
import random

import zones

ZONES = [
    "UTC", "Africa/Cairo", "Africa/Casablanca", "Africa/Johannesburg", "America/Asuncion", "America/Caracas",
    "America/Havana", "America/New_York", "America/Nuuk", "America/Santiago", "America/Sao_Paulo", "America/St_Johns",
    "Antarctica/Troll", "Asia/Amman", "Asia/Beirut", "Asia/Gaza", "Asia/Kathmandu", "Asia/Pyongyang", "Asia/Tehran",
    "Asia/Tokyo", "Atlantic/Azores", "Australia/Lord_Howe", "Australia/Sydney", "Europe/Berlin", "Europe/Dublin",
    "Europe/Lisbon", "Europe/London", "Europe/Moscow", "Pacific/Apia", "Pacific/Auckland", "Pacific/Chatham",
    "Pacific/Norfolk",
]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
NAMES = {"month": ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
         "weekday": ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]}
FIELDS = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 7)}
# The frequencies shorter than a day, with the parts that add times to a period.
TIMES = {"HOURLY": ["BYMINUTE", "BYSECOND"], "MINUTELY": ["BYSECOND"], "SECONDLY": []}


def draw(seed, number, kinds):
    """Question `number` of a seed: it does not depend on how many there are."""
    chance = random.Random(f"{seed}-{number}")
    kind = chance.choices(kinds, [KINDS[kind][1] for kind in kinds])[0]
    return {"id": number, **KINDS[kind][0](chance)}


def kind_of(question):
    return "reminder" if "before" in question else next(kind for kind in ("cron", "rrule", "at") if kind in question)


def some(chance, values, most):
    return sorted(chance.sample(list(values), min(len(values), chance.randint(1, most))))


def moment_near_change(chance, name, years, hours):
    """An instant within some hours of a change of the offset, if the zone has one in that year."""
    year = chance.randint(*years)
    changes = zones.changes(name, year)
    if changes and chance.random() < 0.7:
        return chance.choice(changes) + zones.SECOND * chance.randint(-3600 * hours, 3600 * hours)
    return datetime.datetime(year, 1, 1, tzinfo=zones.UTC) + zones.SECOND * chance.randrange(31_536_000)


# Cron

def cron(chance):
    name = chance.choice(ZONES)
    start = moment_near_change(chance, name, (1971, 2060), chance.choice([4, 24, 72]))
    text = expression(chance)
    if chance.random() < 0.5 and (changes := zones.changes(name, start.year)):
        change = chance.choice(changes)
        start = change - zones.SECOND * chance.randint(-7200, 100_000)
        text = expression_at(chance, zones.clock(change - zones.SECOND, name).hour)
    if chance.random() < 0.5:
        start = start.replace(second=0)
    return {"cron": text, "tz": name, "from": zones.written(start), "n": chance.randint(2, 7)}


def expression(chance):
    if chance.random() < 0.04:
        return chance.choice(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"])
    stars = {"minute": 0.2, "hour": 0.3, "day": 0.6, "month": 0.8, "weekday": 0.6}
    fields = ["*" if chance.random() < stars[kind] else field(chance, kind) for kind in FIELDS]
    return chance.choice([" ", " ", " ", "  ", "\t"]).join(fields)


def expression_at(chance, hour):
    """An expression for the hours around the one in which the clock changes."""
    hours = {(hour + shift) % 24 for shift in chance.sample(range(-1, 3), chance.randint(1, 3))}
    fields = [chance.choice(["*", field(chance, "minute"), field(chance, "minute")]),
              ",".join(chance.choice(["*/12,", "", "", ""]) + str(hour) for hour in sorted(hours)), "*", "*",
              "*" if chance.random() < 0.7 else field(chance, "weekday")]
    return " ".join(fields)


def field(chance, kind):
    return ",".join(item(chance, kind) for _ in range(chance.choice([1, 1, 1, 2, 3])))


def item(chance, kind):
    low, high = FIELDS[kind]
    if kind == "hour" and chance.random() < 0.5:
        # Where clocks change.
        high = 4
    first, last = sorted((chance.randint(low, high), chance.randint(low, high)))
    form = chance.choices(["number", "range", "step of range", "step"], [5, 2, 1, 2])[0]
    step = f"/{chance.randint(1, max(2, high // 2))}"
    if form == "step":
        return "*" + step
    if form == "number":
        return value(chance, kind, first)
    return f"{value(chance, kind, first)}-{value(chance, kind, last)}" + (step if form == "step of range" else "")


def value(chance, kind, number):
    names = NAMES.get(kind)
    # Sunday at the end of a range is a 7.
    if not names or number == 7 or chance.random() < 0.6:
        return f"{number:02}" if chance.random() < 0.1 else str(number)
    return chance.choice([str.lower, str.upper, str.capitalize])(names[number - FIELDS[kind][0]])


# Recurrence rules

def rrule(chance):
    name = chance.choice(ZONES)
    # Some days before a change, often at the time of day at which the clock changes.
    start = zones.clock(moment_near_change(chance, name, (1971, 2060), chance.choice([1, 72])) - zones.DAY, name)
    start -= chance.choice([-1, 0, 1, 6, 13]) * zones.DAY
    if chance.random() < 0.7:
        start = start.replace(second=0)
    frequency = chance.choices(
        ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", *TIMES], [26, 24, 18, 16, 10, 5, 1])[0]
    parts = {"FREQ": frequency}
    if chance.random() < 0.4:
        parts["INTERVAL"] = chance.choice([1, 2, 2, 3, 4, 5, 6, 7, 10, 12, 24])
    parts |= by_parts(chance, frequency)
    if chance.random() < 0.25:
        parts["WKST"] = chance.choice(DAYS)
    number = chance.randint(2, 8)
    is_day = frequency not in TIMES and chance.random() < 0.08
    if is_day:
        start = start.replace(hour=0, minute=0, second=0)
        parts = {name: part for name, part in parts.items() if name not in ("BYHOUR", "BYMINUTE", "BYSECOND")}
        if not set(parts) - {"FREQ", "INTERVAL", "WKST", "BYSETPOS"}:
            parts.pop("BYSETPOS", None)
    if chance.random() < 0.3:
        parts["COUNT"] = chance.randint(1, 6)
    elif chance.random() < 0.3:
        end = start + LENGTHS[frequency] * chance.randint(1, 8)
        form = "%Y%m%d" if is_day else chance.choice(["%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S"])
        parts["UNTIL"] = end.strftime(form)
    rule = list(parts.items())
    if chance.random() < 0.2:
        chance.shuffle(rule)
    return {"rrule": ";".join(f"{name}={part}" for name, part in rule), "tz": name, "n": number,
            "start": start.date().isoformat() if is_day else start.isoformat()}


LENGTHS = {name: datetime.timedelta(seconds=length) for name, length in [
    ("YEARLY", 31_600_000), ("MONTHLY", 2_700_000), ("WEEKLY", 604_800), ("DAILY", 86_400), ("HOURLY", 3_600),
    ("MINUTELY", 60), ("SECONDLY", 1)]}


def by_parts(chance, frequency):
    """Those that RFC 5545 allows with the frequency."""
    parts = {}

    def maybe(probability, name, values):
        if chance.random() < probability:
            parts[name] = ",".join(map(str, values()))

    def signed(most, length):
        return [number if chance.random() < 0.7 else -number for number in some(chance, range(1, most + 1), length)]

    by_day = frequency in TIMES
    maybe(0.1 if by_day else 0.3, "BYMONTH", lambda: some(chance, range(1, 13), 3))
    if frequency == "YEARLY":
        maybe(0.2, "BYWEEKNO", lambda: chance.choice([signed(53, 3), [chance.choice([1, 52, 53, -1, -53])]]))
    if frequency in ("YEARLY", *TIMES):
        maybe(0.05 if by_day else 0.2, "BYYEARDAY", lambda: signed(366, 3))
    if frequency != "WEEKLY":
        maybe(0.1 if by_day else 0.3, "BYMONTHDAY", lambda: signed(31, 4))
    numbered = frequency in ("MONTHLY", "YEARLY") and "BYWEEKNO" not in parts
    most = 5 if frequency == "MONTHLY" or "BYMONTH" in parts else 53

    def weekday(day):
        if not numbered or chance.random() < 0.5:
            return day
        return f"{chance.choice(['', '+', '-'])}{chance.randint(1, chance.choice([most, 5]))}{day}"

    maybe(0.15 if by_day else 0.45, "BYDAY", lambda: map(weekday, chance.sample(DAYS, chance.randint(1, 4))))
    maybe(0.2, "BYHOUR", lambda: some(chance, range(chance.choice([4, 24])), 4 if not by_day else 12))
    maybe(0.2, "BYMINUTE", lambda: some(chance, range(60), 3 if frequency != "MINUTELY" else 30))
    maybe(0.1, "BYSECOND", lambda: some(chance, range(61), 3))
    if not by_day and parts:
        maybe(0.25, "BYSETPOS", lambda: signed(chance.choice([3, 3, 12]), 2))
    elif any(name in parts for name in TIMES.get(frequency, [])):
        # Each period has at least this one.
        maybe(0.25, "BYSETPOS", lambda: [chance.choice([1, -1])])
    return parts


# Dates

def at(chance):
    name = chance.choice(ZONES)
    moment = moment_near_change(chance, name, (1901, 2199), 3)
    # The clock before the change, so that also skipped times are drawn.
    shown = zones.clock(moment - zones.DAY, name) + zones.DAY
    if chance.random() < 0.4:
        shown = shown.replace(minute=chance.choice([0, 0, 30, 59]), second=chance.choice([0, 0, 59]))
    question = {"at": shown.isoformat(), "tz": name, "n": 2}
    if chance.random() < 0.3:
        question["dst"] = chance.choice(["compatible", "skip", "both"])
    return question


def reminder(chance):
    question = at(chance)
    question.pop("dst", None)
    units = [("month", 14), ("week", 8), ("day", 40), ("hour", 60), ("minute", 200), ("second", 5000)]
    chosen = [unit for unit in units if chance.random() < 0.3] or [units[2]]
    lengths = [(unit, chance.randint(1, most)) for unit, most in chosen]
    return {**question, "before": " ".join(f"{count} {unit}{'s' * (count > 1)}" for unit, count in lengths)}


# Each kind with its share.
KINDS = {"cron": (cron, 40), "rrule": (rrule, 40), "at": (at, 12), "reminder": (reminder, 8)}
