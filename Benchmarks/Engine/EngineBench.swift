/// Writes what the engine costs as rows of the table, with peers measured in the same run.
@main
struct EngineBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let counts = arguments.compactMap { UInt32($0) }
        var table = Table()
        ArmingBench(count: 1_000_000).run(into: &table)
        ArmingBench(count: 100_000).flood(into: &table)
        for count in counts.isEmpty ? [1_000_000, 10_000_000] : counts {
            TimelineBench(count: count).run(into: &table)
        }
        TimelineBench.compareSizes(in: &table)
        table.print()
    }
}
