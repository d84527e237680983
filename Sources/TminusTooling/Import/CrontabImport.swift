package import TminusCore
internal import TminusDefinitions

/// A crontab as a definition file. What cannot be imported exactly is left out and reported.
package struct CrontabImport: Sendable {
    /// How a crontab is read.
    package struct Options: Sendable {
        /// Whether each job names its user, as in /etc/crontab.
        package var isSystem: Bool
        /// The user whose jobs are imported.
        package var user: String
        /// The home of that user, where cron starts commands.
        package var home: String
        /// Whether a job is imported that can only be imported nearly.
        package var approximates: Bool

        /// Options for the crontab of a user, or for a system crontab.
        package init(user: String, home: String, isSystem: Bool = false, approximates: Bool = false) {
            (self.user, self.home, self.isSystem, self.approximates) = (user, home, isSystem, approximates)
        }
    }

    /// A line that is not imported as it is.
    package struct Remark: Sendable, Hashable {
        /// The line, counted from 1.
        package var line: Int
        /// Whether it is in the file nevertheless.
        package var isApproximated: Bool
        /// The reason, or what was written in its place.
        package var text: String
    }

    /// The definition file.
    package let yaml: String
    /// The lines that are not imported as they are, in their order.
    package let remarks: [Remark]
    /// The ids of the events with their lines, in the order of the crontab.
    package let jobs: [(id: String, line: Int)]

    /// Whether every line is in the file.
    package var isComplete: Bool { remarks.allSatisfy(\.isApproximated) }

    /// Reads a crontab.
    ///
    /// - Parameters:
    ///   - now: The instant from which occurrences are compared.
    ///   - slug: Turns a text into an id; may return an empty text.
    /// - Throws: ``ToolError`` if the file would not load, a defect.
    package init(
        of crontab: [UInt8], _ options: Options, now: Timestamp, zones: any ZoneDatabase, sinks: [any Sink.Type],
        slug: @escaping (String) -> String
    ) throws(ToolError) {
        var reader = CrontabReader(options, now: now, zones: zones, sinks: SinkRegistry(sinks), slug: slug)
        reader.read(crontab)
        guard let text = reader.text else {
            throw ToolError(.defect, "the definition file would not load, so nothing was written")
        }
        (yaml, remarks, jobs) = (text, reader.remarks, reader.jobs)
    }
}

extension CrontabImport {
    /// The remarks for people, one a line, with the name of the crontab.
    package func report(on name: String) -> String {
        remarks.map { "\(name):\($0.line): \($0.isApproximated ? "approximated" : "left out"): \($0.text)\n" }.joined()
    }

    /// The numbers in one line.
    package var summary: String {
        let leftOut = remarks.count { !$0.isApproximated }
        let approximated = remarks.count - leftOut
        return "\(jobs.count) \(jobs.count == 1 ? "job" : "jobs") imported"
            + (approximated > 0 ? " (\(approximated) approximated)" : "")
            + (leftOut > 0 ? ", \(leftOut) \(leftOut == 1 ? "line" : "lines") left out" : "")
    }
}
