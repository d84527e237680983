import Foundation
import Testing
import TminusControl
import TminusCore
import TminusDefinitions
import TminusSinks
import TminusSystem

@testable import TminusTooling

@Suite("Import of a crontab")
struct CrontabImportTests {
    private static let zones = SystemZoneDatabase(.init(directory: "/usr/share/zoneinfo", setting: "UTC"))
    private static let sinks: [any Sink.Type] = [ShellSink.self, ExecSink.self]
    /// 2026-11-24 12:00 UTC.
    private static let now = Timestamp(seconds: 1_795_521_600)

    private func read(
        _ crontab: String, system: Bool = false, approximates: Bool = false
    ) throws -> CrontabImport {
        try read(Array(crontab.utf8), system: system, approximates: approximates)
    }

    private func read(_ crontab: [UInt8], system: Bool = false, approximates: Bool = false) throws -> CrontabImport {
        try CrontabImport(
            of: crontab,
            .init(user: "ada", home: "/home/ada", isSystem: system, approximates: approximates), now: Self.now,
            zones: Self.zones, sinks: Self.sinks, slug: DefinitionSlug.of)
    }

    /// The triggers of the events of a file, by their ids.
    private func triggers(_ yaml: String) throws -> [String: Trigger] {
        var loader = DefinitionLoader(zones: Self.zones, sinks: SinkRegistry(Self.sinks), displayRoot: "")
        let file = SourceFile(path: "a.yaml", content: .bytes(Array(yaml.utf8)))
        let result = loader.load(DirectoryContents(root: "/", files: [file]), now: Self.now)
        #expect(result.isClean, "\(result.diagnostics)")
        var triggers: [String: Trigger] = [:]
        for (id, definition) in result.set.definitions {
            if case .event(let event) = definition.schedule { triggers[id.rawValue] = event.trigger }
        }
        return triggers
    }

    private func instants(_ trigger: Trigger, after start: Timestamp, count: Int) -> [Timestamp] {
        var result: [Timestamp] = []
        while result.count < count, let next = trigger.next(after: result.last ?? start) { result.append(next) }
        return result
    }

    private func body(_ yaml: String) -> String {
        yaml.replacing("defaults: { catch-up: none, overlap: allow, dst: compatible }\n\nevents:\n", with: "")
    }

    // MARK: - All forms

    @Test("a crontab of 200 lines of all forms is imported, or each line left out is named with its reason")
    func allForms() throws {
        let crontab = try Golden.bytes("all-forms.crontab")
        #expect(crontab.count { $0 == UInt8(ascii: "\n") } == 200)
        let exact = try read(crontab)
        try Golden.compare(exact.yaml, with: "all-forms.yaml")
        try Golden.compare(exact.report(on: "crontab") + exact.summary + "\n", with: "all-forms.txt")
        let near = try read(crontab, approximates: true)
        try Golden.compare(near.report(on: "crontab") + near.summary + "\n", with: "all-forms-approximate.txt")

        // Each line is blank, a comment, a variable, an event, or reported.
        let told = Set(exact.remarks.map(\.line) + exact.jobs.map(\.line))
        for (index, line) in crontab.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where !told.contains(index + 1) {
            let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            #expect(text.isEmpty || text.hasPrefix("#") || text.contains("="), "line \(index + 1): \(text)")
        }
    }

    /// Instants at which the clock of a zone changes. In St. John's it did so at 00:01 until 2011.
    private static let clockChanges = [
        "America/St_Johns": ["2011-03-13T03:31:00Z", "2010-11-07T02:31:00Z"],
        "Australia/Lord_Howe": ["2027-10-02T15:30:00Z", "2027-04-03T15:00:00Z"],
        "Europe/Berlin": ["2027-03-28T01:00:00Z", "2027-10-31T01:00:00Z"],
    ]

    @Test(
        "the first 50 instants of each line are those of an independent reading, in a zone also around clock changes"
    )
    func firstInstants() throws {
        let crontab = try Golden.bytes("all-forms.crontab")
        let lines = crontab.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let imported = try read(crontab)
        let triggers = try triggers(imported.yaml)
        for job in imported.jobs {
            let trigger = try #require(triggers[job.id])
            let reading = try #require(PlainCron(lines[job.line - 1]), "\(job)")
            guard let name = zoneName(above: job.line, in: lines) else {
                let expected = reading.instants(after: Self.now, count: 50)
                #expect(expected.count == 50 && instants(trigger, after: Self.now, count: 50) == expected, "\(job)")
                continue
            }
            let zone = try #require(TimeZone(identifier: name), "\(name)")
            for start in try [Self.now] + starts(in: zone, name) {
                let expected = reading.instants(after: start, count: 50, in: zone)
                #expect(
                    expected.count == 50 && instants(trigger, after: start, count: 50) == expected,
                    "\(job) after \(start.rfc3339)")
            }
        }
        #expect(imported.jobs.count == 100)
        #expect(imported.jobs.count { zoneName(above: $0.line, in: lines) != nil } == 6)
    }

    /// The zone that the last `CRON_TZ` above a line names, read by hand; nil if it is that of the machine, here UTC.
    private func zoneName(above line: Int, in lines: [String]) -> String? {
        let setting = lines.prefix(line - 1).last { $0.hasPrefix("CRON_TZ") } ?? ""
        let name = setting.drop { $0 != "=" }.filter { $0 != "=" && $0 != " " && $0 != "\"" }
        return name.isEmpty ? nil : String(name)
    }

    /// A day before each change of the clock, and a quarter of an hour after it, where the clock may repeat a time.
    private func starts(in zone: TimeZone, _ name: String) throws -> [Timestamp] {
        try #require(Self.clockChanges[name]).flatMap { text in
            let change = try instant(text)
            let second = Date(timeIntervalSince1970: TimeInterval(change.nanoseconds / 1_000_000_000))
            #expect(zone.secondsFromGMT(for: second) != zone.secondsFromGMT(for: second - 1), "\(name) \(text)")
            return [change.advanced(by: .seconds(-86_400)), change.advanced(by: .seconds(900))]
        }
    }

    @Test(
        "instants in the zone of CRON_TZ are those that Debian's cron gives",
        arguments: [("cron_basic", 620), ("cron_debian_rules", 77), ("cron_dst", 285), ("cron_public", 53)])
    func vectors(name: String, count: Int) throws {
        struct Vector: Decodable {
            var expr: String
            var tz: String
            var from: String
            var next: [String]
        }
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("TminusSystemTests/Vectors/\(name).jsonl")
        let vectors = try Data(contentsOf: path).split(separator: 0x0A).map {
            try JSONDecoder().decode(Vector.self, from: Data($0))
        }
        #expect(vectors.count == count)
        let imported = try read(vectors.map { "CRON_TZ=\($0.tz)\n\($0.expr) job\n" }.joined())
        #expect(imported.remarks == [] && imported.jobs.count == count)
        let triggers = try triggers(imported.yaml)
        for (vector, job) in zip(vectors, imported.jobs) {
            let trigger = try #require(triggers[job.id])
            let found = instants(trigger, after: try instant(vector.from), count: vector.next.count)
            #expect(try found == vector.next.map(instant), "\(vector)")
        }
    }

    private func instant(_ text: String) throws -> Timestamp {
        guard case .instant(let instant) = try DateTimeText.parse(text).get() else { throw CocoaError(.formatting) }
        return instant
    }

    // MARK: - Commands and variables

    @Test("a command runs in the home directory with cron's variables, without a time limit or a payload on its input")
    func manner() throws {
        let imported = try read("0 1 * * * /opt/run now\n")
        #expect(
            imported.yaml == """
                defaults: { catch-up: none, overlap: allow, dst: compatible }

                events:
                  run-now:
                    cron: "0 1 * * *"
                    on-expiry:
                      shell: exec </dev/null; /opt/run now
                      directory: /home/ada
                      environment: { PATH: /usr/bin:/bin, SHELL: /bin/sh }
                      timeout: 365 days
                      max-concurrent: 256
                      retry: { limit: 1 }

                """)
        #expect(imported.isComplete && imported.summary == "1 job imported")
    }

    @Test("variables hold for the lines below them; another SHELL runs the command")
    func variables() throws {
        let yaml = try read(
            "0 1 * * * a\nSHELL=/bin/bash\nHOME = '/srv'\nX=\" 1 \"\n0 2 * * * b\nCRON_TZ=Asia/Tokyo\n0 3 * * * c\n"
        ).yaml
        let parts = yaml.components(separatedBy: "\n\n")
        #expect(parts[1].contains("shell: exec </dev/null; a\n") && !parts[1].contains("X"))
        #expect(parts[2].contains(#"exec: [/bin/sh, "-c", exec "$0" -c "$1" </dev/null, /bin/bash, b]"#))
        #expect(parts[2].contains("directory: /srv\n") && parts[2].contains(#"X: " 1 ""#))
        #expect(!parts[2].contains("timezone") && parts[3].contains("timezone: Asia/Tokyo\n"))
    }

    @Test("a backslash before a percent sign goes away, every other one stays")
    func percent() throws {
        let yaml = body(try read(#"0 1 * * * date +\%F '\n' \\"# + "\n").yaml)
        #expect(yaml.contains(#"shell: exec </dev/null; date +%F '\n' \\"#), "\(yaml)")
    }

    @Test("text of a crontab is never more than one value of the file")
    func hostile() throws {
        let imported = try read(
            "enabled=x: { }\ncount=1 }, evil: {\nretry=*a\n0 1 * * * a\n# events: { evil: { at: 2030-01-01 } }\n0 2 * * * \"\n"
        )
        #expect(imported.isComplete)
        #expect(try triggers(imported.yaml).keys.sorted() == ["a", "events-evil-at-2030-01-01"])
    }

    // MARK: - Ids

    @Test("ids come from the comment above, else from the command; equal ones are numbered")
    func ids() throws {
        let imported = try read(
            """
            # Nightly backup
            0 1 * * * /opt/backup
            0 2 * * * /opt/backup --all /srv/data >/dev/null
            0 3 * * * /opt/backup --all /srv/data
            #0 4 * * * /opt/off
            0 5 * * * $COMMAND
            # m h dom mon dow command
            0 6 * * * $COMMAND

            """)
        #expect(imported.jobs.map(\.id) == ["nightly-backup", "backup-all-data", "backup-all-data-2", "job", "job-2"])
        #expect(imported.jobs.map(\.line) == [2, 3, 4, 6, 8])
        #expect(imported.yaml.contains("name: Nightly backup\n"))
    }

    // MARK: - Refusals

    @Test(
        "a line that is not exact is left out with its reason",
        arguments: [
            ("@reboot a", "@reboot is not a time; start the command with a unit of systemd"),
            (
                "MAILTO=ada",
                "tminus sends no mail; 'tminus deliveries' shows the output of a command, 'on-failure' reports failures"
            ),
            ("0 1 * * * a%b", "it has input after '%'; --approximate passes it through a pipe"),
            ("0 1 1~x * * a", "'~' must stand between two numbers of its field"),
            ("RANDOM_DELAY=5", "cron draws the delay at random; give the events a 'jitter'"),
            ("CRON_TZ=Mars/Olympus", "there is no time zone 'Mars/Olympus', which CRON_TZ names"),
            ("HOME=here", "HOME must be an absolute path"), ("SHELL=sh", "SHELL must be an absolute path"),
            ("1x=2", "the name of a variable does not begin with a digit"),
            ("0 0 31 2 * a", "never fires: none of its months has a day 31"),
            ("60 * * * * a", "60 is out of range for the minute field: 0–59"),
            ("0 1 * * *", "it is neither a variable nor five fields and a command"),
            ("@daily", "there is no command"), ("0 1 * * * %a", "the command is empty"),
            ("0 1 * * * a\r", "it ends with a carriage return, which cron would pass to the command"),
            ("0 1 * * * \0", "it has a NUL"),
        ])
    func leftOut(line: String, reason: String) throws {
        let imported = try read("0 1 * * * first\n\(line)\n")
        #expect(imported.remarks == [.init(line: 2, isApproximated: false, text: reason)])
        #expect(imported.jobs.map(\.id) == ["first"] && !imported.isComplete)
        #expect(imported.report(on: "c") == "c:2: left out: \(reason)\n")
    }

    @Test("bytes that are not UTF-8 are left out; so are all jobs below an unknown zone")
    func others() throws {
        #expect(try read([0x23, 0xFF, 0x0A]).remarks.map(\.text) == ["it is not UTF-8"])
        let imported = try read("CRON_TZ=No/Where\n0 1 * * * a\nCRON_TZ=UTC\n0 1 * * * b\n")
        #expect(imported.remarks.map(\.line) == [1, 2] && imported.jobs.map(\.id) == ["b"])
    }

    @Test("of a system crontab only the jobs of the user are imported")
    func system() throws {
        let imported = try read("0 1 * * * ada a\n0 2 * * * root b\n@daily ada c\n0 3 * * * ada\n", system: true)
        #expect(imported.jobs.map(\.id) == ["a", "c"])
        #expect(
            imported.remarks.map(\.text) == [
                "it runs as 'root'; import it for that user with --user, into a daemon of theirs",
                "it is neither a variable nor five fields, a user and a command",
            ])
    }

    // MARK: - Approximations

    @Test("--approximate draws '~' once, the same for each import, and pipes the input into the command")
    func approximations() throws {
        let crontab = "0~59 3 * * * a\n10~10 ~ * * * b\n0 1 * * * mail -s x y%Dear \\%,%%bye\n"
        let imported = try read(crontab, approximates: true)
        #expect(imported.isComplete && imported.remarks.allSatisfy(\.isApproximated))
        #expect(imported.summary == "3 jobs imported (3 approximated)")
        #expect(try read(crontab, approximates: true).yaml == imported.yaml)
        #expect(
            imported.yaml.contains(
                #"exec: [/bin/sh, "-c", printf %s "$2" | "$0" -c "$1", /bin/sh, mail -s x y, "Dear %,\n\nbye\n"]"#),
            "\(imported.yaml)")
        #expect(try read("0 1 * * * a%b\n0~5 1 * * * c\n").jobs.isEmpty)
        for seed in 0..<200 {
            let fixed = try #require(CrontabRandomRange.fixed("5~7 * 1,20~ * *", seed: "\(seed)")).split(separator: " ")
            #expect((5...7).contains(Int(fixed[0]) ?? 0) && fixed[2].hasPrefix("1,"))
            #expect((20...31).contains(Int(fixed[2].dropFirst(2)) ?? 0))
        }
    }

    @Test("an empty crontab gives a file without events")
    func empty() throws {
        #expect(try read("").yaml == "defaults: { catch-up: none, overlap: allow, dst: compatible }\n\nevents: {}\n")
        #expect(try read("# nothing\n\n").summary == "0 jobs imported")
    }
}
