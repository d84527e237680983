internal import Glibc

/// Why a program could not be started.
package struct StartProblem: Error, Equatable {
    /// The step that failed.
    package enum Step: Sendable {
        /// PATH has no program with that name.
        case find
        /// The working directory cannot be used.
        case enterDirectory
        /// The program, or something that it needs, cannot be executed.
        case start
        /// The program runs, but its end cannot be watched.
        case watch
    }

    /// The step that failed.
    package var step: Step
    /// The `errno`.
    package var number: CInt

    /// Whether descriptors are used up. That passes when other programs end.
    package var isShortOfDescriptors: Bool { number == EMFILE || number == ENFILE }
}
