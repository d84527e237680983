import CProcessSetup
import Dispatch
import Testing

@Suite("Process setup")
struct IdleDispatchTests {
    @Test("libdispatch still sets a timer of a second for itself, so the workaround is still needed")
    func isStillNeeded() async {
        // The first job on a global queue makes libdispatch set the timer; by the time that a job runs it has done so.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume() }
        }
        #expect(
            tminus_withheld_timers() > 0,
            "remove Sources/CProcessSetup/idle_dispatch.c if an idle daemon sleeps without it; the file says how to see that"
        )
    }
}
