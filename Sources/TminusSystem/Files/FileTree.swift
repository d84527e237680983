internal import Glibc

/// Everything below a directory, as a backup needs it.
///
/// A symbolic link that stays below the directory is listed as a link. One that leads out of it, or is absolute, is
/// listed as what it leads to, so that the list is complete by itself.
package struct FileTree: Sendable {
    /// A file, directory or link.
    package struct Node: Sendable, Hashable {
        /// Its path below the directory.
        package var path: String
        /// Its path on this machine.
        package var source: String
        /// What it is; the size of a file is that of the moment.
        package var kind: TarEntry.Kind
        /// Its permission bits.
        package var mode: UInt32
        /// When it was changed, in seconds since the Unix epoch.
        package var modified: Int
    }

    /// What was found, each directory before its content.
    package private(set) var nodes: [Node] = []
    /// What was left out or changed, a sentence each.
    package private(set) var notes: [String] = []
    /// What cannot be read, a sentence each.
    package private(set) var problems: [String] = []

    /// The permission bits of the directory itself; for its owner only if it cannot be looked at.
    package let mode: UInt32
    private let root: String
    private let skipped: Set<FileIdentity>
    private static let deepest = 64

    /// Lists a directory. Of `skipped` nothing is listed.
    package init(of root: String, skipping skipped: Set<FileIdentity> = []) {
        self.root = root
        self.skipped = skipped
        var status = stat()
        mode = stat(root, &status) == 0 ? status.st_mode & 0o7777 : 0o700
        walk(root, "", ancestors: [])
    }

    private mutating func walk(_ directory: String, _ prefix: String, ancestors: Set<FileIdentity>) {
        guard let identity = FileIdentity(directory), !ancestors.contains(identity) else {
            return notes.append("\(directory): left out: it contains itself")
        }
        guard ancestors.count < Self.deepest else { return problems.append("\(directory): is nested too deeply") }
        let names: [String?]
        do throws(SystemError) { names = try DirectoryNames.of(directory) } catch { return problems.append("\(error)") }
        for name in names {
            guard let name else {
                notes.append("\(directory): a file is left out: its name is not UTF-8")
                continue
            }
            take(
                "\(directory)/\(name)", prefix.isEmpty ? name : "\(prefix)/\(name)",
                ancestors: ancestors.union([identity]))
        }
    }

    private mutating func take(_ source: String, _ path: String, ancestors: Set<FileIdentity>) {
        var status = stat()
        // What was removed since the listing is left out.
        guard lstat(source, &status) == 0, !skipped.contains(FileIdentity(status)) else { return }
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let target = FileBytes.link(source) else { return }
            if staysInside(target, path), leadsInside(source) { return add(source, path, .link(to: target), status) }
            guard stat(source, &status) == 0 else {
                return notes.append("\(source): left out: is a link to '\(target)', which is not there")
            }
            guard !skipped.contains(FileIdentity(status)) else { return }
            notes.append("\(source): is a link out of the directory; what it leads to is taken in its place")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            guard access(source, R_OK) == 0 else {
                return problems.append("\(source): cannot be read: \(ErrorText.last)")
            }
            add(source, path, .file(size: Int(status.st_size)), status)
        case S_IFDIR:
            add(source, path, .directory, status)
            walk(source, path, ancestors: ancestors)
        default: notes.append("\(source): left out: is neither a file nor a directory nor a link")
        }
    }

    private mutating func add(_ source: String, _ path: String, _ kind: TarEntry.Kind, _ status: stat) {
        nodes.append(
            Node(
                path: path, source: source, kind: kind, mode: status.st_mode & 0o7777,
                modified: status.st_mtim.tv_sec))
    }

    /// Whether what a link leads to, if it is there, is below the directory.
    private func leadsInside(_ source: String) -> Bool {
        guard let resolved = realpath(source, nil) else { return true }
        defer { free(resolved) }
        return String(cString: resolved).hasPrefix(root + "/")
    }

    private func staysInside(_ target: String, _ path: String) -> Bool {
        LinkTarget.staysInside(target, of: path)
    }
}

/// Judges the targets of symbolic links by their text.
package enum LinkTarget {
    /// Whether a link at `path`, relative to a directory, stays below that directory whatever other links are in it that
    /// stay below it: it is relative, and goes up only at its beginning and not above the directory.
    package static func staysInside(_ target: String, of path: String) -> Bool {
        guard !target.isEmpty, !target.hasPrefix("/") else { return false }
        let parts = target.split(separator: "/").filter { $0 != "." }
        let up = parts.prefix { $0 == ".." }.count
        return !parts.dropFirst(up).contains("..") && up <= path.split(separator: "/").count - 1
    }
}
