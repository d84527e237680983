/// Texts for execve(2): one behind the other, each with a NUL at its end, because an array for each would be most of the work of a start
/// outside the kernel.
struct ProgramTexts: Sendable {
    private var bytes: [UInt8] = []
    private var starts: [Int] = []

    /// None, with room for so many.
    init(count: Int = 0, bytes: Int = 0) {
        starts.reserveCapacity(count)
        self.bytes.reserveCapacity(bytes)
    }

    /// One more.
    mutating func append(_ text: some Collection<UInt8>) {
        starts.append(bytes.count)
        bytes.append(contentsOf: text)
        bytes.append(0)
    }

    /// One more: `name=value`.
    mutating func append(_ name: String, _ value: some Collection<UInt8>) {
        starts.append(bytes.count)
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes.append(contentsOf: value)
        bytes.append(0)
    }

    /// The value of the variable of that name; nil if there is none.
    func value(of name: String) -> ArraySlice<UInt8>? {
        let beginning = Array(name.utf8) + [UInt8(ascii: "=")]
        for start in starts where bytes[start...].starts(with: beginning) {
            return bytes[(start + beginning.count)...].prefix { $0 != 0 }
        }
        return nil
    }

    /// Gives them as pointers, with a null pointer behind the last, for the time of the call. Nobody may write to them.
    func withPointers<Value>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value) -> Value {
        bytes.withUnsafeBytes { bytes in
            var pointers: [UnsafeMutablePointer<CChar>?] = []
            pointers.reserveCapacity(starts.count + 1)
            for start in starts {
                let text = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0 + start) }
                pointers.append(text?.assumingMemoryBound(to: CChar.self))
            }
            pointers.append(nil)
            return body(pointers)
        }
    }
}
