import Testing
import TminusCore
import TminusSinks

@testable import TminusDefinitions

/// A value of one key of one table, in a file without other problems.
struct KeySample: Sendable, CustomTestStringConvertible {
    /// The name of the table in the schema.
    var table: String
    /// The key.
    var key: String
    /// The value as YAML.
    var value: String
    /// The whole file.
    var file: String

    var testDescription: String { "\(table) \(key): \(value)" }

    static let registry = SinkRegistry(StandardSinks.kinds)

    /// A table with its name in the schema.
    struct Named: Sendable, CustomTestStringConvertible {
        var name: String
        var table: KeyTable

        var testDescription: String { name }
    }

    /// All tables, including those of the sinks.
    static let tables =
        DefinitionKeys.tables.map { Named(name: $0.0, table: $0.1) }
        + registry.kinds.map { Named(name: "\($0.kind)-sink", table: SinkPolicy.table(of: $0)) }

    /// Values that decode: examples of each type, all defaults, all examples.
    static let good = tables.flatMap { named in
        named.table.keys.flatMap { key in
            (key.type.good + [key.standard, key.example].compactMap(\.self)).map {
                KeySample(named.name, named.table, key, $0)
            }
        }
    }

    /// Values with a wrong type or form.
    static let bad = tables.flatMap { named in
        named.table.keys.flatMap { key in key.type.bad.map { KeySample(named.name, named.table, key, $0) } }
    }

    private init(_ name: String, _ table: KeyTable, _ key: KeyTable.Key, _ value: String) {
        (self.table, self.key, self.value) = (name, key.name, value)
        var lines = table.keys.filter { $0.isRequired && $0.name != key.name }.map { ($0.name, $0.example ?? "") }
        for rule in table.rules {
            switch rule {
            case .exactlyOne(let names):
                if !names.contains(key.name), let other = names.first.flatMap({ table[$0] }) {
                    lines.append((other.name, other.example ?? ""))
                }
            case .needs(key.name, let other, _, _): lines.append((other, table[other]?.example ?? ""))
            case .needs: break
            }
        }
        if name.hasSuffix("-sink"), let own = table.keys.first, own.name != key.name, !own.isRequired {
            lines.append((own.name, own.example ?? ""))
        }
        lines.append((key.name, value))
        let path: [String] =
            switch name {
            case "file": []
            case "defaults": ["defaults"]
            case "event": ["events", "e"]
            case "timer": ["timers", "t"]
            case "stopwatch": ["stopwatches", "s"]
            case "reminder": ["events", "e", "remind"]
            case "retry": ["sinks", "s", "retry"]
            default: ["sinks", "s"]
            }
        file = path.enumerated().map { String(repeating: " ", count: $0.offset) + "\($0.element):\n" }.joined()
        let indent = String(repeating: " ", count: path.count)
        if name == "reminder" { file = "events:\n e:\n  at: 2026-12-01\n  remind:\n" }
        if name == "retry" { file = "sinks:\n s:\n  shell: \"true\"\n  retry:\n" }
        file += lines.map { "\(indent)\($0.0): \($0.1)\n" }.joined()
    }
}

extension KeyTable.ValueType {
    /// Values that decode, as YAML.
    var good: [String] {
        switch self {
        case .text: ["plain", "\"#quoted\"", "2026", "true", "no", "012", "1.5e3", "'null'", "2026-12-01"]
        case .nothing: ["", "{}"]
        case .boolean: ["true", "false", "\"true\""]
        case .integer(let range):
            [
                "\(range.lowerBound)", "\"\(range.lowerBound)\"", "00\(range.lowerBound)",
                "\(min(range.upperBound, 1 << 40))",
            ]
        case .duration: ["90s", "1h 30m", "1:30:00", "PT1H30M", ".5h", "'  2 minutes '", "1.5d", "2mo"]
        case .lead: ["1 day", "1 month 2 weeks", "P1Y2M3W4DT5H6M7.5S", "0:00:01", "90s"]
        case .dateTime:
            ["2026-12-01", "2026-12-01 09:00", "2026-12-01T09:00:30.25", "2026-12-01T09:00Z", "2026-12-01t09:00-03:30"]
        case .cron: ["30 9 * * MON-FRI", "'*/5 * * * *'", "0 30 9 1,15 * *", "'@daily'", "\" 0 0 29 2 * \""]
        case .recurrence: ["FREQ=DAILY", "freq=weekly;byday=MO,WE;INTERVAL=2", "COUNT=3;FREQ=MONTHLY;BYMONTHDAY=-1"]
        case .zone: ["Europe/Berlin", "UTC", "America/New_York"]
        case .hexColor: ["\"#ff8800\"", "'#ABCDEF'"]
        case .url: ["http://example.com", "HTTPS://user:pw@example.com:8080/a?b=c"]
        case .line: ["./hook.sh --quiet", "true", "5"]
        case .filePath: ["out", "/tmp/out.ndjson", "5"]
        // Not in the config directory, where payloads are refused.
        case .directoryPath: ["..", "/tmp/", "../5"]
        case .secret: ["{ env: NAME }", "{ file: ../secret }", "{ credential: chat }"]
        case .byteCount: ["10 MiB", "1MB", "4096 B", "1.5 GB", "' 2 kB '"]
        case .rate: ["10/min", "1/s", "' 5 / hour '"]
        case .machineLabels: ["[a]", "[zone=eu, a/b_c.d-1]"]
        case .anything: ["x", "5", "[a, { b: c }]", "{ a: { b: [] } }"]
        case .action: ["stdout", "{ shell: ./x.sh }", "{ stdout: , format: json }", "{ exec: [a, b], timeout: 1m }"]
        case .choice(let words): words
        case .oneOrMore(let item): item.good + ["[\(item.good.prefix(2).joined(separator: ", "))]"]
        case .zeroOrMore(let item): item.good + ["[]", "[\(item.good.prefix(2).joined(separator: ", "))]"]
        case .list(let item): ["[]"] + item.good.map { "[\($0)]" }
        case .map(let item): ["", "{}"] + item.good.map { "{ a: \($0) }" }
        case .byID: ["", "{}"]
        case .table(let name): name == "reminder" ? ["{ before: 1 day }", "{ after: 10m, do: [] }"] : ["", "{}"]
        case .keyed(let name, let item): item.good.map { "{ \(name): \($0) }" }
        case .either(let forms): forms.flatMap(\.good)
        }
    }

    /// Values that do not decode, as YAML; only those that a schema can recognize.
    var bad: [String] {
        switch self {
        case .text: ["[a]", "{ a: b }", ""]
        case .nothing: ["x", "[a]", "{ a: b }"]
        case .boolean: ["yes", "1", "[true]", ""]
        case .integer(let range): ["\(range.lowerBound - 1)", "x", "1.5", "[1]", ""]
        case .duration: ["240", "2M", "soon", "0s", "[1h]", "P1M", "1:30", "5 parsecs", "-5m", ""]
        case .lead: ["5", "0m", "'-1 day'", "PT", "1 fortnight", ""]
        case .dateTime:
            ["tomorrow", "2026", "2026-13-01", "09:00", "01.12.2026", "2026-12-01 9:00", "2026-12-01 24:00"]
        case .cron: ["30 9 * *", "daily", "'@reboot'", "'0 9 ? * MON'", "30", "[a]", ""]
        case .recurrence: ["DAILY", "BYDAY=MO", "FREQ=", "FREQ=DAILY;", "[a]", ""]
        case .zone: ["Europe//Berlin", "'+02:00'", "Europe/New York", "[UTC]", "2", ""]
        case .hexColor: ["'#f00'", "ff8800", "[red]"]
        case .url: ["ftp://example.com", "example.com", "'http://'", "8080"]
        case .line: ["'  '", "[a]", ""]
        case .filePath: ["out/", "''", "[a]", ""]
        case .directoryPath: ["''", "[a]", ""]
        case .secret: ["plain", "{}", "{ env: '' }", "{ env: A, file: b }", "{ value: abc }", "[a]", ""]
        case .byteCount: ["10", "0 MB", "-1 MB", "10 parsecs", "[1 MB]", ""]
        case .rate: ["10", "0/s", "10/year", "-1/s", "[1/s]", ""]
        case .machineLabels: ["[]", "backup", "[any]", "[a b]", "[{ a: b }]", "{ a: b }", ""]
        case .anything: []
        case .action:
            ["webhook", "echo hello", "{ shel: x }", "{ shell: a, webhook: http://b }", "{ shell: a, retries: 3 }"]
        case .choice: ["zzzz", "[a]", ""]
        case .oneOrMore(let item): item.inList + ["[]", ""]
        case .zeroOrMore(let item): item.inList + [""]
        case .list(let item): item.inList + ["x", ""]
        case .map(let item): item.bad.map { "{ a: \($0) }" } + ["x", "[a]"]
        case .byID: ["x", "[a]", "{ \"a b\": {} }", "{ a: x }"]
        case .table(let name): name == "reminder" ? ["{ do: stdout }", "{ before: 1m, after: 1m }"] : ["x", "[a]"]
        case .keyed(let name, let item): item.bad.map { "{ \(name): \($0) }" } + ["{}", "{ zzzz: b }"]
        case .either(let forms): forms.flatMap(\.bad).filter { text in !forms.contains { $0.good.contains(text) } }
        }
    }

    private var inList: [String] { bad.filter { !$0.isEmpty }.map { "[\($0)]" } }
}
