internal import FoundationEssentials
internal import TminusCore

/// What a backup says of itself, as its last member.
package struct BackupManifest: Decodable, Sendable, Hashable {
    /// The format of the backup.
    package var format = Self.newestFormat
    /// The version of the tminus that made it.
    package var version: String
    /// The number of the schema of the store.
    package var schema: Int
    /// When it was made, in RFC 3339.
    package var made: String
    /// The directory of the definitions, as it was.
    package var config: String
    /// The store, as it was.
    package var store: String
    /// The SHA-256 of each file, in hexadecimal, by its path in the archive.
    package var files: [String: String]

    /// The newest format that this program knows.
    static let newestFormat = 1
    /// Its name in the archive.
    static let name = "manifest.json"
    /// The largest that is read.
    static let sizeLimit = 64 << 20

    /// A manifest of the newest format.
    init(version: String, schema: Int, made: String, config: String, store: String, files: [String: String]) {
        self.version = version
        self.schema = schema
        self.made = made
        self.config = config
        self.store = store
        self.files = files
    }

    /// Its text.
    var encoded: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("format", format)
            json.member("version", version)
            json.member("schema", schema)
            json.member("made", made)
            json.member("config", config)
            json.member("store", store)
            json.member("files") { json in
                for (path, digest) in files.sorted(by: { $0.key < $1.key }) { json.member(userKey: path, digest) }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Reads its text; nil if it is none.
    static func decoded(_ bytes: [UInt8]) -> BackupManifest? {
        try? JSONDecoder().decode(BackupManifest.self, from: Data(bytes))
    }
}

/// The places in a backup.
enum BackupLayout {
    /// The store.
    static let store = "store/tminus.sqlite"
    /// The directory of the store.
    static let storeDirectory = "store"
    /// The directory of the definitions.
    static let config = "config"
}
