extension KeyTable {
    /// The type of a key's value.
    public indirect enum ValueType: Sendable, Hashable {
        /// Any text.
        case text
        /// No value; the key alone is enough.
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
        /// Text that does not consist of blanks alone, such as a command line.
        case line
        /// The path of a file, relative to the directory of the definition file.
        case filePath
        /// The path of a directory, relative to the directory of the definition file.
        case directoryPath
        /// The source of a secret: a mapping with one of `env`, `file` and `credential`.
        case secret
        /// A number of bytes, such as `10 MiB`.
        case byteCount
        /// A number per period, such as `10/min`.
        case rate
        /// A list of at least one label of machines, such as `[zone=eu]`.
        case machineLabels
        /// Any value, passed on unchanged.
        case anything
        /// The id of a sink, a built-in sink, or an inline sink.
        case action
        /// One of these words.
        case choice([String])
        /// One such value, or a list of at least one.
        case oneOrMore(ValueType)
        /// One such value, or a list that may be empty.
        case zeroOrMore(ValueType)
        /// A list of such values.
        case list(ValueType)
        /// A mapping with arbitrary keys and values of that type.
        case map(ValueType)
        /// A mapping from ids to mappings with the keys of another table, given by its name.
        case byID(String)
        /// A mapping with the keys of another table, given by its name.
        case table(String)
        /// A mapping with only that key, and a value of that type.
        case keyed(String, ValueType)
        /// Any of several types.
        case either([ValueType])
    }
}
