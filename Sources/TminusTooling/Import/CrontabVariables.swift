internal import TminusCore

/// The variables of a crontab that hold for the lines below them.
struct CrontabVariables {
    /// Why a variable is not imported.
    private static let unused = [
        "MAILTO":
            "tminus sends no mail; 'tminus deliveries' shows the output of a command, 'on-failure' reports failures",
        "MAILFROM": "tminus sends no mail", "CONTENT_TYPE": "tminus sends no mail",
        "CONTENT_TRANSFER_ENCODING": "tminus sends no mail",
        "RANDOM_DELAY": "cron draws the delay at random; give the events a 'jitter'",
    ]

    /// The shell of the commands.
    private(set) var shell = "/bin/sh"
    /// The working directory of the commands.
    private(set) var directory: String
    /// The name of the zone that `CRON_TZ` sets; nil for the zone of the machine.
    private(set) var zone: String?
    /// Why no schedule can be read below `CRON_TZ`.
    private(set) var zoneProblem: String?
    /// The environment, in the order of the crontab.
    private(set) var environment: [(name: String, value: String)] = [("PATH", "/usr/bin:/bin"), ("SHELL", "/bin/sh")]

    private let home: String

    /// The variables at the beginning of the crontab of a user with that home.
    init(home: String) { (self.home, directory) = (home, home) }

    /// Takes an assignment.
    /// - Returns: Why it is not imported; nil if it is, or if cron ignores it as well.
    mutating func assign(_ name: String, _ value: String, zones: any ZoneDatabase) -> String? {
        switch name {
        case "LOGNAME": return nil
        case "CRON_TZ":
            zone = value.isEmpty ? nil : value
            zoneProblem = nil
            guard let zone, zones.zone(named: zone) == nil else { return nil }
            zoneProblem = "there is no time zone '\(zone)', which CRON_TZ names"
            return zoneProblem
        case "MAILTO" where value.isEmpty: return nil
        case "HOME" where !value.hasPrefix("/"): return "HOME must be an absolute path"
        case "HOME": directory = value
        case "SHELL" where !value.hasPrefix("/"): return "SHELL must be an absolute path"
        case "SHELL": shell = value
        default:
            if let reason = Self.unused[name] { return reason }
            guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
                return "the name of a variable does not begin with a digit"
            }
        }
        if let index = environment.firstIndex(where: { $0.name == name }) {
            environment[index].value = value
        } else {
            environment.append((name, value))
        }
        return nil
    }
}
