import TminusCore

/// A sink of a kind that an action may name without options.
struct TestStdout: Sink {
    enum Format: String, CaseIterable { case text, json }

    static let kind = "stdout"
    static let options = KeyTable(
        "a stdout sink",
        [
            .init("stdout", .map(.text), "marks the kind"),
            .init("format", .choice(["text", "json"]), "how a line looks"),
        ])

    init?(from reader: inout MappingReader, context: SinkContext) {
        _ = reader.choice("format", Format.self)
    }

    var maxConcurrent: Int { 1 }
    var timeLimit: Duration { .seconds(1) }
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { .empty }
}

/// A sink with a required key.
struct TestShell: Sink {
    static let kind = "shell"
    static let options = KeyTable(
        "a shell sink",
        [
            .init("shell", .text, "the command line", isRequired: true),
            .init("timeout", .duration, "when it is ended"),
        ])

    init?(from reader: inout MappingReader, context: SinkContext) {
        _ = reader.duration("timeout")
        guard reader.text("shell") != nil else { return nil }
    }

    var maxConcurrent: Int { 1 }
    var timeLimit: Duration { .seconds(1) }
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { .empty }
}

/// A sink that checks the value of its key.
struct TestWebhook: Sink {
    static let kind = "webhook"
    static let options = KeyTable(
        "a webhook sink",
        [
            .init("webhook", .text, "the address", isRequired: true),
            .init("headers", .map(.text), "more header fields"),
            .init("timeout", .duration, "when it is given up"),
        ])

    init?(from reader: inout MappingReader, context: SinkContext) {
        _ = reader.texts("headers")
        _ = reader.duration("timeout")
        guard let address = reader.text("webhook") else { return nil }
        guard address.hasPrefix("http") else {
            reader.error("'webhook' must begin with http:// or https://", at: "webhook")
            return nil
        }
    }

    var maxConcurrent: Int { 1 }
    var timeLimit: Duration { .seconds(1) }
    func draft(of delivery: Delivery) -> DeliveryDraft {
        var delivery = delivery
        delivery.payload.message += "!"
        return DeliveryDraft(
            delivery, content: .text("{\n  \"text\": \"\(delivery.payload.message)\"\n}"),
            headers: [DeliveryDraft.Field("X-Key", DeliveryDraft.secret)])
    }
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { .empty }
}

extension SinkRegistry {
    /// The kinds of sinks in tests.
    static let tests = SinkRegistry([TestStdout.self, TestShell.self, TestWebhook.self])
}
