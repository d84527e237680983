internal import TminusSystem

/// Owners and modes of everything that decides what the daemon does. Another user who can write it controls the daemon.
struct PermissionFacts: Sendable {
    /// What a path is for.
    enum Role: Sendable, Hashable {
        /// A definition file, or a directory of them.
        case definition
        /// The state directory.
        case state
        /// The store or its log.
        case store
        /// The control socket, or its directory.
        case socket
        /// A program that a sink starts.
        case program
        /// A file with a secret.
        case secret
        /// A directory above one of the others.
        case above
    }

    /// A path with what stat(2) says of it.
    struct Place: Sendable, Hashable {
        /// The absolute path.
        var path: String
        /// What it is for.
        var role: Role
        /// Its owner and mode.
        var access: FileAccess
    }

    /// The places.
    var places: [Place]
    /// The user of the daemon.
    var user: UInt32
    /// The name of that user.
    var userName: String

    /// Looks up the places with these paths, and the directories above those of definitions and state. What is not there is
    /// left out.
    static func ofMachine(_ paths: [(path: String, role: Role)], user: UInt32) -> Self {
        let above = Set(
            paths.filter { [.definition, .state, .store].contains($0.role) }.flatMap { directories(above: $0.path) }
        ).subtracting(paths.map(\.path))
        let all = paths + above.sorted().map { ($0, Role.above) }
        return Self(
            places: all.compactMap { path, role in
                FileAccess(at: path).map { Place(path: path, role: role, access: $0) }
            },
            user: user, userName: UserName.argument(of: user))
    }

    private static func directories(above path: String) -> [String] {
        var (found, next) = ([String](), path)
        while next != "/", next.hasPrefix("/") {
            next = ParentDirectory.of(next)
            found.append(next)
        }
        return found
    }

    /// What other users can do that they should not.
    var findings: [Finding] {
        places.flatMap { place in [write(place), owner(place), read(place)].compactMap(\.self) }
    }

    /// The daemon itself accepts what is above its places.
    private func severity(_ place: Place) -> Finding.Severity { place.role == .above ? .warning : .error }

    private func write(_ place: Place) -> Finding? {
        guard place.access.isWritableByAll else { return nil }
        return Finding(
            severity(place), .othersCanWrite, place.path,
            "every user of this machine can write it, and so \(Self.harm(place.role))",
            fix: "chmod o-w \(ShellWord.quoted(place.path))")
    }

    private func owner(_ place: Place) -> Finding? {
        guard place.access.owner != 0, place.access.owner != user else { return nil }
        return Finding(
            severity(place), .otherOwner, place.path,
            "belongs to \(UserName.of(place.access.owner)), who can so \(Self.harm(place.role))",
            fix: "sudo chown \(userName) \(ShellWord.quoted(place.path))")
    }

    private func read(_ place: Place) -> Finding? {
        guard place.access.isReadableByAll, !place.access.isDirectory, [.store, .secret].contains(place.role) else {
            return nil
        }
        return Finding(
            .warning, .othersCanRead, place.path,
            "every user of this machine can read it if the directories above it let them",
            fix: "chmod o-r \(ShellWord.quoted(place.path))")
    }

    private static func harm(_ role: Role) -> String {
        switch role {
        case .definition, .program: "have tminus run commands"
        case .state, .store: "change what is sent"
        case .socket: "control the daemon or take its place"
        case .secret: "replace the secret"
        case .above: "replace what is in it"
        }
    }
}
