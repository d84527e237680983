import Synchronization
import TminusCore
import TminusTestKit

@testable import TminusWatch

/// Keeps every value of a source, and waits for one that fits.
final class Recorder: Sendable {
    private let box = Box()
    private let task: Task<Void, Never>

    init(_ source: any DefinitionSource) {
        let (box, contents) = (box, source.contents)
        task = Task {
            for await value in contents {
                box.change { $0.append(value) }
            }
            box.end()
        }
    }

    /// Everything so far.
    var values: [DirectoryContents] { box.values }

    /// The first value after `index` that fits; nil after ten minutes without one.
    func next(after index: Int = -1, where fits: @escaping @Sendable (DirectoryContents) -> Bool) async
        -> DirectoryContents?
    {
        let box = box
        return await withTaskGroup(of: DirectoryContents?.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    let (values, hasEnded, changed) = box.snapshot()
                    if let value = values.dropFirst(index + 1).first(where: fits) { return value }
                    if hasEnded { return nil }
                    await changed.wait()
                }
                return nil
            }
            group.addTask {
                // The limit of the wait above.
                try? await Task.sleep(for: Bounded.limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    deinit { task.cancel() }
}

private final class Box: Sendable {
    private struct State {
        var values: [DirectoryContents] = []
        var hasEnded = false
        var changed = Latch()
    }

    private let state = Mutex(State())

    var values: [DirectoryContents] { state.withLock { $0.values } }

    func snapshot() -> ([DirectoryContents], Bool, Latch) { state.withLock { ($0.values, $0.hasEnded, $0.changed) } }

    func change(_ body: (inout [DirectoryContents]) -> Void) {
        let latch = state.withLock { state in
            body(&state.values)
            defer { state.changed = Latch() }
            return state.changed
        }
        latch.open()
    }

    func end() {
        let latch = state.withLock { state in
            state.hasEnded = true
            return state.changed
        }
        latch.open()
    }
}

extension DirectoryContents {
    /// The text of a file; nil if it is absent or unreadable.
    func text(_ path: String) -> String? {
        guard case .bytes(let bytes)? = files.first(where: { $0.path == path })?.content else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Why a file is unreadable; nil if it is absent or readable.
    func reason(_ path: String) -> String? {
        guard case .unreadable(let reason)? = files.first(where: { $0.path == path })?.content else { return nil }
        return reason
    }

    /// The paths of all files.
    var paths: [String] { files.map(\.path) }
}
