import GRDB
import Glibc
import TminusCore
import TminusSystem

/// The copies of a store from before its migrations: `tminus.sqlite.before-M009` beside `tminus.sqlite` has the schema
/// that M009 was applied to.
struct MigrationCopies {
    /// The path of the store.
    let path: String
    /// How many copies are kept.
    static let kept = 2

    private static let mark = ".before-M"

    /// The path of the copy from before a migration.
    func path(before step: Migrations.Step) -> String { "\(path).before-\(step.number)" }

    /// Makes the copy, and removes the oldest ones beyond those that are kept. The copy has its name only once it is whole.
    func make(before step: Migrations.Step, _ db: Database) throws(StoreError) {
        let target = path(before: step)
        let draft = "\(target).new"
        try StoreCopy(source: path, target: draft).write(db)
        guard rename(draft, target) == 0 else {
            unlink(draft)
            throw StoreError(.other, "\(target): the copy of the store cannot be made: \(ErrorText.last)")
        }
        ParentDirectory.sync(ParentDirectory.of(target))
        for old in all.dropLast(Self.kept) { unlink(old.path) }
    }

    /// The newest copy that a program with this many migrations can open; nil if there is none.
    func newest(forSchema schema: Int) -> String? { all.last { $0.number - 1 <= schema }?.path }

    /// The copies, the one from before the first migration first.
    private var all: [(number: Int, path: String)] {
        let directory = ParentDirectory.of(path)
        let prefix = path.dropFirst(directory == "/" ? 1 : directory.count + 1) + Self.mark
        let names = (try? DirectoryNames.of(directory)) ?? []
        return names.compactMap { name in
            guard let name, name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), number > 0 else {
                return nil
            }
            return (number, directory == "/" ? "/\(name)" : "\(directory)/\(name)")
        }.sorted { $0.number < $1.number }
    }
}
