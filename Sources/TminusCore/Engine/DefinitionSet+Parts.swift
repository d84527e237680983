extension DefinitionSet {
    /// The same set once for each part of its definitions. The whole, which follows, then says what is gone.
    func parts(of size: Int) -> [ScheduleInput] {
        guard definitions.count > size else { return [] }
        let ids = definitions.keys.sorted()
        return stride(from: 0, to: ids.count, by: size).map { first in
            .changes(self, of: Set(ids[first..<min(first + size, ids.count)]))
        }
    }
}
