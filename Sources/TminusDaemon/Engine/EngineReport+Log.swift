internal import Logging
internal import TminusCore

extension Logger {
    /// Writes a report of the engine.
    func log(_ report: EngineReport) {
        switch report {
        case .schedule(let report): log(report)
        case .delivery(let delivery, let outcome, let sink): log(delivery, outcome, sink: sink)
        case .clockSet(let step): notice("the wall clock was set", metadata: ["clock.step": "\(step)"])
        case .slept(let time): notice("the machine slept", metadata: ["clock.slept": "\(time)"])
        case .unreadable(let id):
            error("delivery is dead: its stored data cannot be read", metadata: ["delivery.id": "\(id)"])
        case .setAside(let rows): log(rows)
        case .waiting(let attempts):
            notice("waiting for running deliveries", metadata: ["count": "\(attempts)"])
        case .abandoned(let attempts):
            warning(
                "running deliveries are interrupted; the next start repeats them", metadata: ["count": "\(attempts)"])
        case .storeRefused(let failure):
            error(
                "the store cannot be written: nothing fires, and deliveries and edits wait until it can; it is tried again",
                metadata: ["error": "\(failure)"])
        case .storeWorks: notice("the store can be written again")
        case .unrecorded(let count, let failure):
            error(
                "ended deliveries could not be recorded: they are repeated after the next start",
                metadata: ["count": "\(count)", "error": "\(failure)"])
        }
    }

    /// Names rows of the store that were moved out of the way, up to twenty of them.
    func log(_ rows: [DamagedRow]) {
        for row in rows.prefix(20) {
            error(
                "a damaged row of the store is set aside",
                metadata: ["table": "\(row.table)", "row": "\(row.row)", "reason": "\(row.reason)"])
        }
        if rows.count > 20 {
            error("more damaged rows of the store are set aside", metadata: ["count": "\(rows.count - 20)"])
        }
    }

    /// Where a sink writes what no delivery can say.
    func sinkLog(of sink: String) -> SinkLog {
        SinkLog { level, text in
            log(level: level == .warning ? .warning : .notice, "\(text)", metadata: ["sink": "\(sink)"])
        }
    }

    private func log(_ delivery: Delivery, _ outcome: Outcome, sink: String) {
        switch outcome {
        case .delivered:
            debug("delivered", metadata: delivery.metadata(sink: sink, reason: nil))
        case .retry(let next, let reason):
            var metadata = delivery.metadata(sink: sink, reason: reason)
            metadata["next"] = "\(next.rfc3339)"
            warning("attempt failed; the delivery will be retried", metadata: metadata)
        case .dead(let reason):
            error("delivery is dead", metadata: delivery.metadata(sink: sink, reason: reason))
        case .expired(let reason):
            error("delivery expired", metadata: delivery.metadata(sink: sink, reason: reason))
        case .skipped(let reason):
            notice("delivery skipped", metadata: delivery.metadata(sink: sink, reason: reason))
        }
    }

    private func log(_ report: ScheduleReport) {
        switch report {
        case .added(let id, let next):
            debug("added", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .addedWithoutNext(let id, .idle):
            notice("waits to be started", metadata: ["definition.id": "\(id)"])
        // A stopwatch that runs and has no alert, for one.
        case .addedWithoutNext(let id, .armed), .addedWithoutNext(let id, .paused), .addedWithoutNext(let id, .acting):
            debug("added", metadata: ["definition.id": "\(id)", "next": "-"])
        case .addedWithoutNext(let id, .expired):
            notice("no occurrence left: all instants are in the past", metadata: ["definition.id": "\(id)"])
        case .restored(let id, let next):
            debug("resumed after a restart", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .rescheduled(let id, nil):
            notice("rescheduled: no occurrence left", metadata: ["definition.id": "\(id)"])
        case .rescheduled(let id, let next):
            notice("rescheduled", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .cancelled(let id, let hadFile):
            notice(
                hadFile ? "cancelled: removed from the directory" : "cancelled: removed",
                metadata: ["definition.id": "\(id)"])
        case .resumed(let id, let next):
            notice(
                "resumed: back in the directory",
                metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .corrected(let count):
            warning(
                "the clock was far ahead before: definitions go on from now, and what has fired is not fired again",
                metadata: ["count": "\(count)"])
        case .controlled(let request):
            var metadata: Metadata = [
                "definition.id": "\(request.id)", "control": "\(request.control.verb.rawValue)", "by": "\(request.by)",
                "door": "\(request.door.rawValue)",
            ]
            if let note = request.note { metadata["note"] = "\(note)" }
            notice("control applied", metadata: metadata)
        case .controlledAll(let control):
            var metadata: Metadata = [
                "control": "\(control.action.verb.rawValue)", "by": "\(control.by)", "door": "\(control.door.rawValue)",
            ]
            if let note = control.note { metadata["note"] = "\(note)" }
            notice("control applied to everything", metadata: metadata)
        case .omitted(let omission):
            log(
                level: omission.reason.logLevel, "not sent",
                metadata: [
                    "definition.id": "\(omission.definition)", "action": "\(omission.action.rawValue)",
                    "due": "\(omission.due.rfc3339)", "reason": "\(omission.reason.rawValue)",
                    "count": "\(omission.count)",
                ])
        }
    }
}

extension Omission.Reason {
    /// A definition that is disabled is silent on purpose, however often it comes due.
    fileprivate var logLevel: Logger.Level {
        switch self {
        case .disabled, .snoozed: .debug
        case .pastWhenDefined, .editedAway: .info
        case .superseded, .overLimit, .notCaughtUp, .tooLate, .removed, .muted, .skipped, .restored: .notice
        }
    }
}

extension Delivery {
    fileprivate func metadata(sink: String, reason: String?) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "definition.id": "\(definition)", "delivery.id": "\(id)", "sink": "\(sink)", "attempt": "\(attempt)",
        ]
        metadata["reason"] = reason.map { "\($0)" }
        return metadata
    }
}
