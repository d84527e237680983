import FoundationEssentials
import TminusCore

/// A commit with its values in their stored form. It is prepared before the transaction, so that encoding does not
/// occupy the connection.
struct PreparedCommit: Sendable {
    /// The commit.
    let commit: Commit
    /// The specs of `commit.sinks`, as JSON.
    let sinks: [String]
    /// One for each of `commit.settlements`.
    let settlements: [PreparedSettlement]
    /// One for each of `commit.firings`.
    let firings: [PreparedFiring]

    /// Encodes everything that is stored as text.
    init(_ commit: Commit) throws {
        self.commit = commit
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        sinks = try (commit.sinks ?? []).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        settlements = try commit.settlements.map { try PreparedSettlement($0) }
        firings = try commit.firings.map { try PreparedFiring($0) }
    }
}

/// A firing with its values in their stored form. It is an object, so that passing it on copies only a reference.
final class PreparedFiring: Sendable {
    /// The firing.
    let firing: Firing
    /// The stored form of its action.
    let action: String
    /// Its payload as ``PayloadText``.
    let payload: String
    /// The keys of the sinks that are notified of a failure, as JSON; nil if there are none.
    let onFailure: String?
    /// The ids of its deliveries, in the order of its targets.
    let deliveries: [String]

    /// Encodes the values that are stored as text.
    init(_ firing: Firing) throws {
        self.firing = firing
        action = firing.action.rawValue
        payload = try PayloadText.encode(firing.payload)
        let keys = firing.onFailure.map(\.rawValue)
        onFailure = keys.isEmpty ? nil : String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)
        deliveries = firing.targets.map(\.delivery.rawValue)
    }
}

/// The settlement of a claim with its values in their stored form.
struct PreparedSettlement: Sendable {
    /// The rows that the token names; nil if the token is invalid.
    let claim: (firing: Int64, delivery: Int64)?
    /// The id of the delivery.
    let id: String
    /// The report as ``ReportText``; nil for an empty one.
    let report: String?
    /// The firings that the outcome causes.
    let firings: [PreparedFiring]

    /// Encodes the values that are stored as text.
    init(_ settlement: Settlement) throws {
        claim = ClaimTokens.numbers(of: settlement.token)
        id = settlement.id.rawValue
        report = settlement.report.flatMap(ReportText.encode)
        firings = try settlement.firings.map { try PreparedFiring($0) }
    }
}
