import TminusCore
import TminusDaemon

/// What several benchmarks deliver and make.
enum Sample {
    /// A reminder.
    static var delivery: Delivery {
        let due = Timestamp(seconds: 1_800_000_000)
        let payload = Payload(
            id: "launch", kind: .event, name: "Product launch", description: "Version 2 goes public.",
            labels: ["team": "web"], due: "2027-01-15T09:00:00+01:00", timezone: "Europe/Berlin", before: nil,
            remaining: Payload.Amount(nanoseconds: 0, text: "now"), scheduled: due.rfc3339, fired: due.rfc3339, late: 0,
            isCatchUp: false, occurrence: due.rfc3339, message: "Product launch is due")
        return Delivery(
            id: DeliveryID(rawValue: "0123456789abcdef0123456789abcdef"), action: .expiry, sink: SinkKey("s"), due: due,
            attempt: 1, source: "/tminus/bench", payload: payload)
    }

    /// The standard sink with these options, each a scalar.
    static func sink(_ options: KeyValuePairs<String, String>) throws -> any Sink {
        let entries = options.map { Node.Entry(key: $0.key, value: Node(.scalar($0.value))) }
        let spec = SinkSpec(
            name: "s", kind: options.first?.key ?? "", options: Node(.mapping(entries)), directory: "/")
        let diagnostics = DiagnosticBag(file: "bench")
        guard let sink = SinkRegistry(Daemon.standardSinks).make(spec, reporting: diagnostics),
            diagnostics.diagnostics.isEmpty
        else {
            throw Failure("no sink: \(diagnostics.diagnostics)")
        }
        return sink.sink
    }
}
