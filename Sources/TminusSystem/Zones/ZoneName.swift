/// The names of zones, and the paths that contain them.
enum ZoneName {
    /// Whether the text may be a zone's name: parts of `A-Z a-z 0-9 . _ + -` between slashes, none of them `.` or `..`.
    ///
    /// No other text reaches the file system, so no name leads out of the database.
    static func isValid(_ name: String) -> Bool {
        guard (1...255).contains(name.utf8.count) else { return false }
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x2F, 0x5F: true
            default: false
            }
        }
        return isAllowed
            && name.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
            }
    }

    /// The name in a path below a `zoneinfo` directory, such as `/usr/share/zoneinfo/Europe/Berlin`.
    static func inPath(_ path: String, directory: String) -> String? {
        var rest: Substring
        if path.hasPrefix(directory + "/") {
            rest = path.dropFirst(directory.count + 1)
        } else {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard let index = parts.lastIndex(of: "zoneinfo"), index + 1 < parts.count else { return nil }
            rest = Substring(parts[(index + 1)...].joined(separator: "/"))
        }
        if rest.hasPrefix("posix/") { rest = rest.dropFirst(6) }
        return isValid(String(rest)) ? String(rest) : nil
    }
}
