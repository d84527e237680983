/// One figure with its target.
struct Figure {
    /// What was measured.
    var name: String
    /// The medians of several runs, the largest of which counts.
    var values: [Double]
    /// `ns` or `s`.
    var unit: String
    /// The most it may be.
    var target: Double

    /// The figure: the worst of its medians.
    var value: Double { values.max() ?? .infinity }
    /// Whether the target is met.
    var isMet: Bool { value <= target }

    /// A line of the table.
    var line: String {
        func number(_ value: Double) -> String {
            let scaled = Int64((value * 100).rounded())
            let rest = scaled % 100
            return "\(scaled / 100).\(rest < 10 ? "0" : "")\(rest)"
        }
        func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
            let blanks = String(repeating: " ", count: max(0, width - text.count))
            return left ? blanks + text : text + blanks
        }
        return padded(name, 56) + padded(number(value), 9, left: true) + " " + padded(unit, 3)
            + padded(number(target), 9, left: true) + "  " + (isMet ? "met" : "MISSED")
    }

    /// The median of some runs of `body`, each over `count` rounds: seconds for one round.
    static func median(of runs: Int, rounds count: Int, _ body: () -> Int64) -> Double {
        var times: [Double] = []
        var sum: Int64 = 0
        for _ in 0..<runs {
            let time = ContinuousClock().measure { sum &+= body() }
            let (seconds, attoseconds) = time.components
            times.append((Double(seconds) + Double(attoseconds) / 1e18) / Double(count))
        }
        // So that nothing of the work can be left out.
        if sum == 42 { print("") }
        return times.sorted()[runs / 2]
    }
}
