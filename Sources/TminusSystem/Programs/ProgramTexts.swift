/// Arguments or variables for execve(2) in one buffer, each followed by a NUL. A separate array for each would be most
/// of the cost of a start outside the kernel.
package struct ProgramTexts: Sendable {
    private var bytes: [UInt8] = []
    private var starts: [Int] = []

    /// No texts, with room for `count` texts of `bytes` bytes in all.
    package init(count: Int = 0, bytes: Int = 0) {
        starts.reserveCapacity(count)
        self.bytes.reserveCapacity(bytes)
    }

    /// Adds a text.
    package mutating func append(_ text: String) {
        starts.append(bytes.count)
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
    }

    /// Adds the variable `name=value`. The value is bytes, because it need not be UTF-8.
    package mutating func append(_ name: String, _ value: [UInt8]) {
        starts.append(bytes.count)
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "="))
        bytes.append(contentsOf: value)
        bytes.append(0)
    }

    /// Adds the variable `name=value`.
    package mutating func append(_ name: String, _ value: String) {
        append("\(name)=\(value)")
    }

    /// The value of a variable; nil if there is none of that name.
    func value(of name: String) -> ArraySlice<UInt8>? {
        let beginning = Array(name.utf8) + [UInt8(ascii: "=")]
        for start in starts where bytes[start...].starts(with: beginning) {
            return bytes[(start + beginning.count)...].prefix { $0 != 0 }
        }
        return nil
    }

    /// Calls `body` with pointers to the texts and a null pointer after the last. Nothing may write to them.
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
