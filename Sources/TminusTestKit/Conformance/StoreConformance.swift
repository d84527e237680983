public import TminusCore

/// The rules that every ``Store`` keeps, each a named check.
///
///     @Test(arguments: StoreConformance.checks)
///     func conforms(_ check: StoreConformance.Check) async throws {
///         try await check.run { try MyStore(...) }
///     }
///
/// Every check asks for a new, empty store. It needs no particular testing library.
public enum StoreConformance {
    /// One rule.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        public let name: String
        let body: @Sendable (StoreUnderTest) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
            self.name = name
            self.body = body
        }

        public var description: String { name }

        /// Checks the rule; throws a ``ConformanceFailure`` if it is not kept.
        ///
        /// `reopen` opens the content of a store again as after a crash: the handed one is not closed before. Without it
        /// the rules about what survives are checked on the same instance.
        public func run(
            on make: @Sendable () async throws -> any Store,
            reopen: (@Sendable (any Store) async throws -> any Store)? = nil
        ) async throws {
            let store = StoreUnderTest(backend: try await make(), reopen: reopen)
            try await body(store)
            try await store.backend.close()
        }
    }

    /// Every rule.
    public static let checks: [Check] =
        writingChecks + claimChecks + commitChecks + settleChecks + expiryChecks + releaseChecks + interruptionChecks
        + withdrawalChecks + heldWithdrawalChecks + discardChecks + sinkChecks + retiredSinkChecks + keepChecks
        + orderChecks + overlapChecks + attemptChecks + deadChecks + historyChecks + clockChecks + pruneChecks
        + surplusChecks + lifetimeChecks + controlChecks + adHocChecks + standingChecks + outcomeChecks
        + controlRecordChecks + sessionChecks
}
