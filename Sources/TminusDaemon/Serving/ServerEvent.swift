internal import NIOCore
internal import TminusControl
internal import TminusCore

/// The server-sent events that are for one connection, and so have no id from which another could resume.
enum ServerEvent {
    /// The first one for a viewer that asked for the time: who answers, what the viewer may do, and the time.
    static func hello(version: String, level: AccessLevel, now: Timestamp) -> ByteBuffer {
        event("hello") { object in
            object.member("version", version)
            object.member("level", level.rawValue)
            object.member("now", now.rfc3339)
        }
    }

    /// The time.
    static func clock(now: Timestamp) -> ByteBuffer {
        event("clock") { $0.member("now", now.rfc3339) }
    }

    private static func event(_ kind: String, _ members: (inout JSONWriter) -> Void) -> ByteBuffer {
        var writer = JSONWriter(capacity: 128)
        writer.object(members)
        var bytes = ByteBuffer()
        bytes.write(kind, id: nil, writer.bytes)
        return bytes
    }
}

extension ByteBuffer {
    /// Appends a server-sent event (WHATWG HTML, section 9.2). One without an id leaves the id of the last event as it is.
    mutating func write(_ event: String, id: String?, _ data: [UInt8]) {
        if let id { writeString("id: \(id)\n") }
        writeString("event: \(event)\ndata: ")
        writeBytes(data)
        writeString("\n\n")
    }
}
