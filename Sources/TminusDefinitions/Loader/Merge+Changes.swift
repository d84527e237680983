import TminusCore

extension Merge {
    /// Applies the changes of some files, at a cost proportional to their content.
    ///
    /// Returns false, without any change, if other files may be affected: duplicate ids or sinks, content that is no
    /// longer in its file, or sinks that are newly declared or no longer used. Then all files must be merged again.
    ///
    /// - Parameter former: the former states of the changed files; nil for a new file.
    mutating func take(changesFrom former: [String: FileState?], to current: [String: FileState]) -> Bool {
        guard isPlain else { return false }
        var owned: Set<DefinitionID> = []
        let displays = Set(former.compactMap { path, before in before?.display ?? current[path]?.display })
        for (path, before) in former {
            let now = current[path]
            guard (before?.isPlain ?? true) && (now?.isPlain ?? true) else { return false }
            let used = now?.content?.undeclared ?? [:]
            guard before?.content?.undeclared.allSatisfy({ used[$0.key] != nil }) ?? true,
                used.allSatisfy({ key, spec in set.sinks[key] == nil || set.sinks[key] == spec })
            else { return false }
            for item in now?.content?.items ?? [] {
                let id = item.definition.id
                guard owned.insert(id).inserted else { return false }
                if let holder = set.definitions[id], !displays.contains(holder.origin.file) { return false }
            }
        }
        var changed: Set<DefinitionID> = []
        for case (let path, let before?) in former {
            counts[path] = nil
            for item in before.content?.items ?? [] {
                let id = item.definition.id
                if !owned.contains(id) {
                    set.definitions[id] = nil
                    changed.insert(id)
                }
            }
        }
        // In the order of a whole merge: of equal sinks the first one gives its place in a file.
        for path in former.keys.sorted() {
            guard let content = current[path]?.content else { continue }
            counts[path] = content.items.count
            for item in content.items {
                let id = item.definition.id
                if set.definitions[id] != item.definition {
                    set.definitions[id] = item.definition
                    changed.insert(id)
                }
            }
            set.sinks.merge(content.undeclared) { first, _ in first }
        }
        self.changed = changed
        return true
    }
}

extension FileState {
    /// Whether the file is current and affects nothing but its own definitions.
    fileprivate var isPlain: Bool { isCurrent && outer.isEmpty && offered.isEmpty && broken.isEmpty }
}
