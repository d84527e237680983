import Glibc
import TminusCore
import TminusSystem

/// Writes the lines that wait, on the thread of their file.
struct PayloadWriter {
    typealias Line = PayloadFile.Line
    typealias End = PayloadFile.End

    let path: String
    let isSynced: Bool
    let rotation: PayloadRotation
    let now: @Sendable () -> Timestamp
    let place: PayloadPlace
    /// Gets each repair, as does the report of the delivery that made it, because operators read the log.
    let log: SinkLog

    /// The most bytes of one write(2).
    private static let writeLimit = 1 << 20

    /// Writes the lines that `take` returns, and returns how each ended.
    ///
    /// Takes them under the lock of the file: waiting for it can take any time, in which more lines come and others are cancelled.
    func write(taking take: () -> [Line]) -> [End] {
        var rest: [Line] = []
        var ends: [End] = []
        var notes: [String] = []
        do throws(DeliveryError) {
            var mayRotate = true
            repeat {
                let file = try place.locked()
                defer { flock(file, LOCK_UN) }
                rest = rest.filter { !$0.isOver } + take()
                guard let first = rest.first else { break }
                let end = try PayloadTail(descriptor: file, path: path).repair()
                if end.removed > 0 {
                    let note = "removed \(end.removed) bytes of a line that a crash had cut off from '\(path)'"
                    notes.append(note)
                    log.warning(note)
                }
                if mayRotate, isDue(end, first) {
                    let number = rotation.rotate(path)
                    if number == 0 {
                        if isSynced { ParentDirectory.sync(ParentDirectory.of(path)) }
                        continue
                    }
                    // The lines matter more than the size of the file.
                    notes.append("'\(path)' cannot be rotated: \(ErrorText.of(number))")
                    mayRotate = false
                }
                let written = try append(rest, to: file, end, isBounded: mayRotate, &notes)
                ends += written
                rest.removeFirst(written.count)
            } while !rest.isEmpty
        } catch {
            ends += (rest + take()).map { End(line: $0, result: .failure(error)) }
        }
        return ends
    }

    private func isDue(_ end: PayloadTail.End, _ first: Line) -> Bool {
        guard rotation.size != nil || rotation.age != nil else { return false }
        let instant = now()
        let began = rotation.age == nil || end.length == 0 ? nil : place.began(now: instant)
        return rotation.isDue(length: Int(end.length), next: first.bytes.count, began: began, now: instant)
    }

    /// Appends lines with one write(2), as many as go into one and into the file, and returns how they ended.
    private func append(
        _ lines: [Line], to file: CInt, _ end: PayloadTail.End, isBounded: Bool, _ notes: inout [String]
    ) throws(DeliveryError) -> [End] {
        let room = isBounded ? rotation.room(for: lines.lazy.map(\.bytes.count), length: Int(end.length)) : Int.max
        var bytes: [UInt8] = end.needsBreak ? [UInt8(ascii: "\n")] : []
        bytes.reserveCapacity(min(Self.writeLimit, lines.reduce(1) { $0 + $1.bytes.count }))
        var ends: [Int] = []
        for line in lines.prefix(room) where ends.isEmpty || bytes.count + line.bytes.count <= Self.writeLimit {
            bytes += line.bytes
            ends.append(bytes.count)
        }
        var written: Int
        repeat {
            written = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        } while written < 0 && errno == EINTR
        // A short write has no errno: the disk, a quota or a limit is full.
        let number = written < 0 ? errno : ENOSPC
        let whole = ends.prefix { $0 <= written }.count
        if written > 0, written < bytes.count {
            let length = end.length + off_t(whole > 0 ? ends[whole - 1] : 0)
            guard ftruncate(file, length) == 0 else {
                throw .transient("'\(path)': a part of a line could not be taken back: \(ErrorText.last)")
            }
        }
        if whole > 0, isSynced, fdatasync(file) != 0 { throw place.failure(errno) }
        return lines.prefix(ends.count).enumerated().map { index, line in
            guard index < whole else { return End(line: line, result: .failure(place.failure(number))) }
            defer { notes = [] }
            let note = notes.isEmpty ? nil : DeliveryReport.Excerpt(head: notes.joined(separator: "; ").utf8)
            return End(line: line, result: .success(DeliveryReport(note: note)))
        }
    }
}
