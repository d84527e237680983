#if Inotify
    import CInotifyTools
    import Glibc
    import TminusSystem

    /// Hints from inotify(7), by libinotifytools. Watches the directories of the tree, the directory that leads to the
    /// root, and the directories of files outside the tree that links lead to.
    ///
    /// If the watches might not match the tree after an event, all of them are recreated, which takes some
    /// milliseconds. The library has no other reliable way.
    final class InotifyHints: HintSource {
        private static let flags = IN_ONLYDIR | IN_EXCL_UNLINK
        private static let treeMask =
            IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF | flags
        private static let stepMask =
            IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | flags
        /// The most events that one call handles, so that a storm of events does not delay deadlines.
        private static let drainLimit = 20_000
        /// The most directories outside the tree that are watched for links; the timed rescan covers the others.
        private static let targetLimit = 64
        /// The most symbolic links that the kernel follows on one path (path_resolution(7)).
        private static let linkLimit = 40
        /// After this many consecutive lists whose inodes differ from stat(2), the file system is taken to have two
        /// numbers for one directory.
        private static let oddLimit = 3

        private(set) var resets = 0

        private var library: InotifyLibrary
        private var directories: [FileIdentity: WatchedDirectory] = [:]
        private var identities: [RawPath: FileIdentity] = [:]
        private var watches: [Int32: FileIdentity] = [:]
        private var treePaths: Set<RawPath> = []
        private var root = RawPath.empty
        private var needsReset = false
        private var targetDirectories = 0
        private var isOverflown = false
        private var oddLists = 0

        /// Takes the library, which only one object in a process can have at a time.
        init() throws(HintFailure) {
            library = try InotifyLibrary.open()
        }

        var descriptor: Int32 { library.descriptor }

        func drain(_ receive: (Hint) -> Void) -> Int {
            let translator = EventTranslator(root: root) { [treePaths] path in treePaths.contains(path) }
            for count in 0..<Self.drainLimit {
                guard let event = library.next() else { return count }
                translate(event, by: translator, receive)
            }
            return Self.drainLimit
        }

        func beginScan(of root: RawPath, receive: (Hint) -> Void) throws(HintFailure) {
            if needsReset { try reset(receive) }
            self.root = root
            try watchSteps(to: root)
        }

        func watch(_ path: RawPath, identity: FileIdentity) throws(HintFailure) {
            treePaths.insert(path)
            if let known = directories[identity], known.treePath != nil {
                directories[identity]?.treePath = path
                return
            }
            try add(root.appending(path.bytes), identity, mask: Self.treeMask, isOpen: true) { $0.treePath = path }
        }

        func endScan(_ listing: Listing) throws(HintFailure) -> Bool {
            for link in listing.links { try watchTarget(of: link) }
            treePaths = Set(listing.directories.values)
            // The walk did not find a watched directory: it was replaced or hidden without an event, for example by a
            // mount.
            let isStale = directories.values.contains { directory in
                directory.treePath != nil && listing.directories[directory.identity] == nil
            }
            if isStale || !isWatching() { needsReset = true }
            return !needsReset
        }

        /// Whether the kernel watches exactly the known directories. A watch can vanish without an event, or watch a
        /// directory that took another's place just before the watch was added.
        private func isWatching() -> Bool {
            guard let watched = ProcReader().watchedInodes(of: descriptor) else { return true }
            guard watched.count == directories.count else { return false }
            let isEqual = watched == directories.keys.map(\.inode).sorted()
            oddLists = isEqual ? 0 : min(oddLists + 1, Self.oddLimit)
            return isEqual || oddLists == Self.oddLimit
        }

        func fileSystem(of path: RawPath) -> FileSystemKind { FileSystemKind(of: path) }

        private func translate(
            _ event: InotifyLibrary.Event, by translator: EventTranslator, _ receive: (Hint) -> Void
        ) {
            if event.has(IN_Q_OVERFLOW) {
                // The kernel reports each overflow; until the next scan they all count as one.
                if !isOverflown { receive(.overflow) }
                isOverflown = true
                needsReset = true
                return
            }
            guard let identity = watches[event.watch] ?? identify(event.watch), let directory = directories[identity]
            else {
                needsReset = true
                return receive(.structure)
            }
            translator.translate(event, in: directory) { hint in
                if hint == .structure { needsReset = true }
                receive(hint)
            }
        }

        private func identify(_ watch: Int32) -> FileIdentity? {
            guard let path = library.path(of: watch), let identity = identities[path] else { return nil }
            watches[watch] = identity
            return identity
        }

        private func reset(_ receive: (Hint) -> Void) throws(HintFailure) {
            let translator = EventTranslator(root: root) { [treePaths] path in treePaths.contains(path) }
            // Until the library's buffer is empty: the watches of events that stay there would be mistaken for new
            // ones.
            while let event = library.next() { translate(event, by: translator, receive) }
            directories = [:]
            identities = [:]
            watches = [:]
            treePaths = []
            targetDirectories = 0
            try library.reopen()
            needsReset = false
            isOverflown = false
            resets += 1
        }

        /// Watches for the creation and removal of the root and, if it is a symbolic link, of its target.
        private func watchSteps(to root: RawPath) throws(HintFailure) {
            var path = root
            for _ in 0..<Self.linkLimit {
                try watchStep(to: path)
                guard let target = path.linkTarget else { return }
                path = target
            }
        }

        /// Watches the parent of a path or, if that is missing, the nearest existing directory above it.
        private func watchStep(to root: RawPath) throws(HintFailure) {
            var child = root
            // A path has fewer components than bytes. More rounds than that happen only if another program keeps
            // creating and removing directories on the path.
            for _ in 0..<(2 * root.bytes.count) where child.bytes.count > 1 {
                let parent = child.parent
                var status = stat()
                if parent.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR {
                    let name = Array(child.name)
                    try add(parent, FileIdentity(status), mask: Self.stepMask) { $0.steps.insert(name) }
                    // Checked after the watch exists, because the directory may have been created just before.
                    if child == root || child.withCString({ stat($0, &status) }) != 0 { return }
                    child = root
                } else {
                    child = parent
                }
            }
        }

        private func watchTarget(of link: RawPath) throws(HintFailure) {
            guard let target = root.appending(link.bytes).resolved else { return }
            let directory = target.parent
            var status = stat()
            guard directory.withCString({ stat($0, &status) }) == 0 else { return }
            let identity = FileIdentity(status)
            if directories[identity] == nil {
                guard targetDirectories < Self.targetLimit else { return }
                targetDirectories += 1
            }
            let name = Array(target.name)
            try add(directory, identity, mask: Self.treeMask) { directory in
                _ = directory.targets[name, default: []].insert(link)
            }
        }

        /// Adds a watch unless an existing one reports enough, and records its purpose.
        ///
        /// - Parameter isOpen: whether the walk could open the directory.
        private func add(
            _ path: RawPath, _ identity: FileIdentity, mask: Int32, isOpen: Bool = false,
            note: (inout WatchedDirectory) -> Void
        ) throws(HintFailure) {
            var directory = directories[identity] ?? WatchedDirectory(path: path, identity: identity)
            let tellsAll = directory.treePath != nil || !directory.targets.isEmpty
            let tellsSteps = tellsAll || !directory.steps.isEmpty
            if mask == Self.treeMask ? !tellsAll : !tellsSteps {
                let code = library.watch(path, mask: mask)
                switch code {
                case 0: break
                // It may be read but not watched, as a security module can demand; the walk has nothing to report.
                case EACCES where isOpen: throw InotifyLimits.failure(code)
                // It is gone or not accessible; the walk reports that.
                case ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG: return
                default: throw InotifyLimits.failure(code)
                }
                identities[path] = identity
            }
            note(&directory)
            directories[identity] = directory
        }
    }
#endif
