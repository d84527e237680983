internal import ArgumentParser
internal import TminusControl

/// The length and format of a listing.
struct PageOptions: ParsableArguments {
    @Option(name: .customShort("n"), help: ArgumentHelp("The most entries to show.", valueName: "count"))
    var limit = 20

    @Flag(help: "Write a JSON array.")
    var json = false

    func validate() throws {
        if !(1...1_000).contains(limit) { throw ValidationError("-n must be from 1 to 1000") }
    }

    /// Writes the entries to standard output, as JSON or in the form that `text` returns.
    func write<Entry: Encodable>(_ found: [Entry], text: ([Entry]) -> String) throws {
        try StandardOutput.write(
            json ? String(decoding: try ControlJSON.encode(found), as: UTF8.self) + "\n" : text(found))
    }
}
