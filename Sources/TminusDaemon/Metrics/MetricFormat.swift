/// The two formats of an answer.
enum MetricFormat: Sendable, Hashable, CaseIterable {
    /// The text format of Prometheus, version 0.0.4.
    case text
    /// OpenMetrics 1.0.
    case openMetrics

    /// The format that a header `Accept` prefers (RFC 9110, section 12.5.1); the text format if it names neither.
    init(accept: String?) {
        var (best, weight): (MetricFormat, Int) = (.text, 0)
        for part in (accept ?? "").split(separator: ",") {
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let media = words.first, let format = Self.format(media, words.dropFirst()) else { continue }
            let own = Self.weight(words.dropFirst())
            if own > weight { (best, weight) = (format, own) }
        }
        self = best
    }

    /// The format of a media range; nil if this program cannot write it.
    private static func format(_ media: String, _ parameters: ArraySlice<String>) -> MetricFormat? {
        let version = parameters.first { $0.hasPrefix("version=") }?.dropFirst("version=".count)
            .filter { $0 != "\"" }
        switch media {
        case "application/openmetrics-text": return [nil, "1.0.0"].contains(version) ? .openMetrics : nil
        case "text/plain": return [nil, "0.0.4"].contains(version) ? .text : nil
        case "text/*", "*/*": return .text
        default: return nil
        }
    }

    /// The weight in thousandths: 1000 unless it is given, 0 if it is not a number.
    private static func weight(_ parameters: ArraySlice<String>) -> Int {
        guard let text = parameters.first(where: { $0.hasPrefix("q=") })?.dropFirst(2) else { return 1_000 }
        guard let number = Double(text), number > 0 else { return 0 }
        return Int(min(number, 1) * 1_000)
    }

    /// The value of `Content-Type`.
    var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The last line.
    var end: String { self == .openMetrics ? "# EOF\n" : "" }

    /// The name in the lines HELP and TYPE. In OpenMetrics `_total` belongs to the sample alone.
    func familyName(_ family: MetricFamily) -> String {
        let isShort = self == .openMetrics && family.kind == .counter && family.name.hasSuffix("_total")
        return isShort ? String(family.name.dropLast("_total".count)) : family.name
    }

    /// The help with its escapes. OpenMetrics escapes quotation marks as well.
    func escapedHelp(_ text: String) -> String { Self.escaped(text, quotes: self == .openMetrics) }

    /// The value of a label with its escapes, the same in both formats.
    static func escapedLabel(_ text: String) -> String { escaped(text, quotes: true) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
