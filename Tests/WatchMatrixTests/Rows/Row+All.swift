extension Row {
    /// Every row, in the order of the matrix.
    static let all = (writes).sorted { $0.number < $1.number }
}
