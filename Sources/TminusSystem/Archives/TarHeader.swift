/// The header blocks of a tar archive: the ustar format, and the pax records for what does not fit into it (POSIX.1-2017,
/// pax, "pax Interchange Format" and "ustar Interchange Format").
enum TarHeader {
    /// Archives consist of blocks of this size; the content of a member is filled up with zeros.
    static let blockSize = 512
    /// The largest size that a ustar header can tell.
    private static let largestSize = 0o77_777_777_777

    /// A header as it was read.
    struct Block: Hashable {
        var path: String
        /// The type flag.
        var type: UInt8
        var size: Int
        var mode: UInt32
        var modified: Int
        var link: String
    }

    /// The header of a member, with a pax header before it if a text or the size does not fit.
    static func encode(_ entry: TarEntry) -> [UInt8] {
        var records: [UInt8] = []
        let isDirectory = entry.kind == .directory
        let path = isDirectory ? entry.path + "/" : entry.path
        var (size, link, type) = (0, "", UInt8(ascii: isDirectory ? "5" : "0"))
        switch entry.kind {
        case .file(let bytes): size = bytes
        case .directory: break
        case .link(let target): (link, type) = (target, UInt8(ascii: "2"))
        }
        let split = split(path)
        if split == nil { records += record("path", path) }
        if link.utf8.count > 100 { records += record("linkpath", link) }
        if size > largestSize { records += record("size", String(size)) }
        let (prefix, name) = split ?? ("", ascii(path, 100))
        let header = block(
            name: name, prefix: prefix, type: type, size: size > largestSize ? 0 : size, mode: entry.mode,
            modified: entry.modified, link: link.utf8.count > 100 ? ascii(link, 100) : link)
        guard !records.isEmpty else { return header }
        let extended = block(
            name: "PaxHeaders/\(ascii(entry.path, 80))", prefix: "",
            type: UInt8(ascii: "x"), size: records.count, mode: 0o644, modified: entry.modified, link: "")
        return extended + records + padding(after: records.count) + header
    }

    /// The zeros that fill the last block of a content.
    static func padding(after size: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (blockSize - size % blockSize) % blockSize)
    }

    /// Reads a block; nil if it is the end of the archive: only zeros.
    static func decode(_ block: [UInt8]) throws(TarProblem) -> Block? {
        guard block.contains(where: { $0 != 0 }) else { return nil }
        let magic = block[257..<263]
        guard magic.elementsEqual("ustar\0".utf8) || magic.elementsEqual("ustar ".utf8) else {
            throw TarProblem(text: "is no tar archive, or damaged: a header has no mark")
        }
        let sum = block.indices.reduce(0) { $0 + Int((148..<156).contains($1) ? 0x20 : block[$1]) }
        guard try number(block[148..<156], "checksum") == sum else {
            throw TarProblem(text: "is damaged: a header has a wrong checksum")
        }
        let name = try text(block[0..<100])
        // In GNU's own format there are times where ustar has the beginning of the path.
        let prefix = magic.elementsEqual("ustar\0".utf8) ? try text(block[345..<500]) : ""
        return Block(
            path: prefix.isEmpty ? name : "\(prefix)/\(name)", type: block[156],
            size: try number(block[124..<136], "size"),
            mode: UInt32(truncatingIfNeeded: try number(block[100..<108], "mode")) & 0o7777,
            modified: try number(block[136..<148], "time"), link: try text(block[157..<257]))
    }

    /// The records of a pax header by their keys: `LENGTH KEY=VALUE`, each with a line break at its end.
    static func records(_ bytes: [UInt8]) throws(TarProblem) -> [String: String] {
        var records: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != 0x20 }
            guard let length = Int(String(decoding: digits, as: UTF8.self)), length > digits.count + 1,
                length <= rest.count, rest[rest.startIndex + length - 1] == 0x0A,
                let line = String(
                    validating: rest[(rest.startIndex + digits.count + 1)..<(rest.startIndex + length - 1)],
                    as: UTF8.self),
                let sign = line.firstIndex(of: "=")
            else { throw TarProblem(text: "is damaged: an extended header cannot be read") }
            records[String(line[..<sign])] = String(line[line.index(after: sign)...])
            rest = rest.dropFirst(length)
        }
        return records
    }

    /// The length of a record counts its own digits.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while length != rest.utf8.count + String(length).utf8.count {
            length = rest.utf8.count + String(length).utf8.count
        }
        return Array("\(length)\(rest)".utf8)
    }

    /// The end of a text that an extended header replaces, for programs that do not know extended headers.
    private static func ascii(_ text: String, _ count: Int) -> String {
        String(decoding: text.utf8.filter { $0 < 0x80 }.suffix(count), as: UTF8.self)
    }

    /// A path in two parts that fit: the beginning without the slash between them, and the name.
    private static func split(_ path: String) -> (prefix: String, name: String)? {
        let bytes = Array(path.utf8)
        if bytes.count <= 100 { return ("", path) }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "/") && index <= 155 && index > 0 {
            let name = bytes[(index + 1)...]
            guard !name.isEmpty, name.count <= 100 else { continue }
            return (String(decoding: bytes[..<index], as: UTF8.self), String(decoding: name, as: UTF8.self))
        }
        return nil
    }

    private static func block(
        name: String, prefix: String, type: UInt8, size: Int, mode: UInt32, modified: Int, link: String
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockSize)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        func put(_ number: Int, at offset: Int, digits: Int) {
            let text = String(max(0, number), radix: 8)
            put(String(repeating: "0", count: max(0, digits - text.utf8.count)) + text.suffix(digits), at: offset)
        }
        put(name, at: 0)
        put(Int(mode), at: 100, digits: 7)
        // The owner is that of the user who restores.
        put(0, at: 108, digits: 7)
        put(0, at: 116, digits: 7)
        put(size, at: 124, digits: 11)
        put(modified, at: 136, digits: 11)
        put("        ", at: 148)
        block[156] = type
        put(link, at: 157)
        put("ustar\u{0}00", at: 257)
        put(0, at: 329, digits: 7)
        put(0, at: 337, digits: 7)
        put(prefix, at: 345)
        put(block.reduce(0) { $0 + Int($1) }, at: 148, digits: 6)
        block[154] = 0
        return block
    }

    /// An octal number, filled up with zeros, spaces and NUL.
    private static func number(_ field: ArraySlice<UInt8>, _ what: String) throws(TarProblem) -> Int {
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        if digits.isEmpty { return 0 }
        guard let number = Int(String(decoding: digits, as: UTF8.self), radix: 8), number >= 0 else {
            throw TarProblem(text: "is damaged, or no ustar archive: the \(what) of a header is no octal number")
        }
        return number
    }

    private static func text(_ field: ArraySlice<UInt8>) throws(TarProblem) -> String {
        guard let text = String(validating: field.prefix { $0 != 0 }, as: UTF8.self) else {
            throw TarProblem(text: "has a name that is not UTF-8")
        }
        return text
    }
}
