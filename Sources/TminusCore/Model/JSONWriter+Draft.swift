extension JSONWriter {
    /// Writes what a receiver gets beside or in place of the CloudEvent: `body` and `headers`, as far as there are any.
    package mutating func write(body: String?, _ headers: [DeliveryDraft.Field]) {
        if let body { member("body", body) }
        guard !headers.isEmpty else { return }
        member("headers") { object in
            for field in headers { object.member(userKey: field.name, field.value) }
        }
    }
}
