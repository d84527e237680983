internal import CPlatform
import Glibc

/// The memory of this process.
package enum ProcessMemory {
    /// Returns free heap memory and the pages of code to the kernel. Takes a few milliseconds, more with a gigabyte in use.
    package static func release() {
        tminus_trim_heap()
        releaseCode()
    }

    /// Returns the mapped pages of the program and its libraries to the kernel. Most code runs, and most constants are
    /// read, only at a start or when files change. The kernel keeps the pages in its file cache while it has room, so
    /// using one again costs a minor fault.
    package static func releaseCode() {
        let ranges = FileBytes.read("/proc/self/smaps", limit: 1 << 24).map(unwritten) ?? []
        tminus_release_code(ranges.map { tminus_range(start: $0.lowerBound, end: $0.upperBound) }, ranges.count)
    }

    /// The mappings of code and constants in the text of `/proc/PID/smaps` (proc_pid_smaps(5)) that equal their files. A
    /// mapping with pages of its own, such as a debugger's breakpoints, would lose them.
    static func unwritten(inMaps bytes: [UInt8]) -> [Range<UInt>] {
        var found: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in bytes.split(separator: 0x0A) {
            if line.starts(with: "Anonymous:".utf8) {
                if let range = candidate, number(in: line) == 0 { found.append(range) }
                candidate = nil
            } else if let range = range(inHeader: line) {
                candidate = isReadOnlyFile(line) ? range : nil
            }
        }
        return found
    }

    /// `55d0c0400000-55d0c0a00000 r-xp 00000000 08:01 1234   /usr/bin/tminus`
    private static func isReadOnlyFile(_ header: ArraySlice<UInt8>) -> Bool {
        let fields = header.split(separator: 0x20)
        return fields.count > 5 && ["r-xp", "r--p"].contains { fields[1].elementsEqual($0.utf8) }
            && fields[5].first == UInt8(ascii: "/")
    }

    private static func range(inHeader line: ArraySlice<UInt8>) -> Range<UInt>? {
        // In the other lines the first word ends with a ':' and contains no '-'.
        guard let dash = line.firstIndex(of: UInt8(ascii: "-")), let space = line.firstIndex(of: 0x20), dash < space,
            let start = UInt(String(decoding: line[..<dash], as: UTF8.self), radix: 16),
            let end = UInt(String(decoding: line[(dash + 1)..<space], as: UTF8.self), radix: 16), start < end
        else { return nil }
        return start..<end
    }

    private static func number(in line: ArraySlice<UInt8>) -> Int? {
        line.split(separator: 0x20).dropFirst().first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}
