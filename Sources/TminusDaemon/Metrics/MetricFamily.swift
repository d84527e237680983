/// A metric: its name, type, labels and help.
struct MetricFamily: Sendable, Hashable {
    /// The type, with its word in the formats.
    enum Kind: String, Sendable, Hashable { case counter, gauge, histogram }

    let name: String
    let kind: Kind
    /// The names of its labels. Their values come from closed lists and from the config, never from ids or texts.
    let labels: [String]
    /// What it means, in one sentence.
    let help: String

    fileprivate init(_ kind: Kind, _ name: String, _ labels: [String], _ help: String) {
        (self.name, self.kind, self.labels, self.help) = (name, kind, labels, help)
    }
}

/// The table of all metrics, in the order in which they are written.
extension MetricFamily {
    // The daemon.
    static let buildInfo = Self(
        .gauge, "tminus_build_info", ["version", "swift", "store"], "Always 1; the labels say what runs.")
    static let ready = Self(.gauge, "tminus_ready", "1 while /readyz answers 200.")
    static let scrapeDuration = Self(
        .gauge, "tminus_scrape_duration_seconds", "How long this answer took to make.")

    // The config directory.
    static let lastReloadSuccessful = Self(
        .gauge, "tminus_config_last_reload_successful", "1 while every file of the config directory is in order.")
    static let lastReloadSuccess = Self(
        .gauge, "tminus_config_last_reload_success_timestamp_seconds",
        "When every file was last read without an error; 0 if never.")
    static let configHash = Self(
        .gauge, "tminus_config_hash", "The first 48 bits of the hash of what is in force; 0 before the first read.")
    static let configGeneration = Self(
        .gauge, "tminus_config_generation", "Number of changes of what is in force since the start.")
    static let configDefinitions = Self(.gauge, "tminus_config_definitions", "Definitions in force.")
    static let configFiles = Self(.gauge, "tminus_config_files", ["state"], "Files by state, as in tminus status.")
    static let configReloads = Self(
        .counter, "tminus_config_reloads_total", ["result"],
        "Reads of the directory that found a change or were asked for: success, failure (some file has an error), unchanged."
    )
    static let configReloadDuration = Self(
        .histogram, "tminus_config_reload_duration_seconds", "How long decoding what was read took.")
    static let watchEvents = Self(
        .gauge, "tminus_watch_events", "1 while the kernel reports changes of files, 0 while they are polled.")
    static let watchRescans = Self(
        .counter, "tminus_watch_rescans_total", ["cause"],
        "How often the directory was listed: after a change, by the timer, on request.")

    // The schedule.
    static let definitions = Self(
        .gauge, "tminus_definitions", ["kind", "state"], "Definitions in force by state, as in tminus list.")
    static let mutes = Self(.gauge, "tminus_mutes", ["scope"], "Mutes in force: scope all is the mute of everything.")
    static let nextDue = Self(
        .gauge, "tminus_next_due_timestamp_seconds",
        "When something is due next, also of disabled definitions; 0 if nothing is.")
    static let firings = Self(
        .counter, "tminus_firings_total", ["action"],
        "Actions that came due, by kind; each has a delivery for each sink.")
    static let omissions = Self(
        .counter, "tminus_omissions_total", ["reason"], "Actions that were due and were not sent, by reason.")
    static let schedulerLag = Self(
        .histogram, "tminus_scheduler_lag_seconds", "From the instant at which the scheduler was to wake to its step.")
    static let schedulerSteps = Self(.counter, "tminus_scheduler_steps_total", "Steps of the scheduler.")

    // Deliveries.
    static let deliveries = Self(
        .counter, "tminus_deliveries_total", ["sink", "outcome"],
        "Deliveries that have ended: delivered, dead, expired, skipped, or discarded by a person.")
    static let deliveryAttempts = Self(
        .counter, "tminus_delivery_attempts_total", ["sink", "result"],
        "Attempts that have ended: delivered, retry, dead, timeout.")
    static let deliveryLateness = Self(
        .histogram, "tminus_delivery_lateness_seconds", ["action"],
        "From the instant at which an action was due to its first attempt.")
    static let attemptDuration = Self(
        .histogram, "tminus_delivery_attempt_duration_seconds", ["kind"], "How long attempts took, by kind of sink.")
    static let outbox = Self(
        .gauge, "tminus_outbox_deliveries", ["state"],
        "Deliveries that have not ended well: waiting, running, retrying, dead, as in tminus status.")
    static let outboxOldest = Self(
        .gauge, "tminus_outbox_oldest_due_timestamp_seconds",
        "Since when the attempt is due that is late the longest; 0 if none is late.")
    static let running = Self(.gauge, "tminus_deliveries_running", ["sink"], "Attempts that run now.")

    // The store.
    static let storeDuration = Self(
        .histogram, "tminus_store_transaction_duration_seconds", ["verb"], "How long transactions took.")
    static let storeErrors = Self(.counter, "tminus_store_errors_total", ["verb"], "Transactions that failed.")
    static let storeSize = Self(.gauge, "tminus_store_size_bytes", "Size of the store and its journal on the disk.")

    // HTTP.
    static let httpRequests = Self(
        .counter, "tminus_http_requests_total", ["route", "method", "code"], "Requests over TCP that were answered.")
    static let httpDuration = Self(
        .histogram, "tminus_http_request_duration_seconds", ["group"], "How long answers over TCP took to make.")
    static let httpConnections = Self(.gauge, "tminus_http_connections", ["door"], "Open connections: socket, tcp.")
    static let httpRefusals = Self(
        .counter, "tminus_http_refusals_total", ["reason"],
        "Refused requests and connections: host (unknown name), origin (another site), token, level, rate, full, slow."
    )
    static let unplacedSinks = Self(
        .gauge, "tminus_unplaced_sinks", "Sinks whose deliveries wait because no machine has their labels.")
    static let followers = Self(.gauge, "tminus_followers", "Machines that stand by and deliver beside this one.")
    static let clockDistance = Self(
        .gauge, "tminus_clock_distance_seconds",
        "How far the clock of this machine is ahead of the database's, by which things are due; only with PostgreSQL.")
    static let viewers = Self(.gauge, "tminus_viewers", ["door"], "Clients that follow the changes.")
    static let eventsSent = Self(.counter, "tminus_events_sent_total", "Changes that were sent to such clients.")
    static let viewersDropped = Self(
        .counter, "tminus_viewers_dropped_total", "Such clients that were disconnected because they read too slowly.")
    static let sessions = Self(.gauge, "tminus_sessions", ["level"], "Browsers that are signed in.")
    static let certificateExpiry = Self(
        .gauge, "tminus_tls_certificate_expiry_timestamp_seconds",
        "When the certificate in force expires; only with TLS.")
    static let logMessages = Self(.counter, "tminus_log_messages_total", ["level"], "Lines of the log by level.")

    // The process, as every program has them.
    static let cpuSeconds = Self(.counter, "process_cpu_seconds_total", "Processor time, user and system.")
    static let residentMemory = Self(.gauge, "process_resident_memory_bytes", "Resident memory.")
    static let openFiles = Self(.gauge, "process_open_fds", "Open file descriptors.")
    static let maxFiles = Self(.gauge, "process_max_fds", "The most file descriptors that may be open.")
    static let startTime = Self(.gauge, "process_start_time_seconds", "When the process started.")

    /// All metrics of `/metrics`.
    static let all: [Self] = [
        buildInfo, ready, scrapeDuration, lastReloadSuccessful, lastReloadSuccess, configHash, configGeneration,
        configDefinitions, configFiles, configReloads, configReloadDuration, watchEvents, watchRescans, definitions,
        mutes, nextDue, firings, omissions, schedulerLag, schedulerSteps, deliveries, deliveryAttempts,
        deliveryLateness, attemptDuration, outbox, outboxOldest, running, storeDuration, storeErrors, storeSize,
        httpRequests, httpDuration, httpConnections, httpRefusals, followers, unplacedSinks, clockDistance, viewers,
        eventsSent, viewersDropped, sessions, certificateExpiry, logMessages, cpuSeconds, residentMemory, openFiles,
        maxFiles, startTime,
    ]
}

/// The table of the metrics of single definitions, which are served apart.
extension MetricFamily {
    static let definitionNextDue = Self(
        .gauge, "tminus_definition_next_due_timestamp_seconds", ["id"],
        "When the definition is due next; 0 if nothing is to come.")
    static let definitionLastDelivery = Self(
        .gauge, "tminus_definition_last_delivery_timestamp_seconds", ["id", "outcome"],
        "When the last action was due that ended so; 0 if the last one ended otherwise, or none has.")
    static let definitionLastSuccess = Self(
        .gauge, "tminus_definition_last_delivery_success", ["id"],
        "1 if the last action that has ended was delivered; 0 if it was not, or none has ended.")
    static let definitionsTruncated = Self(
        .gauge, "tminus_definitions_truncated", "1 if there are more definitions than the limit.")

    /// All metrics of `/metrics/definitions`.
    static let ofDefinitions: [Self] = [
        definitionNextDue, definitionLastDelivery, definitionLastSuccess, definitionsTruncated,
    ]
}

extension MetricFamily {
    fileprivate init(_ kind: Kind, _ name: String, _ help: String) { self.init(kind, name, [], help) }
}
