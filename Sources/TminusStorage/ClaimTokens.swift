/// The tokens of the claims of one transaction. A token is 128 random bits, followed by the numbers of the firing and
/// the delivery, so that a settlement finds both without a search.
package struct ClaimTokens {
    private let batch =
        String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)

    /// The tokens of a new transaction.
    package init() {}

    /// The token of a claim.
    package func token(_ delivery: Int64, firing: Int64) -> String {
        var token = batch
        token.reserveCapacity(batch.utf8.count + 22)
        token += "-"
        token += String(firing)
        token += "-"
        token += String(delivery)
        return token
    }

    /// The numbers in a token; nil if it is invalid.
    package static func numbers(of token: String) -> (firing: Int64, delivery: Int64)? {
        let hyphen = UInt8(ascii: "-")
        guard let last = token.utf8.lastIndex(of: hyphen), let first = token.utf8[..<last].lastIndex(of: hyphen),
            let firing = Int64(token[token.utf8.index(after: first)..<last]),
            let delivery = Int64(token[token.utf8.index(after: last)...])
        else {
            return nil
        }
        return (firing, delivery)
    }
}
