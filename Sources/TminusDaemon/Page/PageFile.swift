internal import CZlib
internal import NIOCore

/// A file of the web page, ready to be answered with.
struct PageFile: Sendable {
    /// The media type.
    let type: String
    /// The bytes.
    let plain: ByteBuffer
    /// The same as a gzip file (RFC 1952); nil if that is not smaller.
    let zipped: ByteBuffer?

    /// A file with a name such as `main.js`.
    init(_ name: String, _ bytes: [UInt8]) {
        type = Self.types.first { name.hasSuffix($0.suffix) }?.type ?? "application/octet-stream"
        plain = ByteBuffer(bytes: bytes)
        zipped = Self.gzip(bytes).map { ByteBuffer(bytes: $0) }
    }

    private static let types = [
        (suffix: ".html", type: "text/html; charset=utf-8"), (suffix: ".css", type: "text/css; charset=utf-8"),
        (suffix: ".js", type: "text/javascript; charset=utf-8"), (suffix: ".svg", type: "image/svg+xml"),
    ]

    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let zipped = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            count = bytes.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = room.baseAddress else { return 0 }
                return tminus_gzip(from, input.count, to, room.count)
            }
        }
        return zipped.isEmpty ? nil : zipped
    }
}
