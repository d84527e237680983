extension DefinitionSet {
    /// The same set once for each part of its definitions. The whole, which follows, then says what is gone.
    func parts(of size: Int) -> [ScheduleInput] {
        guard definitions.count > size else { return [] }
        var parts: [ScheduleInput] = []
        var ids = Set<DefinitionID>(minimumCapacity: size)
        for id in definitions.keys {
            ids.insert(id)
            guard ids.count == size else { continue }
            parts.append(.changes(self, of: ids))
            ids = Set(minimumCapacity: size)
        }
        return parts
    }
}
