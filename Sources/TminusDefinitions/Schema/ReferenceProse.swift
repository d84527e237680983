/// The prose of the reference around its tables.
package enum ReferenceProse {
    /// The sample file at the beginning of the reference; a test decodes it.
    package static let sample = """
        # yaml-language-server: $schema=tminus.schema.json
        defaults:
          timezone: Europe/Berlin

        sinks:
          team-chat:
            webhook: https://chat.example.com/hooks/tminus
            timeout: 10s
          audit:
            webhook-file: ../var/deliveries.ndjson

        events:
          launch:
            name: Product launch
            description: Version 2 goes public.
            at: 2026-12-01 09:00
            remind: [1 week, 1 day, 1 hour, 30 minutes, 5 minutes]
            on-reminder: [stdout, team-chat]
            on-expiry:
              - team-chat
              - audit
              - shell: ./hooks/launch.sh
                timeout: 2 minutes
          stand-up:
            name: Daily stand-up
            cron: 30 9 * * MON-FRI
            remind: 5 minutes
          payday:
            rrule: FREQ=MONTHLY;BYMONTHDAY=-1
            start: 2026-01-31 12:00

        timers:
          tea:
            duration: 4m
          fitting:
            duration: 2h
            start: manual
            remind: [1 hour, 30 minutes, 5 minutes]
          refresh-prices:
            duration: 60s
            repeat: after-action
            on-expiry: { shell: ./hooks/refresh.sh }

        stopwatches:
          workout:
            name: Workout
            at-elapsed: [30m]

        """

    static let introduction = """
        # Configuration

        Every key of a definition file, its values and its default.

        <!-- Written from the tables that decode the files: `make docs`. Edit Sources/TminusDefinitions/Keys, the options of a sink, or
        Sources/TminusDefinitions/Schema/ReferenceProse.swift instead. -->
        """

    static let files = """
        ## Files

        tminus reads every `*.yaml`, `*.yml` and `*.json` file below the directory, except for names that begin with `.` or `#`, or end in
        `~` or `.schema.json`. A file is one mapping. Ids have 1 to 64 of the characters `A-Z a-z 0-9 . _ -`, other than `.` and `..`, and are unique in the whole directory. Paths are
        relative to the directory of the file that contains them.

        YAML is a subset: mappings, lists, plain and quoted and block scalars, comments. Anchors, aliases, tags, merge keys, several
        documents and duplicate keys are errors. **A scalar gets its type from the key, never from its spelling**: `name: no` is the name
        `no`, `duration: 1:30:00` is a clock, `count: 012` is twelve. JSON is RFC 8259; the keys are the same.

        If a file has an error, its last good content stays in force. All other files are applied.
        """

    static let sinks = """
        A sink is a mapping with exactly one key that names its kind, and the options of that kind beside it. Declare it under `sinks`
        with an id, or write it inside an action. Actions in every file of the directory may use the id, which must not be the name of
        a kind. `tminus check` and the daemon warn if a program, an environment variable, a file or a directory is missing that a sink
        needs; with `--strict` that is an error. All kinds have these options:
        """

    static let values = """
        ## Values

        | value | forms |
        | --- | --- |
        | action | the id of a sink; `stdout`; or a sink such as `{ shell: ./hook.sh, timeout: 1m }` or `{ stdout: , format: json }` |
        | duration | `90s`, `1h 30m`, `1:30:00`, `PT1H30M`; longer than zero, at most 200 years. A number without a unit is an error |
        | lead time | the same; years, months, weeks and days are units of the calendar in the zone of the event: `1 month`, `2 weeks 1 day` |
        | units | `us` `ms` `s` `m` `h` `d` `w` `mo` `y`, or `seconds`, `minutes`, `hours`, `days`, `weeks`, `months`, `years`; `m` is a minute. `M` for a month, as in systemd, is an error in a duration and a warning in a lead time |
        | date and time | `2026-12-01 09:00`, `2026-12-01T09:00:30`, a date alone (midnight), or with an offset, `2026-12-01T09:00Z`, `2026-12-01T09:00+01:00`; years 1900 to 2200 |
        | cron expression | `minute hour day-of-month month day-of-week`, as in Debian's crontab(5): numbers, names, `*`, ranges, lists, steps; with six fields the first is the second; `@yearly`, `@monthly`, `@weekly`, `@daily`, `@hourly`. One that begins with `*` or `@` needs quotes |
        | recurrence rule | the value of an RRULE (RFC 5545 section 3.3.10): `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR` |
        | time zone | an IANA name such as `Europe/Berlin` or `UTC` |
        | secret | its source: `{ env: NAME }`, `{ file: path }` or `{ credential: name }` (systemd); read at each use, shown nowhere |
        | size | `500 kB`, `10 MiB`: `B`, `kB`, `MB`, `GB`, `TB` by 1,000 and `KiB`, `MiB`, `GiB`, `TiB` by 1,024 |
        | rate | a number and `s`, `min`, `h` or `day`: `10/min`, `100/s` |
        | text | any scalar; one that begins with a sign of YAML such as `#`, `*`, `@`, `{`, or that holds `: `, needs quotes |
        """

    static let editors = """
        ## Editors

        `tminus schema` prints a JSON Schema (draft 2020-12) made from the same tables. `Examples/tminus.schema.json` is a copy of it. An editor
        with yaml-language-server reads it by the first line of a file:

        ```yaml
        # yaml-language-server: $schema=../Examples/tminus.schema.json
        ```

        In a JSON file, write `"$schema": "./tminus.schema.json"` at the top. tminus ignores files whose names end in `.schema.json`, so the
        schema may be in the config directory.

        A validator sees the values that its YAML parser produced, not the text. The schema is written for YAML 1.2, as read by
        yaml-language-server and check-jsonschema, and accepts the types that a parser may give to a scalar:

        - where tminus expects text, numbers and truth values are valid too (`name: 2026`, `name: true`);
        - whole numbers and truth values may also be quoted (`count: "3"`);
        - durations, lead times, dates and times are strings, so `duration: 240` is reported; `1:30:00` and `2026-12-01` are strings in
          YAML 1.2, and need quotes only for a tool that reads YAML 1.1;
        - an empty value is null: an error for most keys. tminus takes a plain `null` or `~` as text, the schema does not: use quotes.

        A schema cannot see everything: `tminus check` also finds duplicate ids, unknown sinks and time zones, days that do not
        exist, and says what to write instead.
        """

    static func title(of table: String) -> String {
        switch table {
        case "file": "The file"
        case "defaults": "Defaults"
        case "event": "Events"
        case "timer": "Timers"
        case "stopwatch": "Stopwatches"
        case "reminder": "Reminders"
        case "retry": "Retry"
        default: table
        }
    }

    static func noun(_ table: String) -> String {
        switch table {
        case "defaults": "[defaults](#Defaults)"
        case "event": "[event](#Events)"
        case "timer": "[timer](#Timers)"
        case "stopwatch": "[stopwatch](#Stopwatches)"
        case "reminder": "[reminder](#Reminders)"
        case "sink": "[sink](#Sinks)"
        case "retry": "[retry](#Retry)"
        default: table
        }
    }

    static func section(_ table: String) -> String? {
        switch table {
        case "defaults":
            "The defaults of all definitions in the same file. Defaults in `tminus.yaml` (or `.yml`, `.json`) at the root of the directory "
                + "apply to all files, and each file can override them."
        case "event": "A point on the calendar."
        case "timer": "A countdown of a fixed length."
        case "stopwatch": "Counts the time since its start, except for the time while it is stopped."
        case "reminder":
            "An item of `remind` that is more than a lead time: a reminder after the occurrence, or one with its own actions."
        default: nil
        }
    }
}
