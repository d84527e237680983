import TminusCore
import TminusTestKit

/// Finds what a test says. Answers at once.
final class ManualInspector: SinkNeedInspector {
    /// What is missing.
    let problems = Watched<[SinkNeed.Thing: String]>([:])

    func problem(of thing: SinkNeed.Thing) -> String? { problems.value[thing] }

    func inspect(
        _ things: Set<SinkNeed.Thing>, done: @escaping @Sendable ([SinkNeed.Thing: String]) -> Void
    ) {
        done(problems.value.filter { things.contains($0.key) })
    }
}

/// A sink that needs the variable that its option names.
struct NeedySink: Sink {
    static let kind = "needy"
    static let options = KeyTable("a needy sink", [KeyTable.Key("needy", .text, "the variable", isRequired: true)])

    init?(from reader: inout MappingReader, context: SinkContext) {
        guard let name = reader.text("needy") else { return nil }
        reader.needs(.variable(name), at: "needy")
    }

    var maxConcurrent: Int { 1 }
    var timeLimit: Duration { .seconds(1) }
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport { .empty }
}
