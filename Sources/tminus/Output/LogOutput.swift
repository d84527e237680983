internal import Logging
internal import TminusCore
internal import TminusSystem

/// Writes log events to standard error, one line each.
struct LogOutput: LogHandler {
    let label: String
    let style: LogStyle
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        switch style.format {
        case .text:
            let pairs = values.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }.joined()
            StandardError.shared.write(
                "\(style.start(event.level))\(event.level): \(VisibleText.line("\(event.message)"))\(pairs)\n")
        case .json:
            var line = JSONWriter()
            line.object { object in
                Self.begin(&object, style.time.now, event.level, "\(event.message)")
                for (key, value) in values { object.member(userKey: key, "\(value)") }
            }
            StandardError.shared.write(String(decoding: line.bytes, as: UTF8.self) + "\n")
        }
    }

    /// Adds the members that every line of JSON begins with.
    static func begin(_ object: inout JSONWriter, _ now: String, _ level: Logger.Level, _ message: String) {
        object.member("time", now)
        object.member("level", level.rawValue)
        object.member("message", message)
    }

    /// Quotes a value with spaces, quotes or hidden characters, so each log event stays one line of `key=value` words.
    static func quoted(_ value: String) -> String {
        let isPlain = value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && !VisibleText.isHidden($0) }
        if isPlain, !value.isEmpty { return value }
        var text = "\""
        VisibleText.forEach(of: value) { scalar, isHidden in
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where isHidden: text += VisibleText.escape(scalar)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
