import Testing
import TminusSystem

@testable import TminusWatch

/// A sequence of hints and scans with hand-made times, and what comes of it.
private struct Script {
    var debouncer = Debouncer(policy: DebouncePolicy())
    let start = ContinuousClock.now

    func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    /// In milliseconds from the start.
    var deadline: Int? {
        debouncer.deadline.map { Int(start.duration(to: $0) / .milliseconds(1)) }
    }

    mutating func note(_ milliseconds: Int, _ name: String, _ events: FileEvent...) {
        for event in events { debouncer.note(event, of: RawPath(name), now: at(milliseconds)) }
    }

    mutating func hold(_ milliseconds: Int, _ name: String) -> Bool {
        debouncer.holdBlank(RawPath(name), now: at(milliseconds))
    }

    mutating func scan(_ milliseconds: Int, _ changes: FileChange..., trustsAge: Bool = true) -> Debouncer.Decision {
        debouncer.decide(changes, trustsAge: trustsAge, now: at(milliseconds))
    }
}

private func present(_ name: String, size: Int64 = 1, age: Duration = .zero) -> FileChange {
    let stamp = FileStamp(identity: FileIdentity(device: 1, inode: 1), size: size, modified: 0, changed: 0)
    return FileChange(path: RawPath(name), kind: .present(stamp), age: age)
}

private func lost(_ name: String) -> FileChange { FileChange(path: RawPath(name), kind: .lost) }

private func apply(_ names: String...) -> Debouncer.Decision { .apply(names.map { RawPath($0) }) }

@Suite("The debouncer")
struct DebouncerTests {
    @Test(
        "a save in one go is read after the quiet time",
        arguments: [
            ("cat > f", [FileEvent.modified, .modified, .closed]), ("a new file", [.createdEmpty, .modified, .closed]),
            ("mv", [.arrived]), ("sed -i", [.arrived]), ("sponge", [.arrived, .closed]), ("mmap", [.closed]),
            ("ln", [.created]), ("cp --remove-destination", [.vanished, .createdEmpty, .modified, .closed]),
            ("vim", [.vanished, .createdEmpty, .modified, .attributes, .closed, .attributes]), ("chmod", [.attributes]),
        ] as [(String, [FileEvent])])
    func oneGo(tool: String, events: [FileEvent]) {
        var script = Script()
        for event in events { script.note(0, "a.yaml", event) }
        #expect(script.deadline == 50)
        #expect(script.scan(50, present("a.yaml")) == apply("a.yaml"))
        #expect(script.deadline == nil)
    }

    @Test("a file with an open writer is not read before it is closed")
    func slowWriter() {
        var script = Script()
        script.note(0, "a.yaml", .modified)
        script.note(200, "a.yaml", .modified)
        script.note(400, "a.yaml", .modified, .closed)
        #expect(script.deadline == 450)
        #expect(script.scan(450, present("a.yaml")) == apply("a.yaml"))
    }

    @Test("a writer that pauses longer than a batch waits still has its file left alone")
    func verySlowWriter() {
        var script = Script()
        script.note(0, "a.yaml", .modified)
        #expect(script.deadline == 1_000)
        #expect(script.scan(1_000, present("a.yaml")) == apply())
        script.note(1_500, "a.yaml", .modified)
        #expect(script.deadline == 3_500)
        script.note(3_000, "a.yaml", .modified, .closed)
        #expect(script.deadline == 3_050)
        #expect(script.scan(3_050, present("a.yaml")) == apply("a.yaml"))
    }

    @Test("a writer that keeps its file open without writing has it read after the gate limit")
    func heldOpen() {
        var script = Script()
        script.note(0, "a.yaml", .modified)
        #expect(script.scan(1_000, present("a.yaml")) == apply())
        #expect(script.deadline == 2_000)
        #expect(script.scan(2_000, present("a.yaml")) == apply("a.yaml"))
        #expect(script.deadline == nil)
    }

    @Test("a steady writer does not hold up another file for longer than the cap, and later not at all")
    func steadyWriter() {
        var script = Script()
        for time in stride(from: 0, to: 500, by: 10) { script.note(time, "busy.yaml", .modified) }
        script.note(500, "a.yaml", .modified, .closed)
        for time in stride(from: 510, to: 1_000, by: 10) { script.note(time, "busy.yaml", .modified) }
        #expect(script.deadline == 1_000)
        #expect(script.scan(1_000, present("a.yaml"), present("busy.yaml")) == apply("a.yaml"))
        for time in stride(from: 1_000, to: 5_000, by: 10) { script.note(time, "busy.yaml", .modified) }
        script.note(5_000, "a.yaml", .modified, .closed)
        script.note(5_010, "busy.yaml", .modified)
        #expect(script.deadline == 5_050)
        #expect(script.scan(5_050, present("a.yaml"), present("busy.yaml")) == apply("a.yaml"))
        #expect(script.deadline == 7_010)
    }

    @Test("a file that is saved again and again is still read once a second")
    func manySaves() {
        var script = Script()
        for time in stride(from: 0, through: 990, by: 10) { script.note(time, "a.yaml", .modified, .closed) }
        #expect(script.deadline == 1_000)
        #expect(script.scan(1_000, present("a.yaml")) == apply("a.yaml"))
    }

    @Test("a removed file is removed after the grace, and what is saved with it waits")
    func removal() {
        var script = Script()
        script.note(0, "a.yaml", .vanished)
        script.note(1, "b.yaml", .arrived)
        #expect(script.deadline == 51)
        #expect(script.scan(51, lost("a.yaml"), present("b.yaml")) == .wait)
        #expect(script.deadline == 250)
        #expect(script.scan(250, lost("a.yaml"), present("b.yaml")) == apply("a.yaml", "b.yaml"))
    }

    @Test("a file that vanishes and returns within the grace is not removed", arguments: [30, 100, 200])
    func returns(gap: Int) {
        var script = Script()
        script.note(0, "a.yaml", .vanished)
        if gap >= 50 { #expect(script.scan(50, lost("a.yaml")) == .wait) }
        script.note(gap, "a.yaml", .createdEmpty, .modified, .closed)
        #expect(script.deadline == gap + 50)
        #expect(script.scan(gap + 50, present("a.yaml")) == apply("a.yaml"))
    }

    @Test("a temporary file that is renamed away costs no wait")
    func temporaryFile() {
        var script = Script()
        script.note(0, "tmp.yaml", .createdEmpty, .modified, .closed, .vanished)
        script.note(0, "a.yaml", .arrived)
        #expect(script.deadline == 50)
        #expect(script.scan(50, present("a.yaml")) == apply("a.yaml"))
        #expect(script.deadline == nil)
    }

    @Test("a file that a scan finds without events is read at once if it is old, else when it is the same for a while")
    func withoutEvents() {
        var script = Script()
        #expect(script.scan(0, present("old.yaml", age: .seconds(1))) == apply("old.yaml"))
        #expect(script.scan(0, present("new.yaml", age: .milliseconds(20))) == .wait)
        #expect(script.deadline == 250)
        #expect(script.scan(250, present("new.yaml", size: 2)) == .wait)
        #expect(script.deadline == 500)
        #expect(script.scan(500, present("new.yaml", size: 2)) == apply("new.yaml"))
    }

    @Test("without notifications a file must be the same in two scans, whatever its age; also one from the future")
    func polling() {
        for age in [Duration.seconds(100), .seconds(-100)] {
            var script = Script()
            #expect(script.scan(0, present("a.yaml", age: age), trustsAge: false) == .wait)
            #expect(script.deadline == 250)
            #expect(script.scan(250, present("a.yaml", age: age), trustsAge: false) == apply("a.yaml"))
        }
    }

    @Test("files of a directory that was renamed into place are complete")
    func arrival() {
        var script = Script()
        script.debouncer.noteArrival(of: RawPath("sub"), now: script.at(0))
        #expect(script.deadline == 50)
        #expect(script.scan(50, present("sub/a.yaml")) == apply("sub/a.yaml"))
        #expect(script.scan(60, present("subway.yaml")) == .wait)
    }

    @Test("a reload waits for nothing")
    func reload() {
        var script = Script()
        script.note(0, "a.yaml", .modified)
        script.note(0, "b.yaml", .vanished)
        let decision = script.debouncer.decide(
            [present("a.yaml"), lost("b.yaml"), present("c.yaml")], trustsAge: false, isForced: true, now: script.at(1))
        #expect(decision == apply("a.yaml", "b.yaml", "c.yaml"))
        #expect(script.debouncer.deadline == nil)
    }

    @Test("a file that changes whenever it is read is given up after the fourth try")
    func givesUp() {
        var script = Script()
        for attempt in 1...4 {
            #expect(script.debouncer.postpone(RawPath("a.yaml"), now: script.at(attempt * 100)) == (attempt < 4))
            if attempt == 4 { continue }
            #expect(script.deadline == attempt * 100 + 50)
            #expect(script.scan(attempt * 100 + 50, present("a.yaml", age: .seconds(1))) == apply("a.yaml"))
        }
    }

    @Test("every decision lets time go on: the deadline after a scan is later than the scan")
    func progress() {
        var generator = SystemRandomNumberGenerator()
        let kinds: [FileEvent] = [.createdEmpty, .created, .modified, .closed, .arrived, .vanished, .attributes]
        for _ in 0..<500 {
            var script = Script()
            var now = 0
            for _ in 0..<40 {
                now += Int.random(in: 0...300, using: &generator)
                let name = "\(Int.random(in: 0...3, using: &generator))"
                script.note(now, name, kinds.randomElement(using: &generator) ?? .closed)
                guard let deadline = script.deadline, Bool.random(using: &generator) else { continue }
                now = max(now, deadline)
                let file = "\(Int.random(in: 0...3, using: &generator))"
                let change = Bool.random(using: &generator) ? lost(file) : present(file)
                _ = script.scan(now, change, trustsAge: Bool.random(using: &generator))
                if let next = script.deadline { #expect(next > now) }
            }
        }
    }

    @Test("a file in which nothing is left is held for the grace, from when that was first seen, and read again")
    func blank() {
        var script = Script()
        script.note(0, "a.yaml", .modified, .closed)
        #expect(script.scan(50, present("a.yaml")) == apply("a.yaml"))
        #expect(script.hold(50, "a.yaml") == false)
        #expect(script.deadline == 300)
        script.note(100, "a.yaml", .modified, .closed)
        #expect(script.scan(150, present("a.yaml")) == apply("a.yaml"))
        #expect(script.hold(150, "a.yaml") == false)
        #expect(script.deadline == 300)
        #expect(script.scan(300, present("a.yaml", age: .milliseconds(250))) == apply("a.yaml"))
        #expect(script.hold(300, "a.yaml") == true)
        script.debouncer.noteRead(RawPath("a.yaml"))
        #expect(script.debouncer.isIdle)
        #expect(script.hold(310, "a.yaml") == false)
    }

    @Test(
        "nothing is left in a file of white space and comments",
        arguments: [
            ("", true), (" \t\r\n", true), ("# a\n  # b", true), ("# a\rb", false), ("a # b", false), ("{}", false),
            ("---", false),
        ])
    func blankText(text: String, isBlank: Bool) {
        #expect(Blank.isBlank(Array(text.utf8)) == isBlank)
    }
}
