internal import TminusCore
internal import TminusSystem

/// Which paths a client of the daemon may name. They are compared with those that were listed, and never resolved.
extension ConfigFiles {
    /// Whether a file is listed at exactly that path below the directory. One that a link leads out of the directory does not count.
    package func has(_ path: String) -> Bool {
        contents.files.contains { $0.path == path } && !leadsOut(path)
    }

    /// Why files may be missing from the list, such as a directory that could not be read; nil if the list is complete.
    package var gap: String? { contents.problems.first?.message }

    /// Why no new file can be made at a path below the directory; nil if one can.
    ///
    /// It must have a plain name with the suffix of a definition file, in the directory itself or in one of a listed file.
    package func objection(toNew path: String) -> String? {
        if contents.files.contains(where: { $0.path == path }) {
            return "'\(path)' is a link that leads out of the config directory, or is there already"
        }
        let (directory, name) = Self.split(path)
        guard path == name || has(directory: directory) else {
            return "'\(path)' is not in the list of files, and no listed file is in the directory '\(directory)'"
        }
        // What is not UTF-8 has become U+FFFD in the request; a percent sign would be taken for an escape by somebody.
        let isPlain = !name.unicodeScalars.contains {
            $0 == "\\" || $0 == "%" || $0 == "\u{FFFD}" || VisibleText.isHidden($0)
        }
        guard isPlain, name.utf8.count <= Self.longestName, DefinitionPath.isDefinition(name) else {
            return "'\(name)' would not be read: a definition file ends in .yaml, .yml or .json, is not hidden, and has"
                + " a plain name of at most \(Self.longestName) bytes"
        }
        return nil
    }

    /// The longest name of a file, in bytes (NAME_MAX of Linux).
    private static let longestName = 255

    private func has(directory: String) -> Bool {
        !directory.isEmpty && contents.files.contains { Self.split($0.path).directory == directory }
            && !leadsOut(directory)
    }

    /// Whether a path leads out of the directory when all links are followed.
    func leadsOut(_ path: String) -> Bool {
        !MachinePaths.absolute(absolute(path)).hasPrefix("\(contents.root)/")
    }

    /// The directory of a path below the config directory, empty for that itself, and the name.
    package static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }
}
