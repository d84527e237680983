#if Inotify
    import CInotifyTools
    import Glibc

    /// Translates events of inotify(7) into hints. Looks at the file system where an event alone does not say enough.
    struct EventTranslator {
        /// The absolute path of the root.
        let root: RawPath
        /// Whether a path below the root is a directory in the tree.
        let isDirectory: (RawPath) -> Bool

        /// Passes the hints of one event to `receive`.
        func translate(
            _ event: InotifyLibrary.Event, in directory: WatchedDirectory, _ receive: (Hint) -> Void
        ) {
            if event.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) { return receive(.structure) }
            if directory.steps.contains(event.name) {
                if event.has(Self.comingAndGoing) {
                    receive(.structure)
                } else if event.has(IN_ATTRIB) {
                    // It may have become readable; then it has no watch of its own yet.
                    receive(.something)
                }
            }
            for link in directory.targets[event.name] ?? [] {
                let target = directory.path.appending(event.name)
                if let kind = fileEvent(event, at: target) { receive(.file(link, kind)) }
            }
            if let treePath = directory.treePath { translate(event, inTree: treePath, receive) }
        }

        private static let comingAndGoing = IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE

        private func translate(_ event: InotifyLibrary.Event, inTree directory: RawPath, _ receive: (Hint) -> Void) {
            let isDefinition = NameFilter.isDefinition(event.name)
            // Other files may be written ten thousand times a second, so ignore them before anything is allocated.
            if !isDefinition, !event.name.isEmpty, !event.has(Self.comingAndGoing | IN_ISDIR) { return }
            let path = directory.appending(event.name)
            if event.name.isEmpty {
                // The directory's own attributes: it may have become readable.
                receive(.something)
            } else if isDefinition {
                if event.has(IN_ISDIR) {
                    receive(.something)
                } else if let kind = fileEvent(event, at: root.appending(path.bytes)) {
                    receive(.file(path, kind))
                }
            } else if event.name == NameFilter.volumeData {
                if event.has(IN_MOVED_TO | IN_CREATE) { receive(.arrival(directory)) }
            } else if NameFilter.isDirectory(event.name) {
                translateDirectory(event, at: path, receive)
            }
        }

        private func translateDirectory(_ event: InotifyLibrary.Event, at path: RawPath, _ receive: (Hint) -> Void) {
            if event.has(IN_ISDIR) {
                if event.has(IN_MOVED_TO) { receive(.arrival(path)) }
                receive(event.has(IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE) ? .structure : .something)
            } else if event.has(IN_MOVED_FROM | IN_DELETE), isDirectory(path) {
                // A link to a directory.
                receive(.structure)
            } else if event.has(IN_MOVED_TO | IN_CREATE), isLinkToDirectory(path) || isDirectory(path) {
                if event.has(IN_MOVED_TO) { receive(.arrival(path)) }
                receive(.structure)
            }
        }

        private func fileEvent(_ event: InotifyLibrary.Event, at path: RawPath) -> FileEvent? {
            if event.has(IN_CREATE) { return isEmptyFile(path) ? .createdEmpty : .created }
            if event.has(IN_MOVED_TO) { return .arrived }
            if event.has(IN_CLOSE_WRITE) { return .closed }
            if event.has(IN_MODIFY) { return .modified }
            // If the name still exists, two files were exchanged (renameat2(2)), or a new file was created here since
            // then. A new file has its own event, which follows.
            if event.has(IN_MOVED_FROM), exists(path) { return .arrived }
            if event.has(IN_DELETE | IN_MOVED_FROM) { return .vanished }
            return event.has(IN_ATTRIB) ? .attributes : nil
        }

        private func exists(_ path: RawPath) -> Bool {
            var status = stat()
            return path.withCString { lstat($0, &status) } == 0
        }

        private func isEmptyFile(_ path: RawPath) -> Bool {
            var status = stat()
            guard path.withCString({ stat($0, &status) }) == 0 else { return false }
            return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
        }

        private func isLinkToDirectory(_ path: RawPath) -> Bool {
            var status = stat()
            return root.appending(path.bytes).withCString { path in
                lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
                    && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
        }
    }

    extension InotifyLibrary.Event {
        /// Whether one of these `IN_` bits is set.
        func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    }
#endif
