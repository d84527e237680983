#if Inotify
    import Glibc
    import TminusSystem

    /// Explains the failures of inotify(7) by the limits that cause them.
    enum InotifyLimits {
        /// Describes `code`, the `errno` of creating an instance or adding a watch.
        static func failure(_ code: Int32) -> HintFailure {
            switch code {
            case ENOSPC: limit("watches", suggestion: 524_288, "this user has no inotify watches left")
            case EMFILE where !hasDescriptors: descriptors()
            case EMFILE: limit("instances", suggestion: 1_024, "this user has no inotify instances left")
            case ENFILE:
                HintFailure(
                    reason:
                        "too many files are open on this machine: raise 'sysctl fs.file-max', or end what opens them")
            case ENOMEM: HintFailure(reason: "the kernel has no memory for inotify watches")
            default: HintFailure(reason: "inotify failed: \(ErrorText.of(code))")
            }
        }

        /// The instance has a descriptor that is too large for select(2). The library waits with select(2), which would
        /// then end the process.
        static func tooGreat(_ descriptor: Int32) -> HintFailure {
            HintFailure(
                reason: "more than \(FD_SETSIZE) files are open in this process (descriptor \(descriptor)): "
                    + "start it with fewer of them open")
        }

        private static var hasDescriptors: Bool {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            close(descriptor)
            return true
        }

        private static func descriptors() -> HintFailure {
            var limit = rlimit()
            let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            let current = isKnown ? "the limit is \(limit.rlim_cur), " : ""
            return HintFailure(
                reason: "too many files are open in this process: \(current)raise it with 'ulimit -n' or LimitNOFILE=")
        }

        /// inotify(7) counts for each user. A user namespace has its own limit beside that of the machine.
        private static func limit(_ what: String, suggestion: Int, _ text: String) -> HintFailure {
            let ofMachine = (name: "fs.inotify.max_user_\(what)", value: value("fs/inotify/max_user_\(what)"))
            let ofNamespace = (name: "user.max_inotify_\(what)", value: value("user/max_inotify_\(what)"))
            let isNarrower = (ofNamespace.value ?? .max) < (ofMachine.value ?? .max)
            let (name, value) = isNarrower ? ofNamespace : ofMachine
            let current = value.map { "\(name) is \($0)" } ?? "see \(name)"
            let command = "sudo sysctl \(name)=\(max(suggestion, (value ?? 0) * 2))"
            return HintFailure(reason: "\(text): \(current), raise it with '\(command)'")
        }

        private static func value(_ path: String) -> Int? {
            guard let bytes = ProcReader().contents(of: RawPath("/proc/sys/" + path)) else { return nil }
            return Int(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)).map {
                min($0, 1 << 30)
            }
        }
    }
#endif
