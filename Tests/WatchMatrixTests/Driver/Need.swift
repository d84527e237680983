import Glibc

/// What a row needs of the machine.
enum Need: Sendable, Hashable {
    /// A program on the path.
    case tool(String)
    /// To be root.
    case root
    /// Not to be root: root reads everything.
    case user
    /// A command that succeeds only where the machine allows what the row does, and what that is.
    case ability(String, probe: String)

    /// A second file system to write to.
    static let otherFileSystem = Need.ability(
        "a second file system at /dev/shm", probe: "[ \"$(stat -c %d /dev/shm)\" != \"$(stat -c %d .)\" ]")

    /// Why the machine does not have it; nil if it does.
    func missing(in place: Place) async -> String? {
        switch self {
        case .tool(let name): await place.succeeds("command -v \(name)") ? nil : "\(name) is not installed"
        case .root: getuid() == 0 ? nil : "only for root"
        case .user: getuid() != 0 ? nil : "not for root, who may read everything"
        case .ability(let what, let probe): await place.succeeds(probe) ? nil : "no \(what)"
        }
    }
}

extension [Need] {
    /// Programs on the path.
    static func tools(_ names: String...) -> Self { names.map(Need.tool) }

    /// An editor in a terminal.
    static func terminal(_ names: String...) -> Self { (["tmux"] + names).map(Need.tool) }
}
