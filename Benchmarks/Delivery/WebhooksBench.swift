import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TminusCore

/// Webhooks a second by the sink alone, without a store and a dispatcher, to a server that answers 204, beside a bare loop of
/// async-http-client with as many connections.
struct WebhooksBench {
    let url: String
    private let count = 20_000
    private let connections = 16

    /// Webhooks a second.
    func figure() async throws -> DeliveryFigure {
        var rates: [Double] = []
        var peers: [Double] = []
        let delivery = Sample.delivery
        let sink = try Sample.sink(["webhook": url, "max-concurrent": "\(connections)"])
        let body = ByteBuffer(bytes: CloudEvent.json(delivery))
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let client = HTTPClient(configuration: configuration)
        for _ in 0..<DeliveryBench.rounds {
            peers.append(
                try await rate {
                    var request = HTTPClientRequest(url: url)
                    request.method = .POST
                    request.headers.add(name: "Content-Type", value: CloudEvent.contentType)
                    request.body = .bytes(body)
                    let response = try await client.execute(request, timeout: .seconds(10))
                    _ = try await response.body.collect(upTo: 4_096)
                    guard response.status.code == 204 else { throw Failure("the server says \(response.status)") }
                })
            rates.append(try await rate { try await sink.deliver(delivery) })
        }
        await sink.shutdown()
        try await client.shutdown()
        return DeliveryFigure(
            name: "webhooks by the sink alone, \(connections) connections", unit: "/s", values: rates, peer: peers,
            peerName: "bare async-http-client", target: .ratio(0.7))
    }

    private func rate(_ work: @escaping @Sendable () async throws -> Void) async throws -> Double {
        let share = count / connections
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<connections { group.addTask { for _ in 0..<share { try await work() } } }
                try await group.waitForAll()
            }
        }
        return Double(share * connections) / time.seconds
    }
}
