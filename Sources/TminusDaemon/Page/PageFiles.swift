internal import CPageFiles
internal import TminusCore

/// The files of the web page that are in the program.
struct PageFiles: Sendable {
    /// The part of a path that changes with the content of any file, so that browsers may keep files for good.
    let version: String
    /// The file that a browser opens. It names the others by their paths.
    let shell: PageFile
    /// The other files by name.
    let files: [String: PageFile]

    /// The files of this program, made when somebody first asks for one.
    static let own = PageFiles(embedded)

    /// The content of every file by name.
    static var embedded: [String: [UInt8]] {
        var all: [String: [UInt8]] = [:]
        for number in 0..<page_file_count() {
            let file = page_file(number)
            all[String(cString: file.name)] = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        }
        return all
    }

    /// The name of the shell.
    private static let shellName = "index.html"
    /// What stands for the version in the paths of the shell.
    private static let mark = "page/@/"

    /// Makes the files of their contents by name.
    init(_ contents: [String: [UInt8]]) {
        var digest = ContentDigest()
        for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
            digest.update(Array("\(name) \(bytes.count)\n".utf8)[...])
            digest.update(bytes[...])
        }
        version = String(digest.hexadecimal.prefix(16))
        let text = String(decoding: contents[Self.shellName] ?? [], as: UTF8.self)
        shell = PageFile(
            Self.shellName,
            Array(
                text.split(separator: Self.mark, omittingEmptySubsequences: false)
                    .joined(separator: "page/\(version)/").utf8))
        files = Dictionary(
            uniqueKeysWithValues: contents.filter { $0.key != Self.shellName }.map { ($0, PageFile($0, $1)) })
    }
}
