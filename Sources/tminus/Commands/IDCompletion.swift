internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon

/// Ids as completions of a shell: those that the running daemon has; none if there is no daemon.
enum IDCompletion {
    /// For the `completion` of an argument.
    static let kind = CompletionKind.custom { words, _, _ in
        guard
            let path = try? ControlSocketPath.ofDaemon(
                socket: value(of: "--socket", in: words), state: value(of: "--state", in: words)),
            let list = try? await ControlClient.connected(to: path, { try await $0.items() })
        else { return [] }
        return list.items.map(\.id)
    }

    /// What was typed for an option so far.
    private static func value(of option: String, in words: [String]) -> String? {
        if let joined = words.last(where: { $0.hasPrefix("\(option)=") }) {
            return String(joined.dropFirst(option.count + 1))
        }
        guard let place = words.lastIndex(of: option), place + 1 < words.count else { return nil }
        return words[place + 1]
    }
}
