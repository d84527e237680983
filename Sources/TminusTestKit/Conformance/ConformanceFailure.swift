/// A rule that an implementation does not keep, or an awaited event that did not come.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected and what was found, and where it was asked.
    public var description: String

    /// A failure noticed at that place.
    public init(_ message: String, file: String = #fileID, line: Int = #line) {
        description = "\(message) (\(file):\(line))"
    }
}

/// Throws unless the two are equal.
func expectEqual<Value: Equatable>(
    _ found: Value, _ expected: Value, _ what: String, file: String = #fileID, line: Int = #line
) throws {
    guard found == expected else {
        throw ConformanceFailure("\(what): expected \(expected), found \(found)", file: file, line: line)
    }
}

/// Throws unless the condition holds.
func expect(_ condition: Bool, _ what: String, file: String = #fileID, line: Int = #line) throws {
    guard condition else { throw ConformanceFailure(what, file: file, line: line) }
}

/// The value, or a failure if there is none.
func require<Value>(_ value: Value?, _ what: String, file: String = #fileID, line: Int = #line) throws -> Value {
    guard let value else { throw ConformanceFailure(what, file: file, line: line) }
    return value
}
