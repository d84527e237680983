import Foundation
import Glibc
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

@Suite("Plug-ins", .serialized)
struct PluginTests {
    @Test("a plug-in is started by the first delivery, not before, and stays for the next")
    func startsOnce() async throws {
        let plugin = try TestPlugin("echo start >> starts; \(TestPlugin.good)")
        #expect(plugin.directory.read("starts") == nil)
        for number in 0..<5 { #expect(try await plugin.sink.attempt(Deliveries.one(number: number)) == nil) }
        await plugin.sink.shutdown()
        #expect(plugin.directory.read("starts") == "start\n")
        #expect(plugin.log.texts == [])
    }

    @Test("options decode, and making the sink starts nothing")
    func decodes() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("plugin.sh", "#!/bin/sh\ntouch started\n", isProgram: true)
        let diagnostics = DiagnosticBag(file: "test.yaml")
        let spec = SinkSpec.test(
            "plugin",
            [
                ("plugin", .scalar("./plugin.sh")), ("timeout", .scalar("3s")), ("max-concurrent", .scalar("2")),
                ("config", .mapping([.init(key: "a", value: Node(.sequence([Node(.scalar("1"))])))])),
                ("environment", .mapping([.init(key: "A", value: Node(.scalar("1")))])),
            ], in: directory.path)
        let sink = try #require(SinkRegistry(StandardSinks.kinds).make(spec, root: "/", reporting: diagnostics)).sink
        #expect(diagnostics.diagnostics.isEmpty && sink.maxConcurrent == 2 && sink.timeLimit == .seconds(41))
        await sink.shutdown()
        #expect(try directory.names() == ["plugin.sh"])
    }

    @Test("the greeting carries the configuration, each single value as text")
    func greeting() async throws {
        let config = Node(
            .mapping([
                .init(key: "path", value: Node(.scalar("../a/b"))), .init(key: "count", value: Node(.scalar("012"))),
                .init(key: "list", value: Node(.sequence([Node(.scalar("x")), Node(.null)]))),
            ]))
        let plugin = try TestPlugin(
            "\(TestPlugin.ready()); printf '%s\\n' \"$hello\" > hello; while :; do \(TestPlugin.next); \(TestPlugin.answer()); done",
            config: config)
        #expect(try await plugin.sink.attempt() == nil)
        await plugin.sink.shutdown()
        #expect(
            plugin.directory.read("hello") == #"{"config":{"count":"012","list":["x",null],"path":"../a/b"},"hello":1}"#
                + "\n")
    }

    @Test(
        "what a plug-in answers decides",
        arguments: [
            (#""outcome":"delivered""#, nil),
            (#""outcome":"retry""#, .transient("the plug-in asks for another attempt")),
            (#""outcome":"retry","after":1.5,"reason":"full""#, .transient("full", retryAfter: .seconds(1.5))),
            (#""outcome":"dead","reason":"no such\troom""#, .permanent("no such room")),
            (#""outcome":"dead""#, .permanent("the plug-in failed the delivery without a reason")),
            (#""outcome":"perhaps""#, .transient("the plug-in answered with the unknown outcome 'perhaps'")),
        ] as [(String, DeliveryError?)])
    func outcomes(answer: String, expected: DeliveryError?) async throws {
        let plugin = try TestPlugin(
            "\(TestPlugin.ready()); \(TestPlugin.next); \(TestPlugin.answer(answer)); cat > /dev/null")
        #expect(try await plugin.sink.attempt() == expected)
        await plugin.sink.shutdown()
    }

    @Test("answers may come in any order, and no more deliveries are out than the plug-in takes")
    func anyOrder() async throws {
        // It takes two at once, answers the second first, and says so if a third comes before.
        let script = """
            \(TestPlugin.ready(2)); \(TestPlugin.next); first=$id; \(TestPlugin.next)
            if read -t 0.3 third 2>/dev/null; then echo 'one too many' >&2; fi
            \(TestPlugin.answer()); id=$first; \(TestPlugin.answer())
            while :; do \(TestPlugin.next); \(TestPlugin.answer()); done
            """
        let plugin = try TestPlugin(script)
        let sink = plugin.sink
        try await withThrowingTaskGroup(of: DeliveryError?.self) { group in
            for number in 0..<6 { group.addTask { try await sink.attempt(Deliveries.one(number: number)) } }
            for try await end in group { #expect(end == nil) }
        }
        await sink.shutdown()
        #expect(!plugin.log.texts.contains { $0.contains("one too many") })
    }

    /// A way of misbehaving; each ends in a transient failure with a reason that contains `part`, and in no process left.
    struct Misdeed: Sendable, CustomTestStringConvertible {
        var name: String
        var script: String
        var part: String
        /// What is said if something else is seen before the end of the process.
        var earlierParts: [String] = []
        var timeout = Bounded.limit
        var startLimit = Bounded.limit
        var size = 10
        var testDescription: String { name }
    }

    static let short = Duration.milliseconds(500)
    // What sleeps for 600 s hangs: it has to be ended.
    static let misdeeds: [Misdeed] = [
        Misdeed(
            name: "silent from the start", script: "sleep 600", part: "was not ready within 0.5 s", startLimit: short),
        Misdeed(
            name: "silent when it is ready", script: "\(TestPlugin.ready()); sleep 600",
            part: "gave no answer within 0.5 s",
            timeout: short),
        Misdeed(
            name: "another version", script: #"echo '{"ready":2}'; sleep 600"#,
            part: "speaks version 2 of the protocol, this tminus speaks 1"),
        Misdeed(
            name: "dies at once", script: "echo oops >&2; exit 3", part: "the plug-in ended with exit status 3: oops"),
        Misdeed(name: "ends at once", script: "exit 0", part: "the plug-in ended"),
        Misdeed(
            name: "dies with a delivery in hand", script: "\(TestPlugin.ready()); \(TestPlugin.next); kill -9 $$",
            part: "was ended by signal 9 (KILL)"),
        Misdeed(
            name: "closes its standard output", script: "\(TestPlugin.ready()); exec >&-; sleep 600",
            part: "closed its standard output"),
        Misdeed(
            name: "closes its standard input", script: "\(TestPlugin.ready()); exec <&-; sleep 600",
            part: "closed its standard input", size: 200_000),
        Misdeed(
            name: "an endless line", script: "\(TestPlugin.ready()); exec cat /dev/zero",
            part: "wrote a line of more than 64 KiB"),
        Misdeed(
            name: "garbage", script: "\(TestPlugin.ready()); exec yes garbage",
            part: "wrote too many invalid lines; it wrote a line"),
        Misdeed(
            name: "garbage from the start", script: "exec yes", part: "wrote too many invalid lines; it wrote a line"),
        Misdeed(
            name: "answers for nothing",
            script: #"\#(TestPlugin.ready()); exec yes '{"id":"x","outcome":"delivered"}'"#,
            part: "answered for a delivery that it does not have: 'x'"),
        Misdeed(
            name: "answers before it is ready", script: #"exec yes '{"id":"x","outcome":"delivered"}'"#,
            part: "answered before it was ready"),
        Misdeed(
            name: "ready all the time", script: #"exec yes '{"ready":1}'"#, part: "said twice that it is ready"),
        Misdeed(
            name: "does not read", script: #"echo '{"ready":1}'; sleep 600"#, part: "gave no answer within 0.5 s",
            timeout: short, size: 200_000),
        Misdeed(
            name: "ignores TERM", script: "trap '' TERM; while :; do sleep 600; done",
            part: "was not ready within 0.5 s", startLimit: short),
        Misdeed(
            name: "stops itself", script: "\(TestPlugin.ready()); kill -STOP $$", part: "gave no answer within 0.5 s",
            timeout: short),
        Misdeed(
            name: "leaves a child behind", script: "sleep 600 & exit 1", part: "ended with exit status 1"),
        Misdeed(
            name: "forks a daemon that keeps its pipes", script: "setsid sleep 600 9>&- & echo $! > child; exit 1",
            part: "ended with exit status 1"),
        Misdeed(
            name: "a daemon that writes for ever", script: "setsid yes 9>&- & exit 1", part: "ended with exit status 1",
            earlierParts: ["the plug-in wrote too many invalid lines", "the plug-in closed its standard input"]),
    ]

    @Test("a plug-in that misbehaves is contained and named", arguments: misdeeds)
    func misbehaves(_ misdeed: Misdeed) async throws {
        let directory = try TemporaryDirectory()
        let fifo = try Fifo(at: directory.file("fifo"))
        let plugin = try TestPlugin(
            "exec 9>fifo; \(misdeed.script)", in: directory, timeout: misdeed.timeout, startLimit: misdeed.startLimit)
        let delivery = Deliveries.one(text: String(repeating: "x", count: misdeed.size))
        let error = try #require(try await plugin.sink.attempt(delivery))
        let parts = [misdeed.part] + misdeed.earlierParts
        let isNamed = parts.contains { error.reason.contains($0) }
        #expect(error.isTransient && isNamed, "\(error.reason)")
        try await Bounded.value("the shutdown") { await plugin.sink.shutdown() }
        #expect(await fifo.isAbandoned())
        // What an operator sees of it.
        #expect(plugin.log.texts.contains { $0.contains("the plug-in") }, "\(plugin.log.texts)")
        if let child = directory.read("child").flatMap({ pid_t($0.trimmingCharacters(in: .newlines)) }), child > 1 {
            kill(child, SIGKILL)
        }
    }

    @Test("a program that cannot be started is named, and is tried again")
    func notStarted() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("plain", "text")
        for (name, part) in [("none", "cannot be found"), ("plain", "may not be executed"), ("", "is a directory")] {
            let sink = PluginSink(PluginSettings(program: directory.file(name), directory: directory.path))
            let error = try #require(try await sink.attempt())
            #expect(error.isTransient && error.reason.contains(part), "\(error.reason)")
            await sink.shutdown()
        }
    }

    @Test("after its death a plug-in is started again, not before a pause")
    func restarts() async throws {
        let plugin = try TestPlugin("[ -e good ] || exit 1; \(TestPlugin.good)")
        // The sink knows of the death a little later than the delivery. Then the pause may be over before the next attempt, but it
        // doubles with each death, so in the end it is not.
        var pause: Duration?
        let deadline = ContinuousClock.now + Bounded.limit
        while pause == nil, ContinuousClock.now < deadline {
            let error = try #require(try await plugin.sink.attempt())
            #expect(error.reason.contains("ended with exit status 1"))
            #expect((error.retryAfter != nil) == error.reason.contains("; it is started again in "), "\(error)")
            pause = error.retryAfter
            await Task.yield()
        }
        #expect(try #require(pause) > .zero)
        #expect(await plugin.log.wait { $0.contains("exit status 1") })
        try plugin.directory.write("good", "")
        // The pause before the next start is by the continuous clock, which the test cannot set.
        try await Task.sleep(for: #require(pause))
        #expect(try await plugin.sink.attempt() == nil)
        await plugin.sink.shutdown()
    }

    @Test("an answer that comes twice, garbage between answers and one before the greeting do not disturb the others")
    func smallMisdeeds() async throws {
        let script = """
            echo 'starting up'
            \(TestPlugin.ready())
            while :; do \(TestPlugin.next); echo debug; \(TestPlugin.answer()); \(TestPlugin.answer()); done
            """
        let plugin = try TestPlugin(script)
        for number in 0..<5 { #expect(try await plugin.sink.attempt(Deliveries.one(number: number)) == nil) }
        await plugin.sink.shutdown()
        for part in ["'starting up'", "'debug'", "a delivery that it does not have"] {
            #expect(plugin.log.texts.contains { $0.contains(part) }, "\(plugin.log.texts)")
        }
    }

    @Test("one delivery that takes too long ends alone while the plug-in answers others")
    func oneIsSlow() async throws {
        let script = """
            \(TestPlugin.ready()); \(TestPlugin.next)
            while :; do \(TestPlugin.next); \(TestPlugin.answer()); done
            """
        let plugin = try TestPlugin(script, timeout: .seconds(3))
        let sink = plugin.sink
        // Both wait for the plug-in to be ready. It gets the second right after the first, so it answers before the first is over its time.
        let slow = Task.immediate { try await sink.attempt(Deliveries.one(number: 99)) }
        let other = Task.immediate { try await sink.attempt(Deliveries.one(number: 1)) }
        #expect(try await other.value == nil)
        #expect(try await slow.value == .transient("the plug-in gave no answer within 3 s"))
        #expect(try await sink.attempt(Deliveries.one(number: 2)) == nil)
        await sink.shutdown()
    }

    @Test("at the end of its input a plug-in may finish what it does")
    func finishes() async throws {
        // It works on for a moment after the end of its input.
        let plugin = try TestPlugin(
            "\(TestPlugin.ready()); while IFS= read -r line; do id=${line#*'\"id\":\"'}; id=${id%%'\"'*}; \(TestPlugin.answer()); done; sleep 0.1; echo done > done"
        )
        #expect(try await plugin.sink.attempt() == nil)
        await plugin.sink.shutdown()
        #expect(plugin.directory.read("done") == "done\n")
    }

    @Test("a cancelled delivery ends at once, and leaves the plug-in to the others")
    func cancellation() async throws {
        let directory = try TemporaryDirectory()
        let fifo = try Fifo(at: directory.file("fifo"))
        let script =
            "exec 9>fifo; \(TestPlugin.ready()); \(TestPlugin.next); echo got >&9; while :; do \(TestPlugin.next); \(TestPlugin.answer()); done"
        let plugin = try TestPlugin(script, in: directory)
        let sink = plugin.sink
        let running = Task { try await sink.attempt(Deliveries.one(number: 1)) }
        #expect(try await fifo.words() == "got\n")
        running.cancel()
        #expect(try await running.value == .stopped)
        #expect(try await sink.attempt(Deliveries.one(number: 2)) == nil)
        await sink.shutdown()
        #expect(await fifo.isAbandoned())
    }

    @Test("standard error goes to the log, at a bounded rate, without secrets and in short lines")
    func standardError() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("token", "s3cr3t-canary\n")
        let script = """
            echo "token $TOKEN" >&2; printf '%0490d%s and more\\n' 0 "$TOKEN" >&2; head -c 5000 /dev/zero | tr '\\0' x >&2; echo >&2
            i=0; while [ $i -lt 500 ]; do echo "line $i" >&2; i=$((i+1)); done
            env > env; \(TestPlugin.ready()); \(TestPlugin.next); \(TestPlugin.answer(#""outcome":"dead","reason":"s3cr3t-canary!""#)); exit 1
            """
        let plugin = try TestPlugin(
            script, in: directory, secrets: ["TOKEN": SecretSource(.file(directory.file("token")))])
        #expect(try await plugin.sink.attempt() == .permanent("(secret)!"))
        #expect(await plugin.log.wait { $0.contains("ended with exit status 1") })
        await plugin.sink.shutdown()
        let texts = plugin.log.texts
        #expect(texts.contains { $0.hasSuffix(": token (secret)") }, "\(texts)")
        #expect(texts.allSatisfy { $0.utf8.count < 800 && !$0.contains("canary") && !$0.contains("s3cr") })
        #expect(texts.count < 100, "\(texts.count)")
        let environment = try #require(directory.read("env"))
        #expect(environment.contains("TOKEN=s3cr3t-canary\n") && !environment.contains("TMINUS_DELIVERY"))
    }
}
