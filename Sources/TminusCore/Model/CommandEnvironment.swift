/// The environment variables that describe a delivery to a command, in addition to the JSON object on its standard
/// input.
///
/// `TMINUS_ID`, `TMINUS_KIND`, `TMINUS_ACTION`, `TMINUS_NAME`, `TMINUS_DESCRIPTION`, `TMINUS_MESSAGE`, `TMINUS_DUE`,
/// `TMINUS_TIMEZONE`, `TMINUS_BEFORE`, `TMINUS_REMAINING`, `TMINUS_LATE`, `TMINUS_ATTEMPT`, `TMINUS_DELIVERY` are
/// always set, possibly to the empty text, so that `set -u` in a script is safe. Durations are in seconds, as in the
/// JSON object.
///
/// A label is `TMINUS_LABEL_<KEY>`: letters A to Z in upper case, digits kept, anything else `_`. If several labels
/// have the same name then, only the first by key is set.
///
/// The kernel limits the size of the environment (execve(2), "Limits on size of arguments and environment"), so the
/// variables are limited too: each value is cut to 8 KiB at a character boundary, and a label that would make the total
/// exceed 64 KiB is left out. NUL characters are removed. The JSON object is always complete.
package enum CommandEnvironment {
    /// The largest size of a value, in bytes.
    package static let valueLimit = 8 * 1024
    /// The largest size of all names and values, in bytes, including one byte for each `=` and each NUL.
    package static let limit = 64 * 1024

    /// Names and values. Each name occurs once: the fixed ones in the order above, then labels by key.
    package static func variables(for delivery: Delivery) -> [(name: String, value: String)] {
        let payload = delivery.payload
        var result: [(name: String, value: String)] = [
            ("TMINUS_ID", payload.id),
            ("TMINUS_KIND", payload.kind.rawValue),
            ("TMINUS_ACTION", delivery.action.rawValue),
            ("TMINUS_NAME", payload.name),
            ("TMINUS_DESCRIPTION", payload.description ?? ""),
            ("TMINUS_MESSAGE", payload.message),
            ("TMINUS_DUE", payload.due),
            ("TMINUS_TIMEZONE", payload.timezone),
            ("TMINUS_BEFORE", payload.before.map { DecimalSeconds.text($0.nanoseconds) } ?? ""),
            ("TMINUS_REMAINING", DecimalSeconds.text(payload.remaining.nanoseconds)),
            ("TMINUS_LATE", DecimalSeconds.text(payload.late)),
            ("TMINUS_ATTEMPT", String(delivery.attempt)),
            ("TMINUS_DELIVERY", delivery.id.rawValue),
        ].map { (name: $0.0, value: cut($0.1)) }
        var size = result.reduce(0) { $0 + cost($1.name, $1.value) }
        var names = Set(result.map(\.name))
        for (key, text) in payload.labels.sorted(by: { $0.key < $1.key }) {
            let name = labelName(key)
            let value = cut(text)
            guard size + cost(name, value) <= limit, names.insert(name).inserted else { continue }
            size += cost(name, value)
            result.append((name, value))
        }
        return result
    }

    private static func cost(_ name: String, _ value: String) -> Int { name.utf8.count + value.utf8.count + 2 }

    private static func labelName(_ key: String) -> String {
        var name = "TMINUS_LABEL_"
        for scalar in key.unicodeScalars {
            switch scalar {
            case "A"..."Z", "0"..."9": name.unicodeScalars.append(scalar)
            case "a"..."z": name.append(scalar.properties.uppercaseMapping)
            default: name.append("_")
            }
        }
        return name
    }

    private static func cut(_ text: String) -> String {
        if text.utf8.count <= valueLimit, !text.utf8.contains(0) { return text }
        var result = String.UnicodeScalarView()
        var size = 0
        for scalar in text.unicodeScalars where scalar != "\0" {
            size += UTF8.width(scalar)
            guard size <= valueLimit else { break }
            result.append(scalar)
        }
        return String(result)
    }
}
