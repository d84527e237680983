import AsyncHTTPClient
import Synchronization
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
    /// What waits for the end of the time limit, in the place of the clock.
    var sleep: TimeLimit.Sleep?

    private enum End: Sendable {
        case answered(Result<DeliveryReport, DeliveryError>)
        case timeout
        case cancelled
    }

    /// Performs the exchange.
    func perform() async throws(DeliveryError) -> DeliveryReport {
        let isOver = Flag()
        let task = Task { await exchange() }
        let limit = TimeLimit(timeout, sleep: sleep) {
            isOver.value.store(true, ordering: .relaxed)
            task.cancel()
        }
        let end = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        limit.end()
        switch end {
        // A status that had arrived holds, though the time was over while the rest of the answer was read.
        case .answered(let result): return try result.get()
        case .cancelled where !isOver.value.load(ordering: .relaxed): throw .stopped
        case .timeout, .cancelled: throw .transient("timed out after \(PlainText.duration(timeout))")
        }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
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
