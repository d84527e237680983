/// The reason why a request failed and what to do (RFC 9457, `application/problem+json`).
package struct Problem: Codable, Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem, which is the last part of its `type`.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The item, delivery or route does not exist.
        case notFound = "not-found"
        /// The route does not support the method.
        case wrongMethod = "wrong-method"
        /// The control does not apply to this kind of item or to its state.
        case unfit
        /// The request is invalid.
        case badRequest = "bad-request"
        /// The body is larger than allowed.
        case tooLarge = "too-large"
        /// The body did not arrive in time.
        case tooSlow = "too-slow"
        /// The body is of another media type.
        case wrongType = "wrong-type"
        /// Nobody is signed in, and no token was sent.
        case unauthorized
        /// The user of the connection, or the token, has no permission.
        case forbidden
        /// Too many tokens were wrong.
        case tooMany = "too-many"
        /// The request is for a host name that is not known here.
        case misdirected
        /// The file is not what the client believes it to be.
        case changed
        /// The files would have errors.
        case invalid
        /// The request does not say what it replaces.
        case unconditional
        /// The request cannot be done now; retry later.
        case unavailable
        /// A defect of the program.
        case `internal`

        /// The HTTP status code.
        package var status: Int {
            switch self {
            case .notFound: 404
            case .wrongMethod: 405
            case .unfit: 409
            case .badRequest: 400
            case .tooLarge: 413
            case .tooSlow: 408
            case .wrongType: 415
            case .unauthorized: 401
            case .forbidden: 403
            case .tooMany: 429
            case .misdirected: 421
            case .changed: 412
            case .invalid: 422
            case .unconditional: 428
            case .unavailable: 503
            case .internal: 500
            }
        }

        /// The kind in words.
        var title: String {
            switch self {
            case .notFound: "Not found"
            case .wrongMethod: "Method not allowed"
            case .unfit: "The control does not apply"
            case .badRequest: "Invalid request"
            case .tooLarge: "Request too large"
            case .tooSlow: "Request timed out"
            case .wrongType: "Wrong media type"
            case .unauthorized: "Not signed in"
            case .forbidden: "Permission denied"
            case .tooMany: "Too many attempts"
            case .misdirected: "Unknown host name"
            case .changed: "Changed by another"
            case .invalid: "Invalid definitions"
            case .unconditional: "Precondition required"
            case .unavailable: "Temporarily unavailable"
            case .internal: "Internal error"
            }
        }
    }

    /// `urn:tminus:problem:` followed by the kind.
    package var type: String
    /// The kind in words.
    package var title: String
    /// The HTTP status code.
    package var status: Int
    /// What is wrong and what to do, in one sentence without a full stop.
    package var detail: String
    /// Names similar to the one that was not found.
    package var near: [String]?
    /// The controls that are allowed.
    package var fitting: [String]?
    /// The problems that the files would have.
    package var diagnostics: [FileProblem]?
    /// The present text of a file that was changed by another.
    package var text: String?
    /// The entity tag of that text.
    package var etag: String?

    /// Creates a problem.
    package init(_ kind: Kind, _ detail: String, near: [String]? = nil, fitting: [String]? = nil) {
        type = Self.prefix + kind.rawValue
        title = kind.title
        status = kind.status
        self.detail = detail
        self.near = near
        self.fitting = fitting
    }

    /// The kind. An unknown type, from a later version, counts as a bad request.
    package var kind: Kind { Kind(rawValue: String(type.dropFirst(Self.prefix.count))) ?? .badRequest }

    /// The detail.
    package var description: String { detail }

    private static let prefix = "urn:tminus:problem:"
}
