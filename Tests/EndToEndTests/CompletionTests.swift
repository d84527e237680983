import Testing

/// Completion in bash itself.
@Suite("Completion")
struct CompletionTests {
    @Test("ids come from the running daemon; without a daemon there are none")
    func ids() async throws {
        let scratch = try Scratch()
        try scratch.save(
            "t.yaml", "timers: { tea: { duration: 4m }, team: { duration: 5m }, other: { duration: 6m } }\n")
        // What bash does on the tab key: call the function registered by the script with the words so far.
        let script = """
            source <("$0" --generate-completion-script bash)
            PATH="$(dirname "$0"):$PATH"
            COMP_LINE="tminus show --state $1 te" COMP_POINT=${#COMP_LINE}
            COMP_WORDS=(tminus show --state "$1" te) COMP_CWORD=4
            _tminus tminus te "$1"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        func complete() async throws -> [String] {
            let program = try Program("bash", ["-c", script, Program.tminus, scratch.state])
            try await program.end()
            return program.output.texts.map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }.sorted()
        }
        #expect(try await complete() == [])
        let daemon = try RunningDaemon(in: scratch)
        try await daemon.ready()
        #expect(try await complete() == ["tea", "team"])
        #expect(try await daemon.stop() == 0)
    }

    @Test("commands are completed")
    func commands() async throws {
        let script = """
            source <("$0" --generate-completion-script bash)
            COMP_LINE="tminus sno" COMP_POINT=10 COMP_WORDS=(tminus sno) COMP_CWORD=1
            _tminus tminus sno tminus
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let program = try Program("bash", ["-c", script, Program.tminus])
        try await program.end()
        #expect(program.output.texts.map { $0.filter { $0 != " " } } == ["snooze"])
    }
}
