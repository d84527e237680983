import Glibc

/// Lists the zones in a directory of TZif files.
enum ZoneIndex {
    /// All names, sorted: the existing ones of `tzdata.zi`, or the ones that a walk finds.
    static func names(in directory: String) -> [String] {
        if let bytes = FileBytes.read("\(directory)/tzdata.zi", limit: 4_194_304) {
            let listed = names(inSource: bytes).filter { access("\(directory)/\($0)", R_OK) == 0 }
            if !listed.isEmpty { return listed.sorted() }
        }
        var found: [String] = []
        walk(directory, "", depth: 4, into: &found)
        return found.sorted()
    }

    /// The version of tzdata by the first line of `tzdata.zi` (`# version 2025b`), else by `+VERSION`.
    static func version(in directory: String) -> String? {
        func firstLine(_ file: String) -> String? {
            FileBytes.read("\(directory)/\(file)", limit: 4_194_304)
                .map { String(decoding: $0.prefix { $0 != 0x0A }.prefix(64), as: UTF8.self) }
        }
        let version =
            firstLine("tzdata.zi").flatMap { $0.hasPrefix("# version ") ? String($0.dropFirst(10)) : nil }
            ?? firstLine("+VERSION")
        return version?.isEmpty == false ? version : nil
    }

    /// The names of zones (`Z NAME ...`) and links (`L TARGET NAME`) in the compact source of tzdata (zic(8)).
    static func names(inSource bytes: [UInt8]) -> [String] {
        var names: Set<String> = []
        for line in bytes.split(separator: 0x0A) where line.first == 0x5A || line.first == 0x4C {
            let fields = line.split(separator: 0x20, maxSplits: 3)
            let index = line.first == 0x5A ? 1 : 2
            guard index < fields.count, fields[0].count == 1 else { continue }
            let name = String(decoding: fields[index], as: UTF8.self)
            if ZoneName.isValid(name) { names.insert(name) }
        }
        return Array(names)
    }

    /// The TZif files below a directory, without the copies in `posix` and `right`.
    private static func walk(_ directory: String, _ prefix: String, depth: Int, into names: inout [String]) {
        guard depth > 0, let stream = opendir("\(directory)/\(prefix)") else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let skipped = prefix.isEmpty && ["posix", "right", "localtime", "posixrules"].contains(name)
            guard names.count < 10_000, !skipped, ZoneName.isValid(prefix + name) else { continue }
            let path = "\(directory)/\(prefix)\(name)"
            var status = Glibc.stat()
            guard stat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                walk(directory, prefix + name + "/", depth: depth - 1, into: &names)
            } else if FileBytes.read(path, limit: 262_144)?.starts(with: "TZif".utf8) == true {
                names.append(prefix + name)
            }
        }
    }
}
