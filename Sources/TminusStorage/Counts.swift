/// The range of valid counts; adding to one cannot overflow.
package enum Counts {
    /// From 0 to 2^48: one a microsecond for nine years.
    package static let all = 0...1 << 48
    /// The numbers of rows: later ones cannot overflow.
    package static let rowNumbers: ClosedRange<Int64> = 1...(1 << 62) - 1
    /// The instants that the clock of a machine shows, from 1900 to 2261, in nanoseconds. A step of the clock or a wait
    /// added to one cannot overflow.
    package static let clockInstants: ClosedRange<Int64> = -2_208_988_800_000_000_000...9_214_646_400_000_000_000
}
