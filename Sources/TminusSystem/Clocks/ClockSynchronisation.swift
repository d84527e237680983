internal import CPlatform

/// Whether something keeps the wall clock of this machine right.
package enum ClockSynchronisation {
    /// What the kernel says (adjtimex(2)); nil if it does not tell this process.
    package static var isInForce: Bool? {
        let answer = tminus_clock_is_synchronised()
        return answer < 0 ? nil : answer == 1
    }
}
