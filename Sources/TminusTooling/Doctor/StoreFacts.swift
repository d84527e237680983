internal import TminusCore
internal import TminusSQLite
internal import TminusSystem

/// The file of the store.
struct StoreFacts: Sendable {
    /// The path of the file.
    var path: String
    /// What a look at it found.
    var examination: StoreExamination
    /// Whether this user, who is that of the daemon, may not write in the directory of the store.
    var isClosed = false

    /// SQLite moves the log into the file again and again; one that stays larger has a reader that never ends.
    private static let largeLog: UInt64 = 64 << 20

    /// What is wrong.
    var findings: [Finding] {
        var found: [Finding] = []
        switch examination.outcome {
        case .absent, .whole(_, isCurrent: true): break
        case .whole(schema: 0, isCurrent: false):
            found.append(
                Finding(
                    .warning, .storeEmpty, path, "is empty: the state was lost, or never written",
                    fix: "restore a backup with 'tminus restore FILE.tar', or start the daemon, which starts over"))
        case .whole(let schema, isCurrent: false):
            found.append(
                Finding(
                    .warning, .storeOlder, path,
                    "was written by an older tminus (schema \(schema) of \(SQLiteStore.schema)); the next start brings it up to date and keeps a copy",
                    fix: "sudo systemctl restart tminus"))
        case .unchecked:
            found.append(
                Finding(
                    .warning, .storeUnchecked, path,
                    "was not checked: its log is there without its index, as in a copy",
                    fix: "start the daemon once, and run tminus doctor again"))
        case .damaged(let reason): found.append(damage(reason))
        case .refused(let error): found.append(refusal(error))
        }
        if isClosed {
            let directory = ParentDirectory.of(path)
            found.append(
                Finding(
                    .error, .storeRefused, directory, "this user cannot write in the directory of the store",
                    fix: "chmod u+rwx \(ShellWord.quoted(directory)), or run tminus as its owner"))
        }
        if examination.logSize > Self.largeLog {
            found.append(
                Finding(
                    .warning, .storeLog, "\(path)-wal",
                    "the write-ahead log has \(examination.logSize >> 20) MiB: another program reads the store without an end, or the daemon was killed",
                    fix:
                        "sudo fuser -v \(ShellWord.quoted(path)) names the programs; sudo systemctl restart tminus empties the log"
                ))
        }
        return found
    }

    private func damage(_ reason: String) -> Finding {
        Finding(
            .error, .storeDamaged, path, "is damaged: \(tail(reason))",
            fix:
                "stop tminus and restore a backup with 'tminus restore FILE.tar'; sqlite3 \(ShellWord.quoted(path)) .recover writes out what can be read"
        )
    }

    private func refusal(_ error: StoreError) -> Finding {
        switch error.kind {
        case .tooNew:
            Finding(
                .error, .storeNewer, path, tail(error.message),
                fix: "install the newer tminus, or 'tminus restore --store' with the copy from before the upgrade")
        case .readOnly:
            Finding(
                .error, .storeRefused, path, tail(error.message),
                fix: "sudo tminus doctor, or run it as the user of the daemon")
        case .full, .locked, .damaged, .tooOld, .uncertain, .other:
            Finding(
                .error, .storeRefused, path, tail(error.message),
                fix: "put a store of this tminus there, or name another place with --state or --store")
        }
    }

    /// Messages of the store begin with its path, which the finding has already.
    private func tail(_ message: String) -> String {
        let text = message.hasPrefix("\(path): ") ? String(message.dropFirst(path.count + 2)) : message
        return text.hasPrefix("is damaged: ") ? String(text.dropFirst("is damaged: ".count)) : text
    }
}
