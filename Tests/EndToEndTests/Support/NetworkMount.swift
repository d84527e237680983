import Foundation
import Glibc

/// A network file system that does not answer, in the place of a directory.
enum NetworkMount {
    /// Whether this process can mount one.
    static let isPossible = geteuid() == 0 && FileManager.default.fileExists(atPath: "/dev/fuse")

    /// The words before a command that is to see it in the place of the directory named by the variable `STATE`.
    static let prefix = ["unshare", "--mount", "python3", "-c", script]

    /// Nobody serves the mount, so every access to it waits until the process ends.
    private static let script = """
        import ctypes, os, sys
        device = os.open("/dev/fuse", os.O_RDWR)
        os.set_inheritable(device, True)
        options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
        if ctypes.CDLL(None).mount(b"host:/", os.environb[b"STATE"], b"fuse.sshfs", 0, options):
            sys.exit("cannot mount")
        os.execv(sys.argv[1], sys.argv[1:])
        """
}
