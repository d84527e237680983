internal import FoundationEssentials
internal import TminusCore
internal import TminusSystem

/// Whether the servers of webhooks can be reached.
struct NetworkFacts: Sendable {
    /// A server, and who sends to it.
    struct Server: Sendable, Hashable {
        /// The name or address.
        var host: String
        /// The port.
        var port: Int
        /// The definitions that send to it, sorted.
        var definitions: [String]
    }

    /// Servers that cannot be reached, with the reason.
    var problems: [(server: Server, problem: NetworkProbe.Problem)]

    /// The most servers that are tried.
    private static let tried = 200
    private static let together = 16

    /// The servers that the webhooks of definitions name. Addresses that are secrets are not read.
    static func servers(of definitions: DefinitionSet) -> [Server] {
        var users: [SinkKey: Set<String>] = [:]
        for definition in definitions.definitions.values {
            let keys =
                definition.reminders.flatMap(\.actions) + definition.onExpiry + definition.onElapsed
                + definition.onFailure
            for key in keys { users[key, default: []].insert(definition.id.rawValue) }
        }
        var servers: [String: Server] = [:]
        for (key, sink) in definitions.sinks where sink.kind == "webhook" {
            guard let names = users[key], let (host, port) = server(of: sink.options) else { continue }
            let known = servers["\(host) \(port)"]?.definitions ?? []
            servers["\(host) \(port)"] = Server(
                host: host, port: port, definitions: names.union(known).sorted())
        }
        return servers.values.sorted { ($0.host, $0.port) < ($1.host, $1.port) }
    }

    private static func server(of options: Node) -> (host: String, port: Int)? {
        guard case .mapping(let entries) = options.content,
            case .scalar(let text)? = entries.first(where: { $0.key == "webhook" })?.value.content,
            let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty
        else { return nil }
        return (host, parts.port ?? (parts.scheme?.lowercased() == "http" ? 80 : 443))
    }

    /// Tries a server. Blocks meanwhile; nil if it takes a connection.
    typealias Probe = @Sendable (Server) -> NetworkProbe.Problem?

    /// Tries the servers, several at a time.
    ///
    /// - Parameter limit: How long one may take. Its name, for which there is no limit, is then taken to have no address.
    static func ofMachine(
        _ servers: [Server], limit: Duration = .seconds(15), probe: @escaping Probe = Self.probe
    ) async -> Self {
        let servers = servers.prefix(tried)
        return await withTaskGroup(of: (Server, NetworkProbe.Problem?).self) { group in
            var problems: [(server: Server, problem: NetworkProbe.Problem)] = []
            func take(_ result: (Server, NetworkProbe.Problem?)?) {
                if let (server, problem) = result, let problem { problems.append((server, problem)) }
            }
            for (place, server) in servers.enumerated() {
                if place >= together { take(await group.next()) }
                group.addTask {
                    let answer = await Bounded.run(within: limit) { probe(server) }
                    return (server, answer ?? .noAddress("the resolver gives no answer"))
                }
            }
            for await result in group { take(result) }
            return Self(problems: problems)
        }
    }

    private static let probe: Probe = { NetworkProbe.problem(host: $0.host, port: $0.port, limit: .seconds(3)) }

    /// A finding for each.
    var findings: [Finding] {
        problems.map { server, problem in
            let users = "which \(FindingText.some(server.definitions)) send to"
            let subject = "\(server.host):\(server.port)"
            return switch problem {
            case .noAddress(let reason):
                Finding(
                    .error, .noAddress, subject, "the name of this server, \(users), has no address: \(reason)",
                    fix: "correct the URL, or see what 'getent hosts \(ShellWord.quoted(server.host))' says")
            case .noConnection(let reason):
                Finding(
                    .error, .noConnection, subject, "this server, \(users), takes no connection: \(reason)",
                    fix: "start the server, or open the port \(server.port) for this machine")
            }
        }
    }
}
