internal import TminusControl
internal import TminusCore
internal import TminusTooling

extension ControlOptions {
    /// Returns the time zone of a definition, in which dates about it are given; without an id that of this machine.
    func zone(of id: String?) async throws -> Zone {
        guard let id else { return MachineZone.current }
        return try await ask { try await $0.zones(of: [id]) }[id] ?? MachineZone.current
    }
}

extension ControlClient {
    /// Returns the time zones of definitions, to show past times in. Omits ids the daemon no longer has and zones
    /// unknown to this machine.
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
