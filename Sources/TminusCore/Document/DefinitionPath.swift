/// Which paths below the config directory are read, by their names alone.
package enum DefinitionPath {
    /// The suffixes of definition files, in any case.
    package static let suffixes = [".yaml", ".yml", ".json"]
    /// The suffix of a JSON Schema for definition files, which is none itself.
    package static let schemaSuffix = ".schema.json"

    /// Whether a file or directory of that name is hidden: it is never read.
    package static func isHidden(_ name: some StringProtocol) -> Bool {
        name.isEmpty || name.hasPrefix(".") || name.hasPrefix("#") || name.hasSuffix("~")
    }

    /// Whether a file of that name is a definition file.
    package static func isDefinition(_ name: some StringProtocol) -> Bool {
        !isHidden(name) && hasSuffix(name) && !isSchema(name)
    }

    /// Whether a file of that name is a JSON Schema.
    package static func isSchema(_ name: some StringProtocol) -> Bool { name.lowercased().hasSuffix(schemaSuffix) }

    /// Whether an absolute path is below `root`, and a file there, or the files of a directory there, are read. Both
    /// paths are compared as text, after `.` and `..` are resolved.
    static func isRead(_ path: String, in root: String, isDirectory: Bool) -> Bool {
        let (root, path) = (parts(root), parts(path))
        guard path.starts(with: root) else { return false }
        let below = path.dropFirst(root.count)
        let directories = isDirectory ? below[...] : below.dropLast()
        guard directories.allSatisfy({ !isHidden($0) && !hasSuffix($0) }) else { return false }
        return isDirectory || below.last.map { isDefinition($0) } ?? false
    }

    private static func hasSuffix(_ name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return suffixes.contains { name.hasSuffix($0) }
    }

    private static func parts(_ path: String) -> [Substring] {
        path.split(separator: "/").reduce(into: []) { parts, part in
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
    }
}
