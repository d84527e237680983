internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon

/// Completes ids in a shell with those of the running daemon. Without a daemon there are no completions.
enum IDCompletion {
    /// The value for an argument's `completion` parameter.
    static let kind = CompletionKind.custom { words, _, _ in
        guard
            let path = try? ControlSocketPath.ofDaemon(
                socket: value(of: "--socket", in: words), state: value(of: "--state", in: words)),
            let list = try? await ControlClient.connected(to: path, { try await $0.items() })
        else { return [] }
        return list.items.map(\.id)
    }

    /// Returns the value typed for an option so far.
    private static func value(of option: String, in words: [String]) -> String? {
        if let joined = words.last(where: { $0.hasPrefix("\(option)=") }) {
            return String(joined.dropFirst(option.count + 1))
        }
        guard let place = words.lastIndex(of: option), place + 1 < words.count else { return nil }
        return words[place + 1]
    }
}
