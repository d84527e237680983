internal import TminusControl
internal import TminusCore
internal import TminusTooling

extension ControlClient {
    /// The time zones of definitions, for times of the past; without those that are not there any more, or whose zone is not
    /// known here.
    func zones(of ids: some Sequence<String>) async throws -> [String: Zone] {
        var zones: [String: Zone] = [:]
        for id in Set(ids) {
            do throws(ControlFailure) {
                zones[id] = MachineZone.zones.zone(named: try await item(id).timezone)
            } catch {
                guard case .refused = error.kind else { throw error }
            }
        }
        return zones
    }
}
