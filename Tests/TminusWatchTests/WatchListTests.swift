#if Inotify
    import Glibc
    import Testing
    import TminusCore
    import WatchTestSupport

    @testable import TminusWatch

    /// The library can be had only once in a process.
    @Suite("The list of watches", .serialized, .oneWatcherAtATime)
    struct WatchListTests {
        /// Scans `t` below a place. Returns whether the watches are those of the tree.
        private func scan(_ place: Workplace, with hints: InotifyHints) throws -> Bool {
            let root = RawPath(place.path + "/t")
            try hints.beginScan(of: root) { _ in }
            let listing = try DirectoryWalk.list(root, limits: WalkLimits(), access: WriteAccess()) {
                (path, identity) throws(HintFailure) in
                try hints.watch(path, identity: identity)
            }
            return try hints.endScan(listing)
        }

        /// All watches, by number and inode.
        private func watches(of hints: InotifyHints) throws -> [Int32] {
            let bytes = try #require(ProcReader().contents(of: RawPath("/proc/self/fdinfo/\(hints.descriptor)")))
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
                guard line.hasPrefix("inotify wd:") else { return nil }
                return Int32(line.dropFirst("inotify wd:".count).prefix { $0 != " " }, radix: 16)
            }
        }

        @Test("a watch that is gone without an event is missed, and made anew")
        func lostWatch() throws {
            let place = try Workplace()
            try place.run("mkdir -p t/s t/u")
            let hints = try InotifyHints()
            #expect(try scan(place, with: hints))
            let before = try watches(of: hints)
            #expect(before.count == 4)
            let victim = try #require(before.first)
            #expect(inotify_rm_watch(hints.descriptor, victim) == 0)
            // The event that says so is taken away, as by an overflow that nobody was told of.
            var buffer = [UInt8](repeating: 0, count: 4_096)
            #expect(read(hints.descriptor, &buffer, buffer.count) > 0)
            #expect(try !scan(place, with: hints))
            #expect(hints.resets == 0)
            #expect(try scan(place, with: hints))
            #expect(hints.resets == 1)
            #expect(try watches(of: hints).count == 4)
        }

        @Test("the list of a thousand directories is read whole")
        func longList() throws {
            let place = try Workplace()
            try place.run("mkdir t; cd t; mkdir $(seq 1000)")
            let hints = try InotifyHints()
            #expect(try scan(place, with: hints))
            #expect(ProcReader().watchedInodes(of: hints.descriptor)?.count == 1_002)
        }
    }
#endif
