/// Why a text is not a rule, and which part of it is wrong.
public struct RuleProblem: Error, Sendable, Hashable {
    /// What is wrong and what to write instead.
    public var message: String
    /// The wrong part, counted in Unicode scalars of the text.
    public var range: Range<Int>

    /// A problem in a part of a text.
    public init(_ message: String, _ range: Range<Int>) {
        self.message = message
        self.range = range
    }
}
