internal import Hummingbird
internal import TminusControl

extension Request {
    /// Reads a query parameter, nil if absent.
    func parameter(_ name: String) -> String? {
        uri.queryParameters[name[...]].map { String($0) }
    }

    /// Reads a Boolean query parameter, false by default.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch parameter(name) {
        case nil, "false": false
        case "true": true
        default: throw Problem(.badRequest, "'\(name)': expected true or false")
        }
    }

    /// Reads an integer query parameter, nil if absent.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(
                .badRequest,
                "'\(name)': expected a whole number from \(range.lowerBound)"
                    + (range.upperBound == .max ? "" : " to \(range.upperBound)"))
        }
        return number
    }
}
