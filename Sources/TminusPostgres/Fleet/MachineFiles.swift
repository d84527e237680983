import FoundationEssentials
import TminusCore
import TminusStorage

/// The definition files of a machine that stands by, which notes in the database which of them are those in force.
struct MachineFiles {
    /// The number and the hash of a set in force.
    struct FileSet: Equatable {
        var number: Int64
        var hash: String
    }

    /// Names the machine.
    let machine: String
    /// Identifies its files; nil if it has not said.
    private var hash: String?
    /// Their digests, by path; nil if some could not be read.
    private var digests: [String: String]?
    /// The set with which these files were compared last; nil if they were with none.
    private var compared: FileSet?

    /// The files of a machine that has not said which it has.
    init(of machine: String) { self.machine = machine }

    /// From now on the machine has these files.
    mutating func have(_ hash: String?, _ digests: [String: String]?) {
        if hash != self.hash || digests != self.digests { compared = nil }
        (self.hash, self.digests) = (hash, digests)
    }

    /// So many files are noted at once: the other machines wait meanwhile.
    static let limit = 5_000

    /// Notes which of the files are those in force. Returns the set with which they were compared, for ``noted(_:)``.
    ///
    /// - Parameter isDue: Whether to compare them also with the set with which they were compared last.
    func note(anew isDue: Bool, _ transaction: Transaction) throws -> FileSet? {
        guard let hash else { return nil }
        let inForce = try transaction.first(FileStatements.inForce) { row in
            FileSet(number: try row.number(0), hash: try row.text(1))
        }
        guard let inForce, isDue || inForce != compared else { return compared }
        if inForce.hash == hash {
            try transaction.noteWhole(machine, hash)
        } else if let digests, !digests.isEmpty {
            // An empty directory may be one that is not mounted yet, so it says of no file that it was removed.
            var arrived: [String] = []
            try transaction.forEach(FileStatements.arriving, machine) { row in
                let path = try row.text(0)
                if digests[path] == (try row.optionalText(1)) { arrived.append(path) }
            }
            try transaction.note(Array(arrived.prefix(Self.limit)), of: machine)
            if arrived.count > Self.limit { return nil }
        }
        return inForce
    }

    /// Remembers what was compared, after the commit.
    mutating func noted(_ compared: FileSet?) { self.compared = compared }
}

extension Transaction {
    /// Notes that a machine has the files with a hash, if these are in force.
    func noteWhole(_ machine: String, _ hash: String) throws {
        try post(FileStatements.noteWhole, machine, hash)
        try post(FileStatements.forgetSingle, machine)
    }

    /// Notes that a machine has what is in force of these files.
    func note(_ paths: [String], of machine: String) throws {
        try post(FileStatements.addMachine, machine)
        guard !paths.isEmpty else { return }
        try post(FileStatements.noteSingle, machine, String(decoding: JSONEncoder().encode(paths), as: UTF8.self))
    }
}
