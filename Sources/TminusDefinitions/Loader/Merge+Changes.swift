import TminusCore

extension Merge {
    /// Takes over what is new in some files, at the cost of what is in them.
    ///
    /// False if other files could have a part in it: ids or sinks of which there are two, content that is no longer in its
    /// file, sinks that are declared or no longer used. Then nothing has been taken over, and all files are to be put
    /// together anew.
    ///
    /// - Parameter former: what the files that have changed were before; nil: not there.
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
        for path in former.keys {
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
    /// Whether the file is in force as it is and has a say in nothing but its own definitions.
    fileprivate var isPlain: Bool { isCurrent && outer.isEmpty && offered.isEmpty && broken.isEmpty }
}
