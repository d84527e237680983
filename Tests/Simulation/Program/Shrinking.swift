import SimulationChecker

/// Looks for a shorter plan that breaks the same rule.
struct Shrinking {
    let rule: String
    let store: StoreKind
    /// How many runs it may take.
    private static let limit = 150

    /// Leaves out happenings, halves first and then fewer and fewer, while the rule is still broken.
    func shrink(_ plan: Plan, _ result: Simulation.Result) async throws -> (Plan, Simulation.Result) {
        var (best, found) = (plan, result)
        var (size, runs) = (plan.happenings.count / 2, 0)
        while size > 0 {
            var start = 0
            while start < best.happenings.count, runs < Self.limit {
                runs += 1
                var trial = best
                trial.happenings.removeSubrange(start..<min(start + size, best.happenings.count))
                let outcome = try await Simulation.run(trial, on: store)
                if outcome.violations.contains(where: { $0.rule == rule }) {
                    (best, found) = (trial, outcome)
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return (best, found)
    }
}
