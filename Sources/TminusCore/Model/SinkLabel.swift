extension SinkSpec {
    /// A label for a sink that is written inside an action, such as `shell './hooks/launch.sh' (launch.yaml:27)`.
    ///
    /// It contains no secret. It shows only the host of a URL, only the words of a command before the first option,
    /// variable, quote or URL, and nothing of a secret reference.
    ///
    /// - Parameters:
    ///   - options: The mapping with the options, including the kind's own key.
    ///   - place: The file and line; nil for a sink without a file.
    public static func label(kind: String, options: Node, place: String?) -> String {
        var parts = [kind]
        if case .mapping(let entries) = options.content, let value = entries.first(where: { $0.key == kind })?.value,
            let target = target(value)
        {
            parts.append("'\(target)'")
        }
        if let place { parts.append("(\(place))") }
        return parts.joined(separator: " ")
    }

    /// The command or host of a sink, as far as it may be shown; nil if nothing may be shown.
    private static func target(_ value: Node) -> String? {
        switch value.content {
        case .scalar(let text) where text.contains("://") && !text.contains(where: \.isWhitespace): host(of: text)
        case .scalar(let text): command(text.split { $0.isWhitespace }.map(String.init))
        case .sequence(let nodes):
            command(
                nodes.map { node in
                    // A secret reference ends the shown words.
                    if case .scalar(let word) = node.content { word } else { "-" }
                })
        case .mapping, .null: nil
        }
    }

    /// The host of a URL, without user and port.
    private static func host(of url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let host = address.hasPrefix("[") ? address.prefix { $0 != "]" } + "]" : address.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host.prefix(longest))
    }

    /// The first words of a command.
    private static func command(_ words: [String]) -> String? {
        let isPlain = { (word: String) in
            !word.hasPrefix("-") && !word.contains("://") && !word.contains { "='\"$`\\".contains($0) }
        }
        let shown = words.drop { $0.contains("=") }.prefix(while: isPlain).joined(separator: " ")
        if shown.isEmpty { return nil }
        return shown.count > longest ? "\(shown.prefix(longest - 3))..." : shown
    }

    /// The longest command or host that is shown.
    private static let longest = 40
}
