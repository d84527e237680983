internal import CPlatform
internal import Glibc

/// The two ends of a pipe. Started programs do not inherit them.
package struct Pipe: ~Copyable, Sendable {
    /// The end to read from.
    package let read: Descriptor
    /// The end to write to.
    package let write: Descriptor

    /// A pipe whose ends block; nil if it cannot be created, with the reason in `errno`.
    package init?() {
        var ends: [CInt] = [-1, -1]
        guard tminus_pipe(&ends) == 0 else { return nil }
        let read = Descriptor(ends[0])
        let write = Descriptor(ends[1])
        guard let read, let write else { return nil }
        self.read = read
        self.write = write
    }

    /// Returns both numbers without closing them.
    consuming func take() -> (read: CInt, write: CInt) {
        (read.take(), write.take())
    }

    /// Makes reading and writing return at once.
    package func makeNonBlocking() {
        read.makeNonBlocking()
        write.makeNonBlocking()
    }

    /// Returns everything that has been written to a non-blocking pipe and not been read.
    package func drain() -> [UInt8] {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 512))
        while true {
            let count = Glibc.read(read.number, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
