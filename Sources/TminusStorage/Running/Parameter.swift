package import TminusCore

/// A typed parameter of a statement; NULL for nil.
package enum Parameter: Sendable {
    /// An integer of 64 bits.
    case number(Int64?)
    /// A text.
    case text(String?)
    /// Bytes.
    case bytes([UInt8]?)

    /// An instant.
    package static func instant(_ instant: Timestamp?) -> Parameter { .number(instant?.nanoseconds) }
}

/// A value that a statement takes as a parameter.
package protocol ParameterValue {
    /// A value as a parameter; NULL for nil.
    static func parameter(_ value: Self?) -> Parameter
}

extension ParameterValue {
    fileprivate var parameter: Parameter { Self.parameter(self) }
}

extension Int64: ParameterValue {
    package static func parameter(_ value: Int64?) -> Parameter { .number(value) }
}

extension Int: ParameterValue {
    package static func parameter(_ value: Int?) -> Parameter { .number(value.map { Int64($0) }) }
}

extension Timestamp: ParameterValue {
    package static func parameter(_ value: Timestamp?) -> Parameter { .number(value?.nanoseconds) }
}

extension String: ParameterValue {
    package static func parameter(_ value: String?) -> Parameter { .text(value) }
}

extension [UInt8]: ParameterValue {
    package static func parameter(_ value: [UInt8]?) -> Parameter { .bytes(value) }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    package static func parameter(_ value: Wrapped??) -> Parameter { Wrapped.parameter(value.flatMap { $0 }) }
}

/// The values of a statement, in the order of its parameters. What runs for each firing lists its ``Parameter``s instead: this
/// looks up each type while the program runs, which costs as much as the statement.
package func parameters<each Value: ParameterValue>(_ values: repeat each Value) -> [Parameter] {
    var parameters: [Parameter] = []
    // No statement has more, so the array grows once.
    parameters.reserveCapacity(18)
    for value in repeat each values { parameters.append(value.parameter) }
    return parameters
}
