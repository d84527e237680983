extension KeyTable {
    /// What a key's value looks like.
    public indirect enum ValueType: Sendable, Hashable {
        /// Any text.
        case text
        /// Nothing: the key alone says it.
        case nothing
        /// `true` or `false`.
        case boolean
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// An exact length of time, such as `1h 30m`.
        case duration
        /// A lead time, such as `1 day`.
        case lead
        /// A local date-time, an RFC 3339 instant or a date.
        case dateTime
        /// A cron expression.
        case cron
        /// The value of an RRULE of RFC 5545.
        case recurrence
        /// The IANA name of a time zone.
        case zone
        /// `#rrggbb`.
        case hexColor
        /// An absolute `http` or `https` URL.
        case url
        /// Text that is more than blanks, such as a command line.
        case line
        /// The path of a file; a relative one starts at the directory of the definition file.
        case filePath
        /// The path of a directory; a relative one starts at the directory of the definition file.
        case directoryPath
        /// Where a secret comes from: a mapping with one of `env`, `file` and `credential`.
        case secret
        /// A number of bytes, such as `10 MiB`.
        case byteCount
        /// A number in a time, such as `10/min`.
        case rate
        /// Anything: texts, lists and mappings, handed on as they are.
        case anything
        /// The id of a sink, a built-in sink, or an inline sink.
        case action
        /// One of these words.
        case choice([String])
        /// A list of that with at least one item, or a single one.
        case oneOrMore(ValueType)
        /// A list of that, which may be empty, or a single one.
        case zeroOrMore(ValueType)
        /// A list of that.
        case list(ValueType)
        /// Any keys, each with a value of that type.
        case map(ValueType)
        /// Mappings with the keys of another table, given by its name, each under an id.
        case byID(String)
        /// A mapping with the keys of another table, by its name.
        case table(String)
        /// A mapping with that key alone, and a value of that type.
        case keyed(String, ValueType)
        /// One of several forms.
        case either([ValueType])
    }
}
