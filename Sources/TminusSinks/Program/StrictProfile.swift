import Glibc
import TminusSystem

/// The words for a command that fails because of the strict profile of the installed unit.
enum StrictProfile {
    /// What to add to the reason of a failure; empty unless the daemon runs under the strict profile and `text`, which the
    /// command or the kernel wrote, has the message of EPERM, the error of every system call that the profile forbids.
    static func hint(_ text: String) -> String {
        guard DaemonPlace.current?.profile == .strict, text.contains(ErrorText.of(EPERM)) else { return "" }
        return "; the strict profile of tminus.service forbids it, or the system does: "
            + "link /usr/share/tminus/tminus-commands.conf into /etc/systemd/system/tminus.service.d, and restart"
    }
}
