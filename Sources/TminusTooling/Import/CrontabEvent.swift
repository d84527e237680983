internal import TminusCore

/// A job of a crontab as an event whose expiry runs the command in the manner of cron.
struct CrontabEvent {
    /// The job.
    var job: CrontabLine.Job
    /// The schedule to write, without random ranges.
    var schedule: String
    /// The variables that hold for it.
    var variables: CrontabVariables
    /// The comment directly above it; nil without one that can be a name.
    var comment: String?

    /// The definition.
    var node: Node {
        var entries: [Node.Entry] = []
        if let comment { entries.append(Node.Entry(key: "name", value: Node(.scalar(comment)))) }
        entries.append(Node.Entry(key: "cron", value: Node(.scalar(schedule))))
        if let zone = variables.zone { entries.append(Node.Entry(key: "timezone", value: Node(.scalar(zone)))) }
        entries.append(Node.Entry(key: "on-expiry", value: sink))
        return Node(.mapping(entries))
    }

    /// cron has no time limit, no second attempt and no bound on concurrent runs. Its commands find their standard
    /// input empty, not with a payload.
    private var sink: Node {
        let command: Node.Entry
        if let input = job.input {
            command = exec(#"printf %s "$2" | "$0" -c "$1""#, [variables.shell, job.command, input])
        } else if variables.shell == "/bin/sh" {
            command = Node.Entry(key: "shell", value: Node(.scalar("exec </dev/null; \(job.command)")))
        } else {
            command = exec(#"exec "$0" -c "$1" </dev/null"#, [variables.shell, job.command])
        }
        let environment = variables.environment.map { Node.Entry(key: $0.name, value: Node(.scalar($0.value))) }
        return Node(
            .mapping([
                command,
                Node.Entry(key: "directory", value: Node(.scalar(variables.directory))),
                Node.Entry(key: "environment", value: Node(.mapping(environment))),
                Node.Entry(key: "timeout", value: Node(.scalar("365 days"))),
                Node.Entry(key: "max-concurrent", value: Node(.scalar("256"))),
                Node.Entry(
                    key: "retry", value: Node(.mapping([Node.Entry(key: "limit", value: Node(.scalar("1")))]))),
            ]))
    }

    /// A script of ours with the texts of the crontab as its arguments, so that none of them is part of the script.
    private func exec(_ script: String, _ arguments: [String]) -> Node.Entry {
        Node.Entry(
            key: "exec", value: Node(.sequence((["/bin/sh", "-c", script] + arguments).map { Node(.scalar($0)) })))
    }

    /// The text that the id is derived from: the comment, else the first command of the line with its arguments. Of a
    /// path it has the last part only.
    var title: String {
        if let comment { return comment }
        let words = job.command.prefix { !"<>|;&(){}`$\n".contains($0) }.split(whereSeparator: \.isWhitespace)
        return words.prefix(6).map { $0.split(separator: "/").last.map(String.init) ?? "" }.joined(separator: " ")
    }

    /// The comment as a name; nil if it is no name: a job that is switched off, the heading of the columns, or text
    /// that a screen cannot show.
    static func name(of comment: String) -> String? {
        let words = comment.split(whereSeparator: \.isWhitespace)
        let isJob = words.count > 5 && isSchedule(words.prefix(5).joined(separator: " "))
        guard !isJob, !comment.hasPrefix("@"), !comment.hasPrefix("m h "), comment.unicodeScalars.count <= 80,
            VisibleText.escaped(comment) == comment
        else { return nil }
        return comment
    }

    private static func isSchedule(_ text: String) -> Bool {
        if case .success = CronExpression.parse(text) { true } else { false }
    }
}
