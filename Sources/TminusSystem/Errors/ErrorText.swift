internal import Glibc

/// The messages of the C library for error numbers.
package enum ErrorText {
    /// The message for an `errno`, from strerror_r(3).
    package static func of(_ code: CInt) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        _ = strerror_r(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The message for the error of the last system call.
    package static var last: String { of(errno) }
}
