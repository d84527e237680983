import AsyncHTTPClient
import TminusCore

/// One request and its answer, within a time limit over all of it.
struct WebhookExchange {
    /// The head of an answer, by which the delivery is judged, and the rest of it.
    struct Answer: Sendable {
        var status: Int
        /// What the status means; nil: delivered.
        var verdict: DeliveryError?
        /// Reads the rest, so that the connection can be used again. Returns what is kept of it.
        var readBody: @Sendable () async -> DeliveryReport.Excerpt?
    }

    /// From the connection to the end of the answer.
    var timeout: Duration
    /// Sends the request; returns when the head of the answer is there.
    var send: @Sendable () async throws -> Answer
    /// What waits for the end of the time limit.
    var sleep: @Sendable (Duration) async throws -> Void

    private enum End: Sendable {
        case answered(Result<DeliveryReport, DeliveryError>)
        case timeout
        case cancelled
    }

    /// Performs the exchange.
    func perform() async throws(DeliveryError) -> DeliveryReport {
        let end = await withTaskGroup(of: End.self, returning: End.self) { group in
            group.addTask { [self] in await exchange() }
            group.addTask { [sleep, timeout] in
                (try? await sleep(timeout)) == nil ? .cancelled : .timeout
            }
            let first = await group.next() ?? .cancelled
            group.cancelAll()
            // A status that had arrived holds, though the time was over while the rest of the answer was read.
            if case .timeout = first, case .answered(let result)? = await group.next() { return .answered(result) }
            return first
        }
        switch end {
        case .answered(let result): return try result.get()
        case .timeout: throw .transient("timed out after \(PlainText.duration(timeout))")
        case .cancelled: throw .stopped
        }
    }

    private func exchange() async -> End {
        do {
            let answer = try await send()
            // What the status means is settled, whatever becomes of the body.
            let report = DeliveryReport(httpStatus: answer.status, body: await answer.readBody())
            guard var error = answer.verdict else { return .answered(.success(report)) }
            error.report = report
            return .answered(.failure(error))
        } catch let error as DeliveryError {
            return .answered(.failure(error))
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout {
            return .timeout
        } catch let error as HTTPClientError where error == .cancelled {
            return .cancelled
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .answered(.failure(WebhookVerdict.of(error)))
        }
    }
}
