import Testing

@testable import TminusSystem

@Suite("The memory of the process")
struct ProcessMemoryTests {
    @Test("what is as it is in its file can be given back, and nothing else")
    func unwritten() {
        let maps = """
            1000-3000 r-xp 00000000 08:01 42   /usr/bin/tminus
            Size:                  8 kB
            Rss:                   8 kB
            Anonymous:             0 kB
            VmFlags: rd ex mr mw me
            3000-4000 r--p 00002000 08:01 42   /usr/bin/tminus
            Anonymous:             0 kB
            6000-7000 r--p 00005000 08:01 42   /usr/bin/relocated
            Anonymous:             4 kB
            8000-9000 r--s 00000000 08:01 45   /var/lib/tminus/shared
            Anonymous:             0 kB
            4000-6000 rw-p 00003000 08:01 42   /usr/bin/tminus
            Anonymous:             4 kB
            7000-8000 r-xp 00000000 08:01 43   /usr/lib/with a breakpoint.so
            Anonymous:             4 kB
            9000-a000 rw-p 00000000 00:00 0    [heap]
            Anonymous:             4 kB
            b000-c000 rwxp 00000000 08:01 43   /usr/lib/written.so
            Anonymous:             0 kB
            7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0    [vdso]
            Anonymous:             0 kB
            7ffd00000000-7ffd00002000 r-xp 00000000 08:01 44   /usr/lib/libc.so.6
            Anonymous:             0 kB

            """
        #expect(
            ProcessMemory.unwritten(inMaps: Array(maps.utf8))
                == [0x1000..<0x3000, 0x3000..<0x4000, 0x7ffd_0000_0000..<0x7ffd_0000_2000])
    }

    @Test("after it was given back fewer pages of files are held, and everything still runs")
    func release() throws {
        let before = try residentFilePages()
        ProcessMemory.release()
        #expect(try residentFilePages() < before)
    }

    /// The third number of `/proc/self/statm` (proc_pid_statm(5)).
    private func residentFilePages() throws -> Int {
        let bytes = try #require(FileBytes.read("/proc/self/statm", limit: 4_096))
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return try #require(Int(fields[2]))
    }
}
