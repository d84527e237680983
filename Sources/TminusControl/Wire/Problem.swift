/// Why a request was not done, and what to do (RFC 9457, `application/problem+json`).
package struct Problem: Codable, Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of problem: the end of its `type`.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// There is no such item, delivery or route.
        case notFound = "not-found"
        /// The route has no such method.
        case wrongMethod = "wrong-method"
        /// A control that does not fit what the item is or how it stands.
        case unfit
        /// The request cannot be understood.
        case badRequest = "bad-request"
        /// The body is larger than any request needs.
        case tooLarge = "too-large"
        /// The body did not come in time.
        case tooSlow = "too-slow"
        /// The user of the other end may not ask.
        case forbidden
        /// It cannot be done now, and may be later.
        case unavailable
        /// A defect.
        case `internal`

        /// The status of the answer.
        package var status: Int {
            switch self {
            case .notFound: 404
            case .wrongMethod: 405
            case .unfit: 409
            case .badRequest: 400
            case .tooLarge: 413
            case .tooSlow: 408
            case .forbidden: 403
            case .unavailable: 503
            case .internal: 500
            }
        }

        var title: String {
            switch self {
            case .notFound: "There is no such thing"
            case .wrongMethod: "The route has no such method"
            case .unfit: "The control does not fit"
            case .badRequest: "The request cannot be understood"
            case .tooLarge: "The request is too large"
            case .tooSlow: "The request did not come in time"
            case .forbidden: "This user may not ask"
            case .unavailable: "It cannot be done now"
            case .internal: "A defect of tminus"
            }
        }
    }

    /// `urn:tminus:problem:` and the kind.
    package var type: String
    /// The kind in words.
    package var title: String
    /// The status of the answer.
    package var status: Int
    /// What is wrong and what to do, in one sentence without a full stop.
    package var detail: String
    /// Names that are spelled much like the one that was not found.
    package var near: [String]?
    /// The controls that would fit.
    package var fitting: [String]?

    /// A problem of that kind.
    package init(_ kind: Kind, _ detail: String, near: [String]? = nil, fitting: [String]? = nil) {
        type = Self.prefix + kind.rawValue
        title = kind.title
        status = kind.status
        self.detail = detail
        self.near = near
        self.fitting = fitting
    }

    /// The kind; a type of a later version counts as a bad request.
    package var kind: Kind { Kind(rawValue: String(type.dropFirst(Self.prefix.count))) ?? .badRequest }

    package var description: String { detail }

    private static let prefix = "urn:tminus:problem:"
}
