internal import TminusCore

extension FireAnswer {
    /// The JSON object of `fire --json` and the control socket, on one line. Members that do not apply are left out.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("sent", isSent)
            object.member("deliveries", objects: deliveries) { $1.write(to: &$0) }
        }
        return writer.bytes
    }

    /// Decodes an answer and skips unknown members. An error names the expected value and the byte offset.
    package init(json: [UInt8]) throws {
        var scanner = JSONScanner(json)
        self.init(isSent: false, deliveries: [])
        try scanner.object { scanner, key in
            switch key {
            case "sent": isSent = try scanner.word() == "true"
            case "deliveries": try scanner.array { deliveries.append(try $0.firedDelivery()) }
            default: try scanner.skip()
            }
        }
        try scanner.end()
    }
}

extension FireAnswer.Delivery {
    fileprivate func write(to object: inout JSONWriter) {
        object.member("id", id)
        object.member("sink", sink)
        object.member("sink-title", sinkTitle)
        object.member("event", json: event.utf8)
        object.write(body: body, headers)
        if let outcome { object.member("outcome", outcome.rawValue) }
        if let message {
            object.member("reason", ReasonCode(message).rawValue)
            object.member("message", message)
        }
        if let nextAttempt { object.member("next-attempt", nextAttempt) }
    }
}

extension JSONScanner {
    fileprivate mutating func firedDelivery() throws -> FireAnswer.Delivery {
        var delivery = FireAnswer.Delivery(id: "", sink: "", event: "")
        try object { scanner, key in
            switch key {
            case "id": delivery.id = try scanner.string()
            case "sink": delivery.sink = try scanner.string()
            case "sink-title": delivery.sinkTitle = try scanner.string()
            case "event": delivery.event = try scanner.raw()
            case "body": delivery.body = try scanner.string()
            case "headers":
                try scanner.object { delivery.headers.append(DeliveryDraft.Field($1, try $0.string())) }
            case "outcome": delivery.outcome = AttemptRecord.Outcome(rawValue: try scanner.string())
            case "message": delivery.message = try scanner.string()
            case "next-attempt": delivery.nextAttempt = try scanner.string()
            default: try scanner.skip()
            }
        }
        return delivery
    }
}
