internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TminusControl
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling

/// `tminus import`
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a definition file from the schedules of another program.",
        subcommands: [ImportCrontab.self])
}

/// `tminus import crontab`
struct ImportCrontab: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crontab", abstract: "Make a definition file from a crontab. Needs no daemon.",
        discussion: """
            Each job becomes an event that runs its command as cron does: in the home directory, with the variables of \
            the crontab, without a time limit, even while an earlier run goes on, and not later if its time is missed.

            The file goes to standard output, or to --output. Standard error says which lines are left out and why: \
            @reboot, random ranges with '~', input after '%', jobs of other users, MAILTO, and what cron refuses too. \
            Before the file is written, it is loaded, and the first 50 occurrences of each event are compared with its \
            line.

            Exit status: 1 if a line is left out, 74 or 77 if a file cannot be read or written.
            """)

    @Argument(
        help: ArgumentHelp(
            "The crontab. Without one, or for '-', standard input, as in 'crontab -l | tminus import crontab'.",
            valueName: "file"), completion: .file())
    var file: String?

    @Option(name: .shortAndLong, help: "The file to make. It must not exist yet.", completion: .file())
    var output: String?

    @Flag(help: "Import '~' as one value of its range, and input after '%' through a pipe.")
    var approximate = false

    @Flag(help: "Each job names its user, as in /etc/crontab. Implied for it and for files of /etc/cron.d.")
    var system = false

    @Option(help: ArgumentHelp("The user whose jobs are imported, if not you.", valueName: "name"))
    var user: String?

    /// The largest crontab to read, in bytes.
    private static let sizeLimit = 1 << 20

    private var isStandardInput: Bool { file == nil || file == "-" }

    func run() throws {
        let user = user ?? UserName.of(UserName.ownID)
        guard let home = NSHomeDirectoryForUser(user) else {
            throw ValidationError("--user: there is no user '\(user)'")
        }
        let isSystem = system || file == "/etc/crontab" || file?.hasPrefix("/etc/cron.d/") == true
        let options = CrontabImport.Options(user: user, home: home, isSystem: isSystem, approximates: approximate)
        let bytes = try reportingFailure(read)
        let result = try reportingFailure { () throws(ToolError) in
            try CrontabImport(
                of: bytes, options, now: MachineZone.now, zones: MachineZone.zones, sinks: Daemon.standardSinks,
                slug: DefinitionSlug.of)
        }
        if let output {
            try reportingFailure { () throws(ToolError) in try write(result.yaml, to: output) }
        } else {
            try StandardOutput.write(Array(result.yaml.utf8)[...])
        }
        StandardError.shared.write(result.report(on: isStandardInput ? "crontab" : file ?? ""))
        StandardError.shared.report("tminus: \(result.summary)")
        let size = result.yaml.utf8.count
        if size > FileReadingOptions.usualFileSize {
            StandardError.shared.report(
                """
                tminus: warning: the file has \(size) bytes, and \(FileReadingOptions.usualFileSize) are read; start the \
                daemon with --max-file-size \(size), or import the crontab in parts
                """)
        }
        if !result.isComplete { throw ExitStatus.incomplete }
    }

    private func read() throws(ToolError) -> [UInt8] {
        let shown = isStandardInput ? "standard input" : file ?? ""
        if isStandardInput, isatty(STDIN_FILENO) == 1 {
            throw ToolError(.usage, "name a crontab, or use a pipe: crontab -l | tminus import crontab")
        }
        do throws(FileBytes.Problem) {
            guard let file, !isStandardInput else { return try bytes(of: STDIN_FILENO) }
            guard Self.isPipe(file) else { return try FileBytes.content(of: file, limit: Self.sizeLimit) }
            // Such as /dev/stdin, or the <(crontab -l) of a shell.
            let descriptor = open(file, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .failed(errno) }
            defer { close(descriptor) }
            return try bytes(of: descriptor)
        } catch {
            if case .failed(EACCES) = error { throw ToolError(.permission, "\(shown): \(error.text)") }
            throw ToolError(.inputOutput, "\(shown): \(error.text)")
        }
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// The bytes up to the end of a pipe or of standard input.
    private func bytes(of descriptor: CInt) throws(FileBytes.Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .failed(errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.sizeLimit else { throw .tooLarge }
        }
    }

    private func write(_ text: String, to path: String) throws(ToolError) {
        guard !Permissions.exists(path) else {
            throw ToolError(.inputOutput, "\(path): is there already; nothing was overwritten")
        }
        do throws(SystemError) {
            try FileReplacement.create(path, shownAs: path, Array(text.utf8), isDefinition: true)
        } catch {
            throw ToolError(error)
        }
    }
}
