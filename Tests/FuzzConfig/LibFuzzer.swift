#if LIBFUZZER

    import TminusCore

    /// libFuzzer's own main program, for builds with `-sanitize=fuzzer`; see `scripts/libfuzzer-config`.
    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
        _ trial: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    /// The program when it is built for libFuzzer, which then reads the command line itself.
    @main
    enum LibFuzzer {
        static func main() {
            var count = CommandLine.argc
            var arguments = CommandLine.unsafeArgv
            let status = runDriver(&count, &arguments) { bytes, size in
                let input = Array(UnsafeBufferPointer(start: bytes, count: size))
                Trial.read(input, "input.yaml")
                Trial.read(input, "input.json")
                return 0
            }
            if status != 0 { fatalError("libFuzzer ended with status \(status)") }
        }
    }

#endif
