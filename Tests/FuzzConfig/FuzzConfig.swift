import ArgumentParser
import Foundation
import TminusCore
import TminusTestKit

/// Feeds damaged definition files to the reader and the decoder, in the same order for the same seed.
@main
struct FuzzConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FuzzConfig",
        abstract: "Feed every prefix and seeded mutations of definition files to the reader and the decoder.")

    @Argument(help: "Directories and files to start from.")
    var paths: [String]

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @Option(help: "How many mutations; without it, as many as the time allows.")
    var count: Int?

    @Option(help: "How long mutations are tried.")
    var seconds = 60.0

    @Option(help: ArgumentHelp("The most that one input may take.", valueName: "milliseconds"))
    var limit = 50.0

    @Option(help: ArgumentHelp("The most that a file of 1 MiB may take.", valueName: "milliseconds"))
    var largeLimit = 5000.0

    @Option(help: "Where the input of the moment and those that failed are kept.")
    var output = ".build/fuzz-config"

    func run() throws {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        let files = try paths.flatMap(Corpus.files).sorted { $0.path < $1.path }
        guard !files.isEmpty else { throw ValidationError("no .yaml or .json file in \(paths.joined(separator: " "))") }
        var trial = try Trial(output: output, limit: .milliseconds(limit))

        let valid = files.filter { trial.isClean($0.bytes, $0.path) }
        for file in valid {
            for length in 0...file.bytes.count {
                trial.run(Array(file.bytes.prefix(length)), file.path, "prefix of \(length) bytes")
            }
        }
        print("prefixes: \(trial.summary) of \(valid.count) valid files")
        for (name, bytes) in Corpus.shapes {
            for path in ["shape.yaml", "shape.json"] {
                trial.measure(bytes, path, name, limit: .milliseconds(largeLimit))
            }
        }
        print("large files: \(trial.large)")
        let failures = trial.failures

        trial.reset()
        let mutator = ByteMutator(files.map(\.bytes))
        let end = ContinuousClock.now + .seconds(seconds)
        var seed = seed
        var left = count ?? .max
        while left > 0, count != nil || ContinuousClock.now < end {
            let (bytes, source) = mutator.mutant(seed: seed)
            trial.run(bytes, files[source].path, "seed \(seed)")
            seed += 1
            left -= 1
        }
        print("mutations: \(trial.summary), seeds \(self.seed) to \(seed - 1), of \(files.count) files")
        if trial.failures + failures > 0 { throw ExitCode.failure }
    }
}
