import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TminusCore

/// Webhooks a second by the sink alone, without a store and a dispatcher, to a server that answers 204, beside a bare loop of
/// async-http-client with as many connections.
struct WebhooksBench: DeliveryPart {
    let url: String
    private let count = 20_000
    /// The two take turns, so that both have the same share of a second in which the machine is slow.
    private let turns = 10
    private let connections = 16

    /// Webhooks a second.
    func run() async throws -> [DeliveryFigure] {
        let delivery = Sample.delivery
        let sink = try Sample.sink(["webhook": url, "max-concurrent": "\(connections)"])
        let body = ByteBuffer(bytes: CloudEvent.json(delivery))
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let client = HTTPClient(configuration: configuration)
        var (bare, own) = (Duration.zero, Duration.zero)
        for _ in 0..<turns {
            bare += try await turn {
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                request.headers.add(name: "Content-Type", value: CloudEvent.contentType)
                request.body = .bytes(body)
                let response = try await client.execute(request, timeout: .seconds(10))
                _ = try await response.body.collect(upTo: 4_096)
                guard response.status.code == 204 else { throw Failure("the server says \(response.status)") }
            }
            own += try await turn { try await sink.deliver(delivery) }
        }
        await sink.shutdown()
        try await client.shutdown()
        return [
            DeliveryFigure(
                name: "webhooks by the sink alone, \(connections) connections", unit: "/s",
                values: [Double(count) / own.seconds], peer: [Double(count) / bare.seconds],
                peerName: "bare async-http-client", target: .ratio(0.7))
        ]
    }

    /// How long a turn of the requests takes.
    private func turn(_ work: @escaping @Sendable () async throws -> Void) async throws -> Duration {
        let share = count / turns / connections
        return try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<connections { group.addTask { for _ in 0..<share { try await work() } } }
                try await group.waitForAll()
            }
        }
    }
}
