import TminusCore

/// Regular expressions (ECMA-262, also valid in Python and Swift) of the texts that the parsers accept.
///
/// They never reject a valid text. They accept some invalid ones that they cannot recognize, such as 30 February.
enum TextPatterns {
    /// The blanks that the parsers remove at both ends.
    private static let blanks = "[ \\t-\\r]*"
    private static let number = "(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)"
    private static let isoNumber = "[0-9]+(?:[.,][0-9]+)?"
    /// Longer names first, so that no alternative hides a longer one.
    private static let names = SpanUnit.allNames.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    private static let units = sequence(of: names)
    private static let exactUnits = sequence(of: names.filter { $0 != SpanUnit.bareMonth })
    private static func sequence(of names: [String]) -> String {
        "(?:\(number)[ \\t]*(?:\(names.joined(separator: "|")))[ \\t]*)+"
    }
    private static let clock = "[0-9]+:[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?"

    private static func iso(_ date: String) -> String {
        func parts(_ designators: String) -> String {
            designators.map { "(?:\(isoNumber)\($0))?" }.joined()
        }
        return "P(?=[0-9T])\(parts(date))(?:T(?=[0-9])\(parts("HMS")))?"
    }

    /// A length of time longer than zero, without `M` for months.
    static let duration = "^(?=[\\s\\S]*[1-9])\(blanks)(?:\\+?\(exactUnits)|\\+?\(clock)|\(iso("WD")))\(blanks)$"
    /// A lead time; in ISO 8601, years and months are allowed as well.
    static let lead = "^(?=[\\s\\S]*[1-9])\(blanks)(?:\\+?\(units)|\\+?\(clock)|\(iso("YMWD")))\(blanks)$"
    /// A date, a date with a time, or an instant of RFC 3339.
    static let dateTime =
        "^\(blanks)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
        + "(?:(?:[Tt]| [ \\t]*)(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?"
        + "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?)?\(blanks)$"
    /// Five or six fields, or a macro such as `@daily`.
    static let cron =
        "^[ \\t]*(?:@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)|[0-9A-Za-z*,/-]+(?:[ \\t]+[0-9A-Za-z*,/-]+){4,5})[ \\t]*$"
    /// Parts with values; FREQ is one of them.
    static let recurrence =
        "^(?=(?:[\\s\\S]*;)?[Ff][Rr][Ee][Qq]=)[A-Za-z]+=[^;=]+(?:;[A-Za-z]+=[^;=]+)*$"
    /// A possible name of a zone.
    static let zone = "^[A-Za-z0-9._+-]+(?:/[A-Za-z0-9._+-]+)*$"
    /// The id of a definition or a sink.
    static let id = "^[A-Za-z0-9._-]{1,64}$"
    /// `#rrggbb`.
    static let hexColor = "^#[0-9A-Fa-f]{6}$"
    /// An absolute URL of `http` or `https`.
    static let url = "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]"
    /// Text that does not consist of blanks alone.
    static let line = "\\S"
    /// The path of a file.
    static let filePath = "[^/]$"
    /// A number of bytes longer than zero.
    static let byteCount = "^(?=[^1-9]*[1-9])\(blanks)[0-9]+(?:\\.[0-9]+)?[ \\t]*(?:B|[kKMGT]B|[KMGT]iB)\(blanks)$"
    /// A label of a machine.
    static let machineLabel = "^(?!(?:any|leader)$)[A-Za-z0-9_.=/-]{1,100}$"
    /// A number per period.
    static let rate =
        "^ *\\+?(?=[0-9]*[1-9])[0-9]+ */ *(?:s|sec|second|m|min|minute|h|hour|d|day) *$"
    /// The digits of a whole number; with `isPositive`, of a positive one.
    static func integer(isPositive: Bool) -> String { isPositive ? "^\\+?0*[1-9][0-9]*$" : "^[+-]?[0-9]+$" }
}
