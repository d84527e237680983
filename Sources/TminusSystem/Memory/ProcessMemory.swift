internal import CHeapTools
import Glibc

/// The memory that this process holds and does not need while nothing happens.
package enum ProcessMemory {
    /// Gives it back to the machine: what the heap has free, and the mapped pages of code, most of which only a start or a change
    /// of files runs. The kernel keeps the files' pages as long as it has room, so code that runs again costs a minor fault.
    ///
    /// Takes a few milliseconds, more with a gigabyte in use.
    package static func release() {
        malloc_trim(0)
        for range in FileBytes.read("/proc/self/smaps", limit: 1 << 24).map(code) ?? [] {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// The mappings of code in a text of the form of `/proc/PID/smaps` (proc_pid_smaps(5)) that are as they are in their files. One
    /// with pages of its own, such as the breakpoints of a debugger, would lose them.
    static func code(inMaps bytes: [UInt8]) -> [Range<UInt>] {
        var found: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in bytes.split(separator: 0x0A) {
            if line.starts(with: "Anonymous:".utf8) {
                if let range = candidate, number(in: line) == 0 { found.append(range) }
                candidate = nil
            } else if let range = range(inHeader: line) {
                candidate = isCode(line) ? range : nil
            }
        }
        return found
    }

    /// `55d0c0400000-55d0c0a00000 r-xp 00000000 08:01 1234   /usr/bin/tminus`
    private static func isCode(_ header: ArraySlice<UInt8>) -> Bool {
        let fields = header.split(separator: 0x20)
        return fields.count > 5 && fields[1].elementsEqual("r-xp".utf8) && fields[5].first == UInt8(ascii: "/")
    }

    private static func range(inHeader line: ArraySlice<UInt8>) -> Range<UInt>? {
        // The other lines have a ':' behind their first word, and no '-' in it.
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
