import Foundation
import Glibc
import Testing
import TminusTestKit

@Suite("add, edit and remove")
struct FileCommandTests {
    private static let launch = """
        # mine
        defaults:
            timezone: Europe/Berlin   # home

        events:
            # about launch
            launch:   # big
              at: 2027-12-01 09:00
            # about the review
            review: { at: 2027-12-08 09:00 }

        """

    private func tminus(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: CInt, output: [String], errors: [String]) {
        let program = try Program(
            Program.tminus, arguments, environment: Program.environment.merging(environment) { _, new in new })
        let status = try await program.end()
        return (status, program.output.texts, program.errors.texts)
    }

    private func text(_ scratch: Scratch, _ name: String = "a.yaml") -> String {
        FileManager.default.contents(atPath: "\(scratch.config)/\(name)").map { String(decoding: $0, as: UTF8.self) }
            ?? ""
    }

    /// The file names in the config directory, to check that no temporary file is left.
    private func names(_ scratch: Scratch) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.config).sorted()
    }

    /// Writes an editor: a shell script whose `$file` is its last argument.
    private func editor(_ scratch: Scratch, _ body: String, named name: String = "editor") throws -> String {
        let path = "\(scratch.path)/\(name)"
        try Script.write("#!/bin/sh\nfor file; do :; done\n\(body)\n", to: path)
        return path
    }

    @Test("a file that root adds under umask 077 is one that the service can read", .enabled(if: geteuid() == 0))
    func addForService() async throws {
        let scratch = try Scratch()
        try #require(chown(scratch.config, 0, 65_534) == 0 && chmod(scratch.config, 0o750) == 0)
        let add = try Program(
            "/bin/sh",
            [
                "-c", "umask 077; exec \"$@\"", "sh", Program.tminus, "add", "timer", "tea", "3m", "--config",
                scratch.config,
            ])
        #expect(try await add.end() == 0, "\(add.errors.texts)")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(scratch.config)/tminus.yaml")
        #expect(attributes[.posixPermissions] as? Int == 0o640 && attributes[.groupOwnerAccountID] as? Int == 65_534)
    }

    @Test("add reports what it understood and where, and leaves the rest of the file unchanged")
    func add() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let event = try await tminus([
            "add", "event", "Call Anna", "2027-12-24", "at", "3pm", "--remind", "1 day, 1 hour", "--config",
            scratch.config,
        ])
        #expect(event.status == 0)
        #expect(event.errors == [])
        let line = try #require(event.output.first)
        #expect(
            line.hasPrefix(
                "added event 'call-anna' in \(scratch.config)/a.yaml:11: Fri 24 December 2027, 15:00 Europe/Berlin (in "
            ),
            "\(line)")
        let added = "    call-anna:\n      name: Call Anna\n      at: 2027-12-24 15:00\n      remind: [1 day, 1 hour]\n"
        #expect(text(scratch) == Self.launch + added)

        let timer = try await tminus(["add", "timer", "tea", "4m", "--json", "--config", scratch.config])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(timer.output.joined().utf8)) as? [String: Any])
        #expect(object["id"] as? String == "tea")
        #expect(object["kind"] as? String == "timer")
        #expect(object["line"] as? Int == 17)
        #expect(object["due"] == nil)
        #expect(object["understood"] as? String == "4 minutes")
        #expect(text(scratch) == Self.launch + added + "\ntimers:\n    tea:\n      duration: 4m\n")
        #expect(try names(scratch) == ["a.yaml"])
        #expect(
            try await tminus(["check", scratch.config]).output == ["4 definitions in 1 file, 0 errors, 0 warnings"])
    }

    @Test("add writes each field of an event that is given")
    func fields() async throws {
        let scratch = try Scratch()
        let result = try await tminus([
            "add", "event", "Product launch", "2027-12-01", "at", "9:00", "--description", "Bring cake", "--color",
            "orange", "--label", "team=web", "--timezone", "Europe/Berlin", "--remind", "1 day", "--on-reminder",
            "stdout", "--on-expiry", "stdout", "--config", scratch.config,
        ])
        #expect(result.status == 0)
        #expect(result.errors == [])
        #expect(
            text(scratch, "tminus.yaml") == """
                events:
                  product-launch:
                    name: Product launch
                    description: Bring cake
                    color: orange
                    labels: { team: web }
                    at: 2027-12-01 09:00
                    timezone: Europe/Berlin
                    remind: [1 day]
                    on-reminder: [stdout]
                    on-expiry: [stdout]

                """)
    }

    @Test("a stopwatch is added and removed")
    func stopwatch() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let added = try await tminus([
            "add", "stopwatch", "Morning", "run", "--at-elapsed", "30m, 1h", "--config", scratch.config,
        ])
        #expect(added == (0, ["added stopwatch 'morning-run' in \(scratch.config)/a.yaml:13"], []))
        #expect(
            text(scratch)
                == Self.launch
                + "\nstopwatches:\n    morning-run:\n      name: Morning run\n      at-elapsed: [30m, 1h]\n")
        let bare = try await tminus(["add", "stopwatch", "swim", "--config", scratch.config])
        #expect(bare == (0, ["added stopwatch 'swim' in \(scratch.config)/a.yaml:16"], []))
        #expect(try await tminus(["remove", "morning-run", "--config", scratch.config]).status == 0)
        #expect(text(scratch) == Self.launch + "\nstopwatches:\n    swim: {}\n")
    }

    @Test("add chooses the named file, the only file, the section's file or a new file")
    func whichFile() async throws {
        let scratch = try Scratch()
        func add(_ id: String, _ more: String...) async throws -> String? {
            try await tminus(["add", "timer", id, "4m", "--config", scratch.config] + more).output.first
        }
        #expect(try await add("a") == "added timer 'a' in \(scratch.config)/tminus.yaml:2: 4 minutes")
        #expect(try await add("b") == "added timer 'b' in \(scratch.config)/tminus.yaml:4: 4 minutes")
        #expect(try await add("c", "--file", "x.json") == "added timer 'c' in \(scratch.config)/x.json:3: 4 minutes")
        #expect(try await add("d") == "added timer 'd' in \(scratch.config)/tminus.yaml:6: 4 minutes")
        try scratch.save("timers.yml", "")
        #expect(try await add("e") == "added timer 'e' in \(scratch.config)/timers.yml:2: 4 minutes")
        try scratch.remove("timers.yml")
        try scratch.remove("tminus.yaml")
        try scratch.save("y.yaml", "")
        #expect(try await add("f") == "added timer 'f' in \(scratch.config)/timers.yaml:2: 4 minutes")
        #expect(try names(scratch) == ["timers.yaml", "x.json", "y.yaml"])
    }

    @Test(
        "an id is derived from the name",
        arguments: [
            ("Büro & Küche!", "buero-kueche"), ("Anna's 2nd café", "annas-2nd-cafe"), ("launch", "launch"),
            ("Product  Launch", "product-launch"),
        ])
    func slugs(name: String, id: String) async throws {
        let scratch = try Scratch()
        let result = try await tminus(["add", "timer", "4m", "--name", name, "--config", scratch.config])
        #expect(result.output == ["added timer '\(id)' in \(scratch.config)/tminus.yaml:2: 4 minutes"])
        #expect(text(scratch, "tminus.yaml").contains("    name: \(name)\n") == (name != id))
    }

    @Test(
        "invalid requests are refused, and the file stays unchanged",
        arguments: [
            (
                ["add", "timer", "launch", "4m"], 65,
                "'launch' is there already, in CONFIG/a.yaml:7; choose another id with --id"
            ),
            (["add", "event", "x", "2020-01-01"], 64, "'2020-01-01' is in the past: understood as Wed 1 January 2020"),
            (["add", "event", "x", "fri", "99:00"], 64, "'fri 99:00': hour 99 does not exist, hours go from 0 to 23"),
            (["add", "event", "x", "2027-12-01", "--on-expiry", "nobody"], 65, "unknown sink 'nobody'"),
            (["add", "event", "x", "2027-12-01", "--timezone", "Europe/Berln"], 65, "did you mean 'Europe/Berlin'?"),
            (["add", "timer", "x", "5"], 64, "'5' has no unit: write '5s' or '5m'"),
            (["add", "timer", "5m"], 64, "the name is missing; give one, or --id"),
            (
                ["add", "timer", "5m", "--name", "\u{6771}\u{4EAC}"], 64,
                "no id can be made from '\u{6771}\u{4EAC}'; give one with --id"
            ),
            (["add", "timer", "x", "5m", "--id", "a/b"], 64, "'a/b' cannot be an id"),
            (["add", "timer", "x", "5m", "--file", "x.txt"], 64, "x.txt: would not be read"),
            (["remove", "lauch"], 65, "no definition 'lauch' in CONFIG/, did you mean 'launch'?"),
            (["edit", "lauch"], 65, "no definition 'lauch' in CONFIG/, did you mean 'launch'?"),
            (["edit", "--file", "none.yaml"], 74, "CONFIG/none.yaml: there is no such file"),
        ])
    func refusals(arguments: [String], status: CInt, message: String) async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let result = try await tminus(arguments + ["--config", scratch.config])
        #expect(result.status == status)
        let errors = result.errors.joined(separator: "\n")
        #expect(errors.contains(message.replacing("CONFIG", with: scratch.config)), "\(errors)")
        #expect(text(scratch) == Self.launch)
        #expect(try names(scratch) == ["a.yaml"])
    }

    @Test("a file with an error is not changed, and the message says what to do")
    func brokenFile() async throws {
        let scratch = try Scratch()
        let broken = Self.launch + "timers: { tea: { duratoin: 4m, duration: 4m } }\n"
        try scratch.save("a.yaml", broken)
        let added = try await tminus(["add", "timer", "x", "5m", "--config", scratch.config])
        #expect(added.status == 65)
        #expect(added.errors.contains { $0.contains("unknown key 'duratoin', did you mean 'duration'?") })
        #expect(added.errors.last?.hasSuffix("so nothing in it is in force; mend it first with 'tminus edit'") == true)
        #expect(text(scratch) == broken)
        // A definition with an error can still be removed.
        #expect(try await tminus(["remove", "tea", "--config", scratch.config]).status == 0)
        #expect(text(scratch) == Self.launch + "timers: {}\n")
    }

    @Test("a read-only file and a full disk are errors that change nothing")
    func unwritable() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        // A file size limit fails the same write that a full disk would.
        let program = try Program(
            "/bin/sh",
            [
                "-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" add timer x 5m --config \"$1\"", Program.tminus,
                scratch.config,
            ])
        #expect(try await program.end() == 74)
        #expect(program.errors.texts == ["tminus: \(scratch.config)/a.yaml: nothing was changed: File too large"])
        #expect(text(scratch) == Self.launch)
        #expect(try names(scratch) == ["a.yaml"])

        // Root may write anything.
        guard geteuid() != 0 else { return }
        chmod("\(scratch.config)/a.yaml", 0o400)
        let result = try await tminus(["remove", "launch", "--config", scratch.config])
        #expect(result.status == 77)
        #expect(result.errors == ["tminus: \(scratch.config)/a.yaml: cannot be written: Permission denied"])
    }

    @Test("remove deletes the definition and its comments")
    func remove() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let result = try await tminus(["remove", "launch", "--config", scratch.config])
        #expect(result == (0, ["removed event 'launch' from \(scratch.config)/a.yaml:7"], []))
        let rest = Self.launch.replacing(
            "    # about launch\n    launch:   # big\n      at: 2027-12-01 09:00\n", with: "")
        #expect(text(scratch) == rest)
    }

    @Test("on a terminal, remove shows the lines and asks", arguments: [("n", false), ("y", true), ("", false)])
    func asking(answer: String, isRemoved: Bool) async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let program = try Program(
            "/bin/sh",
            [
                "-c", "printf '%s\\n' \"$2\" | script -qec \"$0 remove review --config $1\" /dev/null", Program.tminus,
                scratch.config, answer,
            ])
        #expect(try await program.end() == 0)
        let shown = program.output.texts.joined(separator: "\n")
        #expect(shown.contains("review: { at: 2027-12-08 09:00 }"))
        #expect(shown.contains("remove event 'review'? [y/N] "))
        #expect(text(scratch).contains("review") != isRemoved)
    }

    @Test("edit opens the editor at the line and replaces the file")
    func edit() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        chmod("\(scratch.config)/a.yaml", 0o640)
        // Named like an editor whose line option is known.
        let editor = try editor(
            scratch, "echo \"$@\" >'\(scratch.path)/arguments'\nsed -i 's/09:00$/10:00/' \"$file\"", named: "vim")
        let result = try await tminus(
            ["edit", "launch", "--config", scratch.config], environment: ["EDITOR": editor, "TMPDIR": scratch.path])
        #expect(result == (0, ["\(scratch.config)/a.yaml: changed launch"], []))
        #expect(text(scratch) == Self.launch.replacing("09:00\n", with: "10:00\n"))
        let arguments = try String(contentsOfFile: "\(scratch.path)/arguments", encoding: .utf8)
        #expect(arguments.hasPrefix("+7 \(scratch.path)/tminus-edit-"))
        #expect(arguments.hasSuffix("/a.yaml\n"))
        var status = stat()
        #expect(stat("\(scratch.config)/a.yaml", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
        // The copy was removed.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).allSatisfy {
                !$0.hasPrefix("tminus-edit")
            })
    }

    @Test("after an error, edit shows it and opens the editor again at its line")
    func editAgain() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let editor = try editor(
            scratch,
            """
            echo "$1" >>'\(scratch.path)/lines'
            if [ -e '\(scratch.path)/once' ]; then sed -i 's/att:/at:/' "$file"; else
            sed -i 's/ at: 2027-12-01 09/ att: 2027-12-01 11/' "$file"; touch '\(scratch.path)/once'; fi
            """, named: "nano")
        let program = try Program(
            "/bin/sh", ["-c", "echo e | exec \"$0\" edit review --config \"$1\"", Program.tminus, scratch.config],
            environment: Program.environment.merging(["VISUAL": editor, "EDITOR": "false"]) { _, new in new })
        #expect(try await program.end() == 0)
        #expect(
            program.errors.texts.contains { $0.contains("a.yaml:8:7: error: unknown key 'att', did you mean 'at'?") })
        #expect(program.output.texts == ["\(scratch.config)/a.yaml: changed launch"])
        #expect(text(scratch) == Self.launch.replacing("01 09:00", with: "01 11:00"))
        #expect(try String(contentsOfFile: "\(scratch.path)/lines", encoding: .utf8) == "+10\n+8\n")
    }

    @Test("a text with an error never replaces the file: it is kept or discarded", arguments: ["", "d"])
    func notInPlace(answer: String) async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let editor = try editor(scratch, "echo 'nonsense: 1' >>\"$file\"")
        let program = try Program(
            "/bin/sh",
            [
                "-c", "printf %s \"$2\" | exec \"$0\" edit launch --config \"$1\"", Program.tminus, scratch.config,
                answer,
            ],
            environment: Program.environment.merging(["EDITOR": editor, "TMPDIR": scratch.path]) { _, new in new })
        #expect(try await program.end() == 65)
        #expect(text(scratch) == Self.launch)
        let last = program.errors.texts.last ?? ""
        if answer == "d" {
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: scratch.path).allSatisfy {
                    !$0.hasPrefix("tminus-e")
                })
        } else {
            let path = try #require(last.split(separator: " ").last.map(String.init))
            #expect(last == "tminus: the text has errors; your text is in \(path)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.launch + "nonsense: 1\n")
        }
    }

    @Test("a text larger than the daemon reads is refused")
    func tooLarge() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let editor = try editor(scratch, "head -c 1100000 /dev/zero | tr '\\0' '#' >>\"$file\"")
        let result = try await tminus(
            ["edit", "launch", "--config", scratch.config], environment: ["EDITOR": editor, "TMPDIR": scratch.path])
        #expect(result.status == 65)
        #expect(result.errors.contains { $0.contains("is too large (") && $0.contains("at most 1048576)") })
        #expect(text(scratch) == Self.launch)
    }

    @Test("another program's change during an edit stays, and the edited text is kept")
    func race() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        let file = "\(scratch.config)/a.yaml"
        let editor = try editor(scratch, "sed -i 's/09:00$/10:00/' \"$file\"; echo '# theirs' >>'\(file)'")
        let result = try await tminus(
            ["edit", "launch", "--config", scratch.config], environment: ["EDITOR": editor, "TMPDIR": scratch.path])
        #expect(result.status == 74)
        #expect(text(scratch) == Self.launch + "# theirs\n")
        let message = try #require(result.errors.last)
        #expect(
            message.hasPrefix(
                "tminus: \(file): changed by another program meanwhile, nothing was overwritten; your text is in "))
        let path = try #require(message.split(separator: " ").last.map(String.init))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.launch.replacing("09:00\n", with: "10:00\n"))
    }

    @Test("an editor that fails, is missing or makes no edit changes nothing")
    func noEdit() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", Self.launch)
        for (editor, status, line) in [
            ("true", 0, "\(scratch.config)/a.yaml: nothing was changed"),
            ("false", 74, "tminus: 'false' ended with status 1; nothing was changed"),
            ("no-such-editor", 74, "tminus: 'no-such-editor' ended with status 127; nothing was changed"),
        ] {
            let result = try await tminus(
                ["edit", "launch", "--config", scratch.config], environment: ["EDITOR": editor])
            #expect(result.status == CInt(status))
            #expect((result.output + result.errors).last == line)
        }
        #expect(text(scratch) == Self.launch)
    }

    @Test("beside a program that keeps writing the file, no write of either is lost")
    func concurrentWriter() async throws {
        let scratch = try Scratch()
        try scratch.save("a.yaml", "timers:\n")
        let file = "\(scratch.config)/a.yaml"
        // Appends comments to the current content, and only if the file did not change meanwhile, as the tool under
        // test does.
        let writer = try Program(
            "/bin/sh",
            [
                "-c",
                """
                n=0; while [ ! -e "$1/stop" ]; do n=$((n+1)); before=$(cat "$0"); printf '%s\\n# %d\\n' "$before" $n >"$1/new"
                flock "$1/config" sh -c '[ "$1" = "$(cat "$2")" ] && mv "$3/new" "$2" && echo "# $4"' - "$before" "$0" "$1" $n || :; done
                """, file, scratch.path,
            ])
        var added: [String] = []
        for number in 0..<12 {
            let result = try await tminus(["add", "timer", "t\(number)", "4m", "--config", scratch.config])
            if result.status == 0 {
                added.append("t\(number)")
            } else {
                #expect(
                    result.errors.last?.hasSuffix("changed by another program meanwhile, nothing was overwritten")
                        == true)
            }
        }
        try Data().write(to: URL(fileURLWithPath: "\(scratch.path)/stop"))
        #expect(try await writer.end() == 0)
        let lines = text(scratch).split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("#") } == writer.output.texts)
        #expect(lines.filter { $0.hasPrefix("  t") }.sorted() == added.map { "  \($0):" }.sorted())
        #expect(try await tminus(["check", scratch.config]).status == 0)
    }
}
