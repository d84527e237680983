extension Row {
    /// Every row, in the order of the matrix.
    static let all = (writes + contents + obstacles + kernel + roots + states).sorted { $0.number < $1.number }
}
