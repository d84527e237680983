#if Inotify
    import CInotifyTools

    extension FileSystemKind {
        /// The kind of the file system that holds `path`; ``local`` if that is unknown.
        init(of path: RawPath) {
            var status = statfs()
            guard path.withCString({ statfs($0, &status) }) == 0 else {
                self = .local
                return
            }
            self.init(magic: UInt32(truncatingIfNeeded: status.f_type))
        }
    }
#endif
