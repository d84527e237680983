internal import FoundationEssentials
internal import TminusCore
internal import TminusSystem

/// The renames of a restore, written down before the first one. As long as the journal is there, the places are half of two
/// states: a daemon does not start, and the restore is gone on with.
package struct RestoreJournal: Codable, Sendable, Hashable {
    /// One rename.
    struct Move: Codable, Sendable, Hashable {
        var from: String
        var to: String
    }

    /// What is put aside, then what is put in its place.
    var moves: [Move]

    /// Throws if a restore of this state directory was interrupted.
    package static func refuseIfPresent(in stateDirectory: String) throws(ToolError) {
        guard FilePlacing.isTaken(path(in: stateDirectory)) else { return }
        throw ToolError(
            .inputOutput,
            "\(stateDirectory): a restore was interrupted; finish it with 'tminus restore --resume --state \(stateDirectory)'"
        )
    }

    /// The journal of an interrupted restore.
    static func interrupted(in stateDirectory: String) throws(ToolError) -> RestoreJournal {
        let path = path(in: stateDirectory)
        guard FilePlacing.isTaken(path) else {
            throw ToolError(.usage, "\(stateDirectory): no restore was interrupted; there is nothing to resume")
        }
        do {
            let bytes = try FileBytes.content(of: path, limit: 1 << 20)
            return try JSONDecoder().decode(RestoreJournal.self, from: Data(bytes))
        } catch {
            throw ToolError(.inputOutput, "\(path): cannot be read; put the files back by hand, then remove it")
        }
    }

    /// Makes the renames. If one fails, those before it are taken back, and nothing has changed.
    func perform(in stateDirectory: String) throws(ToolError) {
        let path = Self.path(in: stateDirectory)
        do throws(SystemError) {
            let draft = "\(path).new"
            FilePlacing.remove(draft)
            let file = try NewFile(draft, mode: 0o600)
            try file.write(encoded[...])
            try file.finish(modified: Int(TimerFDClock.now.nanoseconds / 1_000_000_000))
            NewFile.takeOwner(of: stateDirectory, for: draft)
            try FilePlacing.move(draft, to: path)
        } catch {
            throw ToolError(error)
        }
        var done: [Move] = []
        for move in moves {
            do throws(SystemError) {
                try FilePlacing.move(move.from, to: move.to)
                done.append(move)
            } catch {
                try takeBack(done, because: error, path)
            }
        }
        FilePlacing.remove(path)
        ParentDirectory.sync(stateDirectory)
    }

    /// Goes on where an interrupted restore ended.
    func resume(in stateDirectory: String) throws(ToolError) {
        // The renames are made in order. What an early one moved away, a later one may have put something in the place of.
        let done = moves.lastIndex { !FilePlacing.isTaken($0.from) && FilePlacing.isTaken($0.to) }
        for move in moves.dropFirst(done.map { $0 + 1 } ?? 0) {
            switch (FilePlacing.isTaken(move.from), FilePlacing.isTaken(move.to)) {
            case (true, false):
                do throws(SystemError) { try FilePlacing.move(move.from, to: move.to) } catch { throw ToolError(error) }
            case (_, true): throw ToolError(.inputOutput, "\(move.to): is there already; move it away and try again")
            case (false, false):
                throw ToolError(.inputOutput, "\(move.from): is gone; put it back and try again")
            }
        }
        FilePlacing.remove(Self.path(in: stateDirectory))
        ParentDirectory.sync(stateDirectory)
    }

    private func takeBack(_ done: [Move], because error: SystemError, _ path: String) throws(ToolError) -> Never {
        for move in done.reversed() {
            do throws(SystemError) { try FilePlacing.move(move.to, to: move.from) } catch {
                throw ToolError(.inputOutput, "\(error); finish the restore with 'tminus restore --resume'")
            }
        }
        FilePlacing.remove(path)
        throw ToolError(.inputOutput, "\(error); nothing was changed")
    }

    private var encoded: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("moves", objects: moves) { json, move in
                json.member("from", move.from)
                json.member("to", move.to)
            }
        }
        return json.bytes
    }

    private static func path(in stateDirectory: String) -> String { "\(stateDirectory)/restore.json" }
}
