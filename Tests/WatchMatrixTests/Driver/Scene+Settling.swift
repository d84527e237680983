import TminusCore
import TminusTestKit
import TminusWatch

extension Scene {
    /// Puts a file of the driver in place and waits for it. Everything that happened before is then in force too, or was
    /// overlooked.
    func fence() async throws -> [String] {
        let name = "\(states.value.count)"
        let text = "timers: { \(Self.fence.id): { name: \"\(name)\", duration: 1 hour } }\n"
        let directory = root.dropFirst(place.path.utf8.count + 1)
        try place.put(text, at: "\(directory)/\(Self.fence.file)", by: "\(directory)/.fence")
        let isThere = await states.wait(upTo: Bounded.limit) { $0.last?.fence == name }
        return isThere ? [] : ["the file that ends a step is not in force"]
    }

    /// When what is in force now and was not before was written last; nil if nothing is left of it.
    func lastWrite(since before: State) -> Timestamp? {
        guard let last else { return nil }
        return last.digests.filter { before.digests[$0.key] != $0.value }
            .compactMap { Timestamp.change(of: "\(root)/\($0.key)") }.max()
    }

    /// How the last state differs from what a single reading finds now.
    func differencesFromDisk() -> [String] {
        let disk = DirectoryReader(allowsInsecurePermissions: true).read(directory: root)
        let files = disk.files.filter { $0.path != Self.fence.file }
        let digests = Dictionary(files.map { ($0.path, $0.digest) }, uniquingKeysWith: { first, _ in first })
        let known = last?.digests ?? [:]
        return Set(digests.keys).union(known.keys).sorted().filter { digests[$0] != known[$0] }
            .map { "\($0) in force is not the one on the disk" }
    }
}
