import TminusCore

extension MemoryOutbox {
    /// Writes firings and their deliveries; adds those of which a delivery ended by that.
    mutating func write(_ batch: [Firing], now: Timestamp, _ touched: inout [Int]) {
        for index in batch.indices {
            let definition = definition(batch[index].definition)
            let number = number(of: index, in: batch, of: definition, now: now)
            for sink in batch[index].sinks {
                write(index, of: batch, as: number, to: sink, of: definition, now: now, &touched)
            }
        }
    }

    /// The row of a firing, which is made if there is none.
    private mutating func number(of index: Int, in batch: [Firing], of definition: Int, now: Timestamp) -> Int {
        let instant = batch[index].occurrence
        var occurrence = occurrences.next
        let place = definitions[definition].occurrences.firstIndex { occurrences[$0].instant >= instant }
        if let found = self.occurrence(of: definition, at: instant, place) {
            occurrence = found
            let action = batch[index].action
            for number in occurrences[occurrence].firings
            where firings[number].firing.action.rawValue == action.rawValue { return number }
        } else {
            occurrences.append(OccurrenceRow(definition: definition, instant: instant))
            definitions[definition].occurrences.insert(occurrence, at: place)
        }
        let number = firings.next
        firings.append(FiringRow(index, of: batch, created: now, occurrence: occurrence))
        occurrences[occurrence].firings.append(number)
        return number
    }

    /// The row of an occurrence; nil if there is none.
    func occurrence(of definition: Int, at instant: Timestamp) -> Int? {
        let index = definitions[definition].occurrences.firstIndex { occurrences[$0].instant >= instant }
        return occurrence(of: definition, at: instant, index)
    }

    /// The row of an occurrence, which has this index if it is there.
    private func occurrence(of definition: Int, at instant: Timestamp, _ index: Int) -> Int? {
        let all = definitions[definition].occurrences
        guard index < all.count, occurrences[all[index]].instant == instant else { return nil }
        return all[index]
    }

    /// The row of the chain of a definition to a sink, which is made if there is none.
    private mutating func chain(of definition: Int, to key: SinkKey) -> Int {
        let sink = sink(of: key)
        for chain in definitions[definition].chains where chains[chain].sink == sink { return chain }
        let number = chains.next
        chains.append(ChainRow(definition: definition, sink: sink))
        definitions[definition].chains.append(number)
        return number
    }

    /// Writes the delivery of a firing to a sink, if there is none. `firing` is its row, which may be of an earlier write.
    private mutating func write(
        _ index: Int, of batch: [Firing], as firing: Int, to sink: SinkKey, of definition: Int, now: Timestamp,
        _ touched: inout [Int]
    ) {
        let chain = chain(of: definition, to: sink)
        guard !firings[firing].deliveries.contains(where: { deliveries[$0].chain == chain }) else { return }
        written += 1
        // Field by field: a firing is large.
        let occurrence = batch[index].occurrence
        let overlap = batch[index].overlaps[sink] ?? .queue
        let number = deliveries.next
        deliveries.append(
            DeliveryRow(
                rank: written, firing: firing, chain: chain, overlap: overlap, now: now,
                nextAttempt: batch[index].notBefore ?? min(batch[index].due, now),
                expires: batch[index].expires))
        firings[firing].deliveries.append(number)
        let turn = overlap.turn(
            behind: head(of: chain), occurrence: occurrence, isCatchUp: batch[index].payload.isCatchUp,
            now: now)
        if turn == .skipped {
            deliveries[number].end(.skipped, Overlap.skippedReason, at: now)
            return touched.append(firing)
        }
        chains[chain].open.append(number)
        switch turn {
        case .now: makePending(number)
        case .behind, .skipped: break
        case .instead: replace(chain, by: occurrence, now: now, &touched)
        }
    }

    private func head(of chain: Int) -> Overlap.Head? {
        guard let first = chains[chain].open.first else { return nil }
        let delivery = deliveries[first]
        return Overlap.Head(
            occurrence: firings[delivery.firing].firing.occurrence, claimedUntil: delivery.claim?.until)
    }

    /// Ends what waits in a chain for other occurrences.
    private mutating func replace(
        _ chain: Int, by occurrence: Timestamp, now: Timestamp, _ touched: inout [Int]
    ) {
        for number in chains[chain].open {
            let firing = deliveries[number].firing
            guard deliveries[number].state != .claimed, firings[firing].firing.occurrence != occurrence else {
                continue
            }
            end(number, .skipped, Overlap.replacedReason, at: now)
            touched.append(firing)
        }
        promote(chain)
    }

    /// Ends a delivery, and gives the next of its chain its turn.
    mutating func end(_ number: Int, _ state: DeliveryState, _ reason: String?, at instant: Timestamp) {
        deliveries[number].end(state, reason, at: instant)
        let chain = deliveries[number].chain
        chains[chain].open.remove(number)
        promote(chain)
    }

    /// Makes the first of a chain pending if all of it is queued.
    private mutating func promote(_ chain: Int) {
        guard let first = chains[chain].open.first, isQueued(chain) else { return }
        makePending(first)
    }

    /// Whether nothing of a chain is pending or claimed.
    func isQueued(_ chain: Int) -> Bool { chains[chain].open.allSatisfy { deliveries[$0].state == .queued } }

    /// Puts a delivery that is not over into the line of its sink.
    mutating func makePending(_ number: Int) {
        deliveries[number].wait(.pending)
        line(up: number)
    }

    /// Gives a delivery the place in its line that it has now, if it is pending.
    mutating func line(up number: Int) {
        guard let turn = deliveries.turn(number) else { return }
        sinks[chains[deliveries[number].chain].sink].line.insert(turn)
    }

    /// Those of the firings that are expiries, snoozed or not, for which a schedule waits, with no open delivery of their occurrence,
    /// each once.
    func ended(_ touched: [Int]) -> [EndedExpiry] {
        var seen: Set<Int> = []
        var ended: [EndedExpiry] = []
        for firing in touched where firings[firing].firing.action.kind == .expiry {
            let occurrence = firings[firing].occurrence
            guard isAwaited(occurrence), !isExpiryOpen(of: occurrence), seen.insert(occurrence).inserted else {
                continue
            }
            ended.append(
                EndedExpiry(
                    definition: firings[firing].firing.definition, occurrence: occurrences[occurrence].instant))
        }
        return ended
    }

    /// Whether a schedule waits for the end of an occurrence's expiry.
    private func isAwaited(_ occurrence: Int) -> Bool {
        let definition = occurrences[occurrence].definition
        return definitions[definition].schedule?.phase == .acting
            && definitions[definition].schedule?.deadline == occurrences[occurrence].instant
    }

    /// Whether a delivery of the expiry of an occurrence, snoozed or not, is not over.
    func isExpiryOpen(of occurrence: Int) -> Bool {
        occurrences[occurrence].firings.contains { number in
            firings[number].firing.action.kind == .expiry
                && firings[number].deliveries.contains { deliveries[$0].state.isOpen }
        }
    }
}

extension NumberedRows<MemoryOutbox.DeliveryRow> {
    /// The place of a delivery in the line of its sink, while it is pending. Asked of the table: to ask the row would copy it.
    func turn(_ number: Int) -> DueLine.Turn? {
        guard self[number].state == .pending else { return nil }
        return DueLine.Turn(due: self[number].nextAttempt, rank: self[number].rank, delivery: number)
    }
}
