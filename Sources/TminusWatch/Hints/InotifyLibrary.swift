#if Inotify
    import CInotifyTools
    import Glibc
    import Synchronization

    /// libinotifytools, limited to its safe functions. All its state is global, so only one value of this type may
    /// exist, and only the thread that created it may use it.
    ///
    /// Avoided because of their defects: removing watches (a removed one stays in its tables), its recursion (it gives
    /// up when a directory vanishes meanwhile), timeouts (whole seconds), several events at once (it spins), its
    /// regular expressions and formats (their signatures differ in later versions). Only ``reopen()`` removes watches,
    /// all at once.
    struct InotifyLibrary: ~Copyable {
        /// One event, with its name copied out of the library's static buffer.
        struct Event {
            /// The number of the watch; -1 for an overflow.
            var watch: Int32
            /// What happened, as `IN_` bits.
            var mask: UInt32
            /// The entry of the directory; empty for the directory itself.
            var name: [UInt8]
        }

        private static let isInUse = Mutex(false)

        /// The inotify instance, for poll(2); negative if there is none.
        private(set) var descriptor: Int32

        private init(descriptor: Int32) {
            self.descriptor = descriptor
        }

        /// Takes the library and opens an inotify instance.
        static func open() throws(HintFailure) -> InotifyLibrary {
            let wasInUse = isInUse.withLock { inUse in
                defer { inUse = true }
                return inUse
            }
            if wasInUse { throw HintFailure(reason: "another watcher of this process has the notifications") }
            do {
                return InotifyLibrary(descriptor: try initialize())
            } catch {
                isInUse.withLock { $0 = false }
                throw error
            }
        }

        deinit {
            if descriptor >= 0 { inotifytools_cleanup() }
            Self.isInUse.withLock { $0 = false }
        }

        /// Removes all watches and opens a new instance. Take all events first: the library's buffer outlives the
        /// instance, and the events left in it would be taken for events of new watches.
        mutating func reopen() throws(HintFailure) {
            if descriptor >= 0 { inotifytools_cleanup() }
            descriptor = -1
            descriptor = try Self.initialize()
        }

        /// Watches a file or directory. Returns 0 or an `errno`.
        func watch(_ path: RawPath, mask: Int32) -> Int32 {
            path.withCString { inotifytools_watch_file($0, mask) } != 0 ? 0 : inotifytools_error()
        }

        /// The next event; nil if there is none. Never waits.
        func next() -> Event? {
            guard let event = inotifytools_next_events(0, 1) else { return nil }
            let length = Int(event.pointee.len)
            // The name follows the fixed part; a flexible array member is not imported.
            let start = UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size
            let name = UnsafeRawBufferPointer(start: start, count: length).prefix { $0 != 0 }
            return Event(watch: event.pointee.wd, mask: event.pointee.mask, name: Array(name))
        }

        /// The path that a watch was added with, without closing slashes; nil if there is no such watch.
        func path(of watch: Int32) -> RawPath? {
            guard let text = inotifytools_filename_from_wd(watch) else { return nil }
            var bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map(UInt8.init(bitPattern:))
            while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            return bytes.isEmpty ? nil : RawPath(bytes)
        }

        /// The library does not reveal its descriptor, so this finds the inotify descriptor that was not open before.
        private static func initialize() throws(HintFailure) -> Int32 {
            let reader = ProcReader()
            let before = reader.inotifyDescriptors()
            guard inotifytools_initialize() != 0 else { throw InotifyLimits.failure(inotifytools_error()) }
            let new = reader.inotifyDescriptors().subtracting(before)
            guard new.count == 1, let descriptor = new.first else {
                inotifytools_cleanup()
                throw HintFailure(reason: "the inotify descriptor was not found in /proc/self/fd; is /proc mounted?")
            }
            guard descriptor < FD_SETSIZE else {
                inotifytools_cleanup()
                throw InotifyLimits.tooGreat(descriptor)
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            return descriptor
        }
    }
#endif
