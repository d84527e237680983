package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

extension ConfigFiles {
    /// A change that was made.
    package struct Outcome: Sendable {
        /// The place of the definition; for a removed one, its last place.
        package var place: Place
        /// The definition; nil if it was removed.
        package var definition: Definition?
        /// The new warnings, and those about reminders of a new definition that are past already.
        package var warnings: [Diagnostic]

        /// The next occurrence of an event after `now`; nil if it never occurs, and for another kind.
        package func due(now: Timestamp) -> Timestamp? {
            guard case .event(let event) = definition?.schedule else { return nil }
            return event.trigger.next(after: now)
        }

        /// The due time or the duration in words, from which people see how their input was understood; nil for a
        /// stopwatch.
        package func understood(now: Timestamp) -> String? {
            switch definition?.schedule {
            case .event:
                guard let due = due(now: now), let zone = definition?.zone else { return "never occurs" }
                return PlainDate(due, in: zone).text(now: now)
            case .timer(let timer): return CalendarSpan(nanoseconds: timer.duration.nanoseconds).text
            case .stopwatch, nil: return nil
            }
        }
    }

    /// Adds a definition. `make` receives the zone for dates in the file. If another program changes the file
    /// meanwhile, this tries again, at most ``attempts`` times in all.
    ///
    /// - Parameter isTrial: Whether to write nothing, and only say what would come of it.
    package func add(
        _ kind: DefinitionKind, id: String, file: String?, isTrial: Bool = false,
        make: (Zone) throws(EditRefusal) -> [Node.Entry]
    ) throws(EditRefusal) -> Outcome {
        guard DefinitionID(id) != nil else {
            throw EditRefusal(
                .usage, "'\(id)' cannot be an id: \(DefinitionID.rule(brokenBy: id)); give one with --id")
        }
        return try retrying { files throws(EditRefusal) in try files.addOnce(kind, id, file, isTrial, make) }
    }

    /// How often a change of one definition is tried, and so how many commands may change a file at the same time: each
    /// that succeeds makes the others try again.
    private static let attempts = 100

    /// Makes a change, and makes it again with the directory read anew if another program has changed the file meanwhile. A
    /// program that holds the file open has changed nothing: then this tries only once more.
    private func retrying<Value>(
        _ change: (ConfigFiles) throws(EditRefusal) -> Value
    ) throws(EditRefusal) -> Value {
        var files = self
        for _ in 1..<Self.attempts {
            do throws(EditRefusal) { return try change(files) } catch {
                guard error.isRace else { throw error }
            }
            let former = files
            files = reread()
            if files.contents.files == former.contents.files { break }
        }
        return try change(files)
    }

    private func addOnce(
        _ kind: DefinitionKind, _ id: String, _ file: String?, _ isTrial: Bool,
        _ make: (Zone) throws(EditRefusal) -> [Node.Entry]
    ) throws(EditRefusal) -> Outcome {
        if let other = places.first(where: { $0.id == id }) {
            throw EditRefusal(
                .badData, "'\(id)' is there already, in \(other.file):\(other.line); choose another id with --id")
        }
        let path = try pathForNew(kind, file: file)
        let old = contents.files.contains { $0.path == path } ? try replacement(path) : nil
        let empty = path.lowercased().hasSuffix(".json") ? Array("{}\n".utf8) : []
        let edit = DefinitionEdit(.insert(Node(.mapping(try make(zone(at: path))))), id: id, section: kind.section)
        let edited = try apply(edit, to: old?.bytes ?? empty, path)
        let trial = trial(path, old?.bytes, edited.bytes)
        try trial.check(onlyAdding: id)
        if !isTrial { try write(edited.bytes, to: path, over: old) }
        let definition = trial.definition(id)
        let past = definition.map { PastReminders.warnings(of: $0, in: (edited.bytes, shown(path)), now: now) } ?? []
        return Outcome(
            place: Place(id: id, kind: kind, file: shown(path), line: edited.line, path: path), definition: definition,
            warnings: trial.warnings + past)
    }

    /// Removes a definition with its comments. `confirm` receives the place and the lines to remove; if it refuses, the
    /// result is nil. If another program changes the file meanwhile, this tries again as ``add(_:id:file:isTrial:make:)`` does, and asks
    /// again only if other lines would be removed.
    package func remove(
        _ id: String, file: String?, confirm: (Place, [String]) -> Bool
    ) throws(EditRefusal) -> Outcome? {
        var confirmed: [String]?
        return try retrying { files throws(EditRefusal) in try files.removeOnce(id, file, confirm, &confirmed) }
    }

    private func removeOnce(
        _ id: String, _ file: String?, _ confirm: (Place, [String]) -> Bool, _ confirmed: inout [String]?
    ) throws(EditRefusal) -> Outcome? {
        let place = try place(of: id, in: file)
        let old = try replacement(place.path)
        let edited = try apply(DefinitionEdit(.remove, id: id, section: place.kind.section), to: old.bytes, place.path)
        let trial = trial(place.path, old.bytes, edited.bytes)
        try trial.check(onlyRemoving: id)
        let lines = Self.removed(from: old.bytes, to: edited.bytes)
        if confirmed != lines {
            guard confirm(place, lines) else { return nil }
            confirmed = lines
        }
        try write(edited.bytes, to: place.path, over: old)
        return Outcome(place: place, definition: nil, warnings: trial.warnings)
    }

    /// The current content of a file, to be replaced.
    func replacement(_ path: String) throws(EditRefusal) -> FileReplacement {
        if isDaemon, leadsOut(path) {
            throw EditRefusal(.usage, "'\(path)' is a link that leads out of the config directory; edit it where it is")
        }
        do throws(SystemError) {
            return try FileReplacement(reading: absolute(path), shownAs: shown(path), limit: sizeLimit)
        } catch {
            throw EditRefusal(error)
        }
    }

    /// Tries a new content of a file.
    func trial(_ path: String, _ old: [UInt8]?, _ new: [UInt8]) -> EditTrial {
        EditTrial(
            before: result(with: old, at: path), after: result(with: new, at: path), file: shown(path),
            gaps: contents.problems)
    }

    /// Writes a file over what was read of it; nil makes a file, which must not exist yet.
    func write(_ bytes: [UInt8], to path: String, over old: FileReplacement?) throws(EditRefusal) {
        do throws(SystemError) {
            if let old {
                try old.replace(with: bytes)
            } else {
                try FileReplacement.create(absolute(path), shownAs: shown(path), bytes, isDefinition: true)
            }
        } catch {
            throw EditRefusal(error)
        }
    }

    private func apply(
        _ edit: DefinitionEdit, to bytes: [UInt8], _ path: String
    ) throws(EditRefusal) -> DefinitionEdit.Result {
        do throws(DefinitionEdit.Problem) {
            return try edit.apply(to: bytes, path: shown(path))
        } catch {
            throw EditRefusal(error)
        }
    }

    /// The lines of the old text that the new one lacks; they are contiguous.
    private static func removed(from old: [UInt8], to new: [UInt8]) -> [String] {
        func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split(separator: UInt8(ascii: "\n")) }
        let (old, new) = (lines(old), lines(new))
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        return old[head..<old.count - tail].map { String(decoding: $0, as: UTF8.self) }
    }
}
