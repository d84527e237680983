import AsyncHTTPClient
import TminusCore

/// One request and its answer, within one time limit.
struct WebhookExchange {
    /// The head of an answer, which decides about the delivery, and a way to read the rest.
    struct Answer: Sendable {
        var status: Int
        /// The error that the status means; nil: delivered.
        var verdict: DeliveryError?
        /// Reads the rest, so that the connection can be reused. Returns the part that is kept.
        var readBody: @Sendable () async -> DeliveryReport.Excerpt?
    }

    /// The limit from the connection to the end of the answer.
    var timeout: Duration
    /// Sends the request; returns when the head of the answer has arrived.
    var send: @Sendable () async throws -> Answer
    /// Waits for the time limit in place of the clock.
    var sleep: TimeLimit.Sleep?

    private var timedOut: DeliveryError { .transient("timed out after \(PlainText.duration(timeout))") }

    /// Performs the exchange.
    func perform() async throws(DeliveryError) -> DeliveryReport {
        let task = Task { await exchange() }
        let limit = TimeLimit(timeout, sleep: sleep) { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        limit.end()
        guard let result else { throw Task.isCancelled ? .stopped : timedOut }
        return try result.get()
    }

    /// Returns nil if the request was cancelled before the head of the answer.
    private func exchange() async -> Result<DeliveryReport, DeliveryError>? {
        do {
            let answer = try await send()
            // The status decides, even if the rest cannot be read or the time is over meanwhile.
            let report = DeliveryReport(httpStatus: answer.status, body: await answer.readBody())
            guard var error = answer.verdict else { return .success(report) }
            error.report = report
            return .failure(error)
        } catch let error as DeliveryError {
            return .failure(error)
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout {
            return .failure(timedOut)
        } catch let error as HTTPClientError where error == .cancelled {
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return .failure(WebhookVerdict.of(error))
        }
    }
}
