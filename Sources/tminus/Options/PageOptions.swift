internal import ArgumentParser
internal import TminusControl

/// How much of a listing is shown, and how.
struct PageOptions: ParsableArguments {
    @Option(name: .customShort("n"), help: ArgumentHelp("How many at the most.", valueName: "count"))
    var limit = 20

    @Flag(help: "Write a JSON array.")
    var json = false

    func validate() throws {
        if !(1...1_000).contains(limit) { throw ValidationError("-n must be from 1 to 1000") }
    }

    /// Writes what was found: as it came, or as a person reads it.
    func write<Entry: Encodable>(_ found: [Entry], text: ([Entry]) -> String) throws {
        try StandardOutput.write(
            json ? String(decoding: try ControlJSON.encode(found), as: UTF8.self) + "\n" : text(found))
    }
}
