extension Row {
    /// Rows 1 to 6: writing in place, at once and slowly.
    static let writes: [Row] = [
        .row(1, "cat > file", "item a new | cat > t/a.yaml", modes: .both, quick: true),
        .row(1, "tee", "item a new | tee t/a.yaml > .null", modes: .both, quick: true),
        .row(1, "cp over", "item a new > x; cp x t/a.yaml", modes: .both, quick: true),
        .row(7, "sed -i", "sed -i s/old/new/ t/a.yaml", modes: .both, quick: true),
    ]
}
