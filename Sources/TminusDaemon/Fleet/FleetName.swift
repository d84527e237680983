/// The name of the machines that stand by for each other, in the `source` of their deliveries. It is written as one label of a host
/// name (RFC 1123, section 2.1).
struct FleetName {
    /// The name.
    let text: String

    /// The name of machines that have been given none.
    static let standard = "tminus"

    /// Checks a name that a user wrote.
    init(_ text: String) throws(DaemonError) {
        let isLabel = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isLabel, (1...63).contains(text.utf8.count), !text.hasPrefix("-"), !text.hasSuffix("-") else {
            throw DaemonError(
                .usage,
                "--fleet: write 1 to 63 letters, digits and hyphens, with no hyphen at either end, such as 'reminders'")
        }
        self.text = text
    }
}
