import Dispatch
import Glibc
import Subprocess

/// A process of the user with all three pipes, in a session of its own.
typealias RunningProgram = Execution<CustomWriteInput, SequenceOutput, SequenceOutput>

extension PlatformOptions {
    /// A session of its own: no terminal, and a process group that can be ended as a whole.
    static func session(killAfter: Duration) -> PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: killAfter)
        ]
        return options
    }
}

extension RunningProgram {
    /// Returns when the process has ended, not reaped yet; does not heed cancellation.
    func ended() async {
        guard processIdentifier.processDescriptor >= 0 else { return await endedByTeardown() }
        await withCheckedContinuation { continuation in
            // A descriptor of a process can be read from once that has ended (pidfd_open(2)).
            let source = DispatchSource.makeReadSource(
                fileDescriptor: processIdentifier.processDescriptor, queue: .global())
            source.setEventHandler { source.cancel() }
            // Nothing looks at the descriptor any more, whose owner may close it now.
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }

    /// On a kernel without descriptors for processes. The sleep leaves a timer behind, so this is not for every command.
    private func endedByTeardown() async {
        // Signal 0 changes nothing (kill(2)): this only waits for the end of the process.
        let ever = Duration.seconds(10 * 366 * 86_400)
        await teardown(using: [.send(signal: Signal(rawValue: 0), allowedDurationToNextStep: ever)])
    }

    /// TERM to the group, and KILL when the process is still there after `patience`; returns when it has ended.
    func terminate(within patience: Duration) async {
        await teardown(using: [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: patience)
        ])
    }

    /// The process that leads the group has ended; the others of the group get `patience` before they are killed.
    ///
    /// The leader is not reaped yet, so the number of the group cannot mean other processes by now.
    func endGroup(within patience: Duration) async {
        let group = ProcessGroup(id: processIdentifier.value)
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(10)
        while ContinuousClock.now < deadline, group.hasLivingMember() {
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(200))
        }
        group.send(SIGKILL)
    }
}

/// How a process ended, in words.
enum ExitText {
    private static let names: [CInt: String] = [
        SIGHUP: "HUP", SIGINT: "INT", SIGQUIT: "QUIT", SIGILL: "ILL", SIGTRAP: "TRAP", SIGABRT: "ABRT", SIGBUS: "BUS",
        SIGFPE: "FPE", SIGKILL: "KILL", SIGSEGV: "SEGV", SIGPIPE: "PIPE", SIGALRM: "ALRM", SIGTERM: "TERM",
        SIGXCPU: "XCPU", SIGXFSZ: "XFSZ", SIGSYS: "SYS",
    ]

    /// `exit status 3` or `ended by signal 9 (KILL)`.
    static func of(_ status: TerminationStatus) -> String {
        switch status {
        case .exited(let code): "exit status \(code)"
        case .signaled(let signal): "ended by signal \(signal)\(names[signal].map { " (\($0))" } ?? "")"
        }
    }
}
