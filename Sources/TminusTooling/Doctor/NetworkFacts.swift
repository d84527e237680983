internal import Dispatch
internal import FoundationEssentials
internal import Synchronization
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
    private static let limit: Duration = .seconds(3)

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

    /// Tries the servers, several at a time. Blocks meanwhile.
    static func ofMachine(_ servers: [Server]) -> Self {
        let servers = Array(servers.prefix(tried))
        let problems = Mutex([(server: Server, problem: NetworkProbe.Problem)]())
        let room = DispatchSemaphore(value: together)
        let all = DispatchGroup()
        for server in servers {
            room.wait()
            DispatchQueue(label: "tminus.doctor.network").async(group: all) {
                if let problem = NetworkProbe.problem(host: server.host, port: server.port, limit: limit) {
                    problems.withLock { $0.append((server, problem)) }
                }
                room.signal()
            }
        }
        all.wait()
        return Self(problems: problems.withLock(\.self))
    }

    /// A finding for each.
    var findings: [Finding] {
        problems.map { server, problem in
            let users = "which \(FindingText.some(server.definitions)) send to"
            let subject = "\(server.host):\(server.port)"
            return switch problem {
            case .noAddress(let reason):
                Finding(
                    .error, .noAddress, subject, "the name of this server, \(users), has no address: \(reason)",
                    fix: "correct the URL, or see what 'getent hosts \(FindingText.word(server.host))' says")
            case .noConnection(let reason):
                Finding(
                    .error, .noConnection, subject, "this server, \(users), takes no connection: \(reason)",
                    fix: "start the server, or open the port \(server.port) for this machine")
            }
        }
    }
}
