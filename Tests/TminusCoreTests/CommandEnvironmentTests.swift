import Testing
import TminusCore
import TminusTestKit

@Suite("Command environment")
struct CommandEnvironmentTests {
    private func variables(_ delivery: Delivery) -> [String: String] {
        Dictionary(CommandEnvironment.variables(for: delivery).map { ($0.name, $0.value) }) { first, _ in
            Issue.record("a name is set twice")
            return first
        }
    }

    @Test("a reminder sets every variable of the contract")
    func reminder() {
        let delivery = Deliveries.one()
        #expect(
            variables(delivery) == [
                "TMINUS_ID": "launch", "TMINUS_KIND": "event", "TMINUS_ACTION": "reminder",
                "TMINUS_NAME": "Product launch",
                "TMINUS_DESCRIPTION": "Product launch", "TMINUS_MESSAGE": "Product launch in 1 day",
                "TMINUS_DUE": "2026-12-01T09:00:00+01:00", "TMINUS_TIMEZONE": "Europe/Berlin", "TMINUS_BEFORE": "86400",
                "TMINUS_REMAINING": "86399.998468", "TMINUS_LATE": "0.001532", "TMINUS_ATTEMPT": "1",
                "TMINUS_DELIVERY": delivery.id.rawValue, "TMINUS_LABEL_TEAM": "Product launch",
                "TMINUS_LABEL_ODD_KEY_": "Product launch",
            ])
    }

    @Test("an expiry without a description sets them empty")
    func expiry() {
        var delivery = Deliveries.one()
        delivery.payload.before = nil
        delivery.payload.description = nil
        #expect(variables(delivery)["TMINUS_BEFORE"] == "")
        #expect(variables(delivery)["TMINUS_DESCRIPTION"] == "")
    }

    @Test("the key of a label becomes the name of a variable; if two names collide, the first key wins")
    func labelNames() {
        var delivery = Deliveries.one()
        delivery.payload.labels = ["a-b": "1", "a.b": "2", "é=\n": "3", "Z9": "4"]
        let labels = variables(delivery).filter { $0.key.hasPrefix("TMINUS_LABEL_") }
        #expect(labels == ["TMINUS_LABEL_A_B": "1", "TMINUS_LABEL____": "3", "TMINUS_LABEL_Z9": "4"])
    }

    @Test("NUL is removed, long values are cut between characters, and the total size is bounded")
    func bounds() {
        var delivery = Deliveries.one()
        delivery.payload.name = "a\0b"
        delivery.payload.message = String(repeating: "é", count: 100_000)
        delivery.payload.labels = Dictionary(
            uniqueKeysWithValues: (0..<1000).map { ("key\($0)", String(repeating: "x", count: 9_000)) })
        let all = variables(delivery)
        #expect(all["TMINUS_NAME"] == "ab")
        #expect(all["TMINUS_MESSAGE"] == String(repeating: "é", count: 4096))
        #expect(all.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 2 } <= 64 * 1024)
        #expect(all.count > 13)
    }
}
