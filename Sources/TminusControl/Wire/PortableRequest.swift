/// A request to a control socket, in a form in which another machine can read it.
package struct PortableRequest: Codable, Sendable, Hashable {
    /// The method.
    package var method: String
    /// The path, with its query.
    package var path: String
    /// The values of the ``headers`` that it has, by their names.
    package var headers: [String: String]
    /// The body; nil if there is none.
    package var body: String?

    /// The headers that mean something to a route. Others concern the connection.
    package static let headers = ["content-type", "if-match", "if-none-match"]

    /// Creates a request.
    package init(method: String, path: String, headers: [String: String] = [:], body: String? = nil) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// The answer to a ``PortableRequest``.
package struct PortableAnswer: Codable, Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// The values of the ``headers`` that it has, by their names.
    package var headers: [String: String]
    /// The body.
    package var body: String

    /// The headers that mean something to a client.
    package static let headers = ["content-type", "etag", "link", "allow", "tminus-event"]

    /// Creates an answer.
    package init(status: Int, headers: [String: String] = [:], body: String) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The answer that tells of a problem.
    package init(_ problem: Problem) {
        let body = (try? ControlJSON.encode(problem)) ?? []
        self.init(
            status: problem.status, headers: ["content-type": "application/problem+json"],
            body: String(decoding: body, as: UTF8.self))
    }
}
