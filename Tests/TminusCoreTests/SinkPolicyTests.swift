import Testing
import TminusTestKit

@testable import TminusCore

@Suite("Options of every kind of sink")
struct SinkPolicyTests {
    private let recording = Recording()

    private func make(_ options: [(String, Node.Content)], _ diagnostics: DiagnosticBag) -> ConfiguredSink? {
        var spec = recording.spec(name: "s")
        guard case .mapping(let entries) = spec.options.content else { return nil }
        spec.options = Node(.mapping(entries + options.map { Node.Entry(key: $0.0, value: Node($0.1)) }))
        return SinkRegistry([RecordingSink.self]).make(spec, root: "/", reporting: diagnostics)
    }

    private func mapping(_ entries: [(String, String)]) -> Node.Content {
        .mapping(entries.map { Node.Entry(key: $0.0, value: Node(.scalar($0.1))) })
    }

    @Test("a sink without options has the standard policy")
    func standard() throws {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        #expect(try #require(make([], diagnostics)).policy == SinkPolicy())
        #expect(!diagnostics.hasErrors)
    }

    private func spec(_ options: [(String, Node.Content)], usual: SinkPlace? = nil) -> SinkSpec {
        let entries = options.map { Node.Entry(key: $0.0, value: Node($0.1)) }
        return SinkSpec(name: "s", kind: "test", options: Node(.mapping(entries)), directory: "", usualPlace: usual)
    }

    private func list(_ labels: String...) -> Node.Content { .sequence(labels.map { Node(.scalar($0)) }) }

    private func labels(_ labels: String...) -> Set<MachineLabel> { Set(labels.compactMap { MachineLabel($0) }) }

    @Test(
        "a sink runs on any machine unless its kind, 'run-on' or a rate limit says otherwise",
        arguments: [
            (SinkPlace?.none, [(String, String)](), true), (.leader, [], false), (.leader, [("run-on", "any")], true),
            (nil, [("run-on", "leader")], false), (nil, [("rate-limit", "1/s"), ("run-on", "any")], false),
        ])
    func place(usual: SinkPlace?, options: [(String, String)], runsAnywhere: Bool) {
        let spec = spec(options.map { ($0.0, .scalar($0.1)) }, usual: usual)
        #expect(spec.runs(on: [], leads: false) == runsAnywhere)
        #expect(spec.runs(on: [], leads: true), "the leader may run all")
    }

    @Test("a sink with labels runs where a machine has them all, be it the leader or not, whatever its kind")
    func labels() {
        let spec = spec([("run-on", list("backup", "zone=eu"))], usual: .leader)
        #expect(spec.machineLabels == labels("backup", "zone=eu"))
        for leads in [true, false] {
            #expect(spec.runs(on: labels("backup", "host=a", "zone=eu"), leads: leads))
            #expect(!spec.runs(on: labels("backup", "zone=us"), leads: leads))
            #expect(!spec.runs(on: [], leads: leads))
        }
    }

    @Test("a label has letters, digits and some marks, and is not one of the words of 'run-on'")
    func label() {
        for text in ["a", "zone=eu", "A-1_2.3/4", String(repeating: "x", count: 100), "host=db1.example.com"] {
            #expect(MachineLabel(text)?.text == text)
        }
        for text in ["", "any", "leader", "a b", "ä", "a\n", "a,b", "$(x)", String(repeating: "x", count: 101)] {
            #expect(MachineLabel(text) == nil, "\(text)")
        }
        #expect(MachineLabel(host: "db1") == MachineLabel("host=db1"))
    }

    @Test("what 'run-on' cannot mean is an error that says what to write")
    func wrongPlaces() {
        func problems(_ options: [(String, Node.Content)]) -> [String] {
            let diagnostics = DiagnosticBag(file: "test.yaml")
            _ = make(options, diagnostics)
            return diagnostics.diagnostics.map(\.message)
        }
        #expect(problems([("run-on", list("backup"))]).isEmpty)
        #expect(problems([("run-on", .scalar("leader"))]).isEmpty)
        #expect(
            problems([("run-on", .scalar("backup"))]) == [
                "'run-on' must be any, leader, or a list of labels such as [backup], not 'backup'"
            ])
        #expect(
            problems([("run-on", .sequence([]))]) == [
                "'run-on' must be any, leader, or a list of labels such as [backup], not a list"
            ])
        #expect(
            problems([("run-on", list("backup", "any"))]) == [
                "'any' is not a label of a machine: write 1 to 100 letters, digits, - _ . = or /, such as backup or zone=eu; 'any' and 'leader' mean something else"
            ])
        #expect(
            problems([("run-on", list("backup")), ("rate-limit", .scalar("1/s"))]) == [
                "labels in 'run-on' and 'rate-limit' do not go together: the leader counts a rate limit"
            ])
    }

    @Test("retry, rate limit and overlap are read for every kind")
    func all() throws {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let retry = mapping([("limit", "3"), ("first", "2s"), ("max", "1m"), ("give-up-after", "2h"), ("on", "any")])
        let sink = make(
            [("retry", retry), ("rate-limit", .scalar("10/min")), ("overlap", .scalar("replace"))], diagnostics)
        #expect(
            try #require(sink).policy
                == SinkPolicy(
                    retry: RetryPolicy(
                        limit: 3, first: .seconds(2), longest: .seconds(60), giveUpAfter: .seconds(7_200),
                        condition: .any),
                    rateLimit: RateLimit(10, per: .seconds(60))))
        #expect(!diagnostics.hasErrors)
    }

    @Test("the maximum wait is never shorter than the first")
    func longFirst() throws {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let sink = try #require(make([("retry", mapping([("first", "1h")]))], diagnostics))
        #expect(sink.policy.retry.longest == .seconds(3_600))
        _ = make([("retry", mapping([("first", "1h"), ("max", "1m")]))], diagnostics)
        #expect(diagnostics.diagnostics.map(\.message) == ["'max' must not be shorter than 'first'"])
    }

    @Test("the first wait is at least 100 ms", arguments: [("20us", false), ("99ms", false), ("100ms", true)])
    func shortFirst(text: String, isAllowed: Bool) throws {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let sink = try #require(make([("retry", mapping([("first", text)]))], diagnostics))
        #expect(sink.policy.retry.first == .milliseconds(100))
        let message = "'first' must be at least 100 ms: shorter waits only keep a failing receiver busy"
        #expect(diagnostics.diagnostics.map(\.message) == (isAllowed ? [] : [message]))
    }

    @Test(
        "invalid options are reported",
        arguments: [
            ("retry", "limit", "0"), ("retry", "on", "never"), ("retry", "frist", "1s"), ("retry", "first", "5"),
            ("rate-limit", "", "fast"), ("overlap", "", "sometimes"),
        ])
    func wrong(key: String, inner: String, value: String) {
        let diagnostics = DiagnosticBag(file: "test.yaml")
        _ = make([(key, inner.isEmpty ? .scalar(value) : mapping([(inner, value)]))], diagnostics)
        #expect(diagnostics.diagnostics.count == 1 && diagnostics.hasErrors, "\(diagnostics.diagnostics)")
    }
}
