package import TminusCore

/// The answer of `GET /files`: the definition files, and where new ones may be made.
package struct FilesAnswer: Encodable, Sendable, Hashable {
    /// A file, with its state as in the status.
    package struct File: Encodable, Sendable, Hashable {
        /// The state.
        package var row: StatusAnswer.File
        /// The file as items and diagnostics show it; nil if it is ignored.
        package var file: String?

        /// A file.
        package init(_ row: StatusAnswer.File, file: String?) {
            (self.row, self.file) = (row, file)
        }

        enum CodingKeys: String, CodingKey { case file }

        /// Encodes both as one object.
        package func encode(to encoder: any Encoder) throws {
            try row.encode(to: encoder)
            var object = encoder.container(keyedBy: CodingKeys.self)
            try object.encodeIfPresent(file, forKey: .file)
        }
    }

    /// The directories of the files, below the config directory; empty for that itself.
    package var directories: [String]
    /// Whether the daemon may write in the config directory.
    package var writable: Bool
    /// The files, sorted by path.
    package var files: [File]

    /// Creates the answer.
    package init(directories: [String], writable: Bool, files: [File]) {
        (self.directories, self.writable, self.files) = (directories, writable, files)
    }
}

/// A problem of a definition file, with its place.
package struct FileProblem: Codable, Sendable, Hashable {
    /// `error`, `warning` or `note`.
    package var severity: String
    /// What is wrong, and what to write instead.
    package var message: String
    /// The path of the file below the config directory.
    package var file: String
    /// The line, from 1; nil if it concerns the whole file.
    package var line: Int?
    /// The column, from 1, in Unicode scalars; nil if it concerns the whole line.
    package var column: Int?
    /// The number of columns.
    package var length: Int?
    /// Further places, such as the first of two duplicates; nil without any.
    package var notes: [FileProblem]?

    /// The problem of a diagnostic.
    package init(_ diagnostic: Diagnostic) {
        severity = diagnostic.severity.rawValue
        message = diagnostic.message
        let place = diagnostic.location
        file = place.file
        line = place.line > 0 ? place.line : nil
        column = line != nil && place.column > 0 ? place.column : nil
        length = column == nil ? nil : max(1, diagnostic.length)
        notes = diagnostic.notes.isEmpty ? nil : diagnostic.notes.map(FileProblem.init)
    }
}

/// The answer to a text for a file.
package struct SavedAnswer: Encodable, Sendable, Hashable {
    /// The path of the file below the config directory.
    package var path: String
    /// Whether the text was written.
    package var written: Bool
    /// The entity tag of what is in the file now; nil if there is no file.
    package var etag: String?
    /// The ids of new definitions.
    package var added: [String]
    /// The ids of definitions with another meaning.
    package var changed: [String]
    /// The ids of removed definitions.
    package var removed: [String]
    /// The warnings about the text. It has no errors.
    package var diagnostics: [FileProblem]

    /// Creates the answer.
    package init(
        path: String, written: Bool, etag: String?, added: [String], changed: [String], removed: [String],
        diagnostics: [FileProblem]
    ) {
        (self.path, self.written, self.etag) = (path, written, etag)
        (self.added, self.changed, self.removed) = (added, changed, removed)
        self.diagnostics = diagnostics
    }

    /// The answer as JSON, with what changes among the coming firings, which is JSON already.
    package func json(diff: String) throws -> [UInt8] {
        // An encoded object has at least one member.
        try ControlJSON.encode(self).dropLast() + Array(",\"diff\":".utf8) + Array(diff.utf8) + [UInt8(ascii: "}")]
    }
}

/// The answer to a definition that was added to a file.
package struct AddedAnswer: Encodable, Sendable, Hashable {
    /// The id.
    package var id: String
    /// `event`, `timer` or `stopwatch`.
    package var kind: String
    /// The path of the file below the config directory.
    package var file: String
    /// The line of the id, from 1.
    package var line: Int
    /// Whether it was written.
    package var written: Bool
    /// The next occurrence of an event, in RFC 3339; nil if it never occurs, and for another kind.
    package var due: String?
    /// The due time or the duration in words; nil for a stopwatch.
    package var understood: String?
    /// The warnings that came with it.
    package var diagnostics: [FileProblem]

    /// Creates the answer.
    package init(
        id: String, kind: String, file: String, line: Int, written: Bool, due: String?, understood: String?,
        diagnostics: [FileProblem]
    ) {
        (self.id, self.kind, self.file, self.line) = (id, kind, file, line)
        (self.written, self.due, self.understood) = (written, due, understood)
        self.diagnostics = diagnostics
    }
}

/// The request for a definition in a file.
package struct DefinitionBody: Decodable, Sendable, Hashable {
    /// `event`, `timer` or `stopwatch`.
    package var kind: String
    /// The id; derived from the name if there is none.
    package var id: String?
    /// The path of the file below the config directory; chosen if there is none.
    package var file: String?

    enum CodingKeys: String, StrictKeys { case kind, id, file, definition }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Decodes a request. Throws on an unknown member, and if the definition is no object; what that has is read by the
    /// reader of definition files, which keeps the order.
    package init(from decoder: any Decoder) throws {
        let object = try decoder.strictContainer(keyedBy: CodingKeys.self)
        kind = try object.decode(String.self, forKey: .kind)
        id = try object.decodeIfPresent(String.self, forKey: .id)
        file = try object.decodeIfPresent(String.self, forKey: .file)
        _ = try object.decode([String: Anything].self, forKey: .definition)
    }
}
