#if Inotify
    import CInotifyTools

    extension FileSystemKind {
        /// Of the file system that holds `path`; ``local`` where it cannot be found out.
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
