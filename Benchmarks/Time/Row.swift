internal import Foundation

/// A figure for `table.py`, with one value for each run.
struct Row: Encodable {
    let figure: String
    let unit: String
    let values: [Double]
    /// The most that the median may be.
    let target: Double

    /// Writes it to standard output as a line of JSON.
    func write() throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(self) + Data("\n".utf8))
    }
}
