package import TminusCore

extension ClaimedDelivery {
    /// The same with a token that says nothing: those of two stores differ.
    package var withoutToken: ClaimedDelivery { copy(token: "", payload: payload) }

    /// The same, of which the payload cannot be read.
    package var withoutPayload: ClaimedDelivery { copy(token: token, payload: nil) }

    private func copy(token: String, payload: Payload?) -> ClaimedDelivery {
        ClaimedDelivery(
            token: token, id: id, definition: definition, occurrence: occurrence, action: action, sink: sink,
            sinkRevision: sinkRevision, due: due, attempt: attempt, tries: tries, created: created, since: since,
            expires: expires, overlap: overlap, onFailure: onFailure, payload: payload)
    }
}
