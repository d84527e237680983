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
        let places = places(of: definition, at: batch[index].occurrence)
        let action = batch[index].action
        for place in places {
            let number = definitions[definition].firings[place]
            if firings[number].firing.action.rawValue == action.rawValue { return number }
        }
        let number = firings.next
        firings.append(FiringRow(index, of: batch, created: now, definition: definition))
        definitions[definition].firings.insert(number, at: places.upperBound)
        return number
    }

    /// Where the firings of one occurrence are among those of their definition.
    private func places(of definition: Int, at instant: Timestamp) -> Range<Int> {
        let all = definitions[definition].firings
        let first = all.firstIndex { firings[$0].firing.occurrence >= instant }
        let rest = all[first...].prefix { firings[$0].firing.occurrence == instant }
        return first..<rest.endIndex
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

    /// Ends a delivery, with a report by an attempt, and gives the next of its chain its turn.
    mutating func end(
        _ number: Int, _ state: DeliveryState, _ reason: String?, _ report: DeliveryReport? = nil, at instant: Timestamp
    ) {
        deliveries[number].end(state, reason, report, at: instant)
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
        var seen: Set<EndedExpiry> = []
        var ended: [EndedExpiry] = []
        for number in touched where firings[number].firing.action.kind == .expiry {
            let (definition, instant) = (firings[number].definition, firings[number].firing.occurrence)
            guard isAwaited(instant, of: definition), !isExpiryOpen(of: definition, at: instant) else { continue }
            let expiry = EndedExpiry(definition: definitions[definition].id, occurrence: instant)
            if seen.insert(expiry).inserted { ended.append(expiry) }
        }
        return ended
    }

    /// Whether the schedule of a definition waits for the end of the expiry of that occurrence.
    private func isAwaited(_ instant: Timestamp, of definition: Int) -> Bool {
        definitions[definition].schedule?.phase == .acting && definitions[definition].schedule?.deadline == instant
    }

    /// Whether a delivery of the expiry of an occurrence, snoozed or not, is not over.
    func isExpiryOpen(of definition: Int, at instant: Timestamp) -> Bool {
        places(of: definition, at: instant).contains { place in
            let number = definitions[definition].firings[place]
            return firings[number].firing.action.kind == .expiry
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
