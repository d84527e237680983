import Testing
import TminusCore

@testable import TminusDefinitions

/// A file, an edit and the expected file.
struct EditCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path = "a.yaml"
    var before: String
    var edit: DefinitionEdit
    var after: String

    init(_ name: String, path: String = "a.yaml", _ before: String, _ edit: DefinitionEdit, _ after: String) {
        testDescription = name
        (self.path, self.before, self.edit, self.after) = (path, before, edit, after)
    }
}

extension DefinitionEdit {
    /// Adds a timer `egg` of six minutes.
    static let addEgg = DefinitionEdit(.insert(.keys(["duration": "6m"])), id: "egg", section: "timers")

    /// Removes a timer.
    static func removeTimer(_ id: String) -> DefinitionEdit { DefinitionEdit(.remove, id: id, section: "timers") }
}

extension Node {
    /// A mapping of texts.
    static func keys(_ texts: KeyValuePairs<String, String>) -> Node {
        Node(.mapping(texts.map { Node.Entry(key: $0.key, value: Node(.scalar($0.value))) }))
    }
}

@Suite("Edits of definition files")
struct DefinitionEditTests {
    @Test("the file afterwards", arguments: additions + removals + flowCases + jsonCases)
    func golden(_ example: EditCase) throws {
        let result = try example.edit.apply(to: Array(example.before.utf8), path: example.path)
        #expect(String(decoding: result.bytes, as: UTF8.self) == example.after)
    }

    static let additions = [
        EditCase("an empty file", "", .addEgg, "timers:\n  egg:\n    duration: 6m\n"),
        EditCase("comments alone", "# mine\n", .addEgg, "# mine\n\ntimers:\n  egg:\n    duration: 6m\n"),
        EditCase("a start mark alone", "---\n", .addEgg, "---\ntimers:\n  egg:\n    duration: 6m\n"),
        EditCase(
            "an end mark", "events:\n  a: { at: 2026-12-01 }\n...\n", .addEgg,
            "events:\n  a: { at: 2026-12-01 }\n\ntimers:\n  egg:\n    duration: 6m\n...\n"),
        EditCase(
            "a key that looks like an end mark in the first line", "...x: 1\n", .addEgg,
            "timers:\n  egg:\n    duration: 6m\n...x: 1\n"),
        EditCase("braces in a line of their own", "timers:\n  {}\n", .addEgg, "timers:\n  egg:\n    duration: 6m\n"),
        EditCase(
            "a key further to the right than what is below it",
            "defaults: {}\n?       events\n: a: { at: 2026-12-01 }\n", .addEgg,
            "defaults: {}\n?       events\n: a: { at: 2026-12-01 }\n\ntimers:\n  egg:\n    duration: 6m\n"),
        EditCase(
            "behind the last, before its neighbours' comments",
            """
            timers: # hot drinks
                tea:   # green
                   duration: 4m   # not longer
                   # remind: 1m
                # end of the timers

            # other things
            events: {}

            """, .addEgg,
            """
            timers: # hot drinks
                tea:   # green
                   duration: 4m   # not longer
                   # remind: 1m
                egg:
                   duration: 6m
                # end of the timers

            # other things
            events: {}

            """),
        EditCase(
            "a blank line where the file has them",
            "timers:\n  a:\n    duration: 1m\n\n  b:\n    duration: 1m\n\nevents:\n", .addEgg,
            "timers:\n  a:\n    duration: 1m\n\n  b:\n    duration: 1m\n\n  egg:\n    duration: 6m\n\nevents:\n"),
        EditCase(
            "no end of the last line", "timers:\n  a:\n    duration: 1m", .addEgg,
            "timers:\n  a:\n    duration: 1m\n  egg:\n    duration: 6m"),
        EditCase(
            "CR LF and a byte order mark", "\u{FEFF}timers:\r\n  a:\r\n    duration: 1m\r\n", .addEgg,
            "\u{FEFF}timers:\r\n  a:\r\n    duration: 1m\r\n  egg:\r\n    duration: 6m\r\n"),
        EditCase(
            "a section without definitions", "timers: # none\nevents:\n  x:\n     at: 2026-12-01\n", .addEgg,
            "timers: # none\n  egg:\n     duration: 6m\nevents:\n  x:\n     at: 2026-12-01\n"),
        EditCase(
            "empty braces make room", "timers: {} # none\nevents: {}\n", .addEgg,
            "timers: # none\n  egg:\n    duration: 6m\nevents: {}\n"),
        EditCase(
            "in one line like its neighbour", "timers:\n - x\n".replacing(" - x", with: " tea: {duration: 4m}"),
            .addEgg,
            "timers:\n tea: {duration: 4m}\n egg: {duration: 6m}\n"),
        EditCase(
            "behind a block scalar that keeps its blank lines",
            "timers:\n  a:\n    duration: 1m\n\n  b:\n    duration: 1m\n    description: |+\n      text\n\n\nevents:\n",
            .addEgg,
            "timers:\n  a:\n    duration: 1m\n\n  b:\n    duration: 1m\n    description: |+\n      text\n\n\n"
                + "  egg:\n    duration: 6m\nevents:\n"),
        EditCase(
            "a new section as deep as the others", "  events:\n     x:\n       at: 2026-12-01", .addEgg,
            "  events:\n     x:\n       at: 2026-12-01\n\n  timers:\n     egg:\n       duration: 6m"),
        EditCase(
            "quotes where they are needed", "events:\n",
            DefinitionEdit(
                .insert(
                    Node(
                        .mapping([
                            .init(key: "name", value: Node(.scalar("Stand-up: \"daily\""))),
                            .init(key: "description", value: Node(.scalar("no"))),
                            .init(key: "color", value: Node(.scalar("#ff8800"))),
                            .init(key: "labels", value: .keys(["team": "a, b", "room": "012"])),
                            .init(key: "cron", value: Node(.scalar("30 9 * * MON-FRI"))),
                            .init(key: "count", value: Node(.scalar("3"))),
                            .init(key: "remind", value: Node(.sequence([Node(.scalar("5 minutes"))]))),
                            .init(key: "on-expiry", value: Node(.sequence([.keys(["shell": "echo 'a' {b}\n"])]))),
                        ]))), id: "stand-up", section: "events"),
            """
            events:
              stand-up:
                name: 'Stand-up: "daily"'
                description: "no"
                color: "#ff8800"
                labels: { team: "a, b", room: "012" }
                cron: "30 9 * * MON-FRI"
                count: 3
                remind: [5 minutes]
                on-expiry: [{ shell: "echo 'a' {b}\\n" }]

            """),
        EditCase(
            "in lines of its own where it has more to say than its neighbour", "timers:\n  tea: { duration: 4m }\n",
            DefinitionEdit(
                .insert(.keys(["name": "An egg", "duration": "6m", "clock": "wall"])), id: "egg", section: "timers"),
            "timers:\n  tea: { duration: 4m }\n  egg:\n    name: An egg\n    duration: 6m\n    clock: wall\n"),
        EditCase(
            "a stopwatch without keys", "timers: {}\n",
            DefinitionEdit(.insert(.keys([:])), id: "run", section: "stopwatches"),
            "timers: {}\n\nstopwatches:\n  run: {}\n"),
        EditCase(
            "a stopwatch behind one without keys", "stopwatches:\n  run:\n  swim:   # long\n",
            DefinitionEdit(
                .insert(Node(.mapping([.init(key: "at-elapsed", value: Node(.sequence([Node(.scalar("30m"))])))]))),
                id: "cycle", section: "stopwatches"),
            "stopwatches:\n  run:\n  swim:   # long\n  cycle:\n    at-elapsed: [30m]\n"),
        EditCase(
            "a long list gets lines", "timers:\n",
            DefinitionEdit(
                .insert(
                    Node(
                        .mapping([
                            .init(
                                key: "remind",
                                value: Node(.sequence((1...16).map { Node(.scalar("\($0) minutes")) }))),
                            .init(key: "duration", value: Node(.scalar("1h"))),
                        ]))), id: "egg", section: "timers"),
            "timers:\n  egg:\n    remind:\n" + (1...16).map { "      - \($0) minutes\n" }.joined()
                + "    duration: 1h\n"),
    ]

    static let removals = [
        EditCase(
            "with its comments and none of the others'",
            """
            timers:
              # about a
              a:  # a
                duration: 1m
                # end of a

              # about b

              # on b
              b:  # b
                # in b
                duration: 1m # long

                description: |
                  # text
                # deep below b
              # about c
              c:
                duration: 1m

            """, .removeTimer("b"),
            """
            timers:
              # about a
              a:  # a
                duration: 1m
                # end of a

              # about b

              # about c
              c:
                duration: 1m

            """),
        EditCase(
            "one of two blank lines goes too", "timers:\n  a:\n    duration: 1m\n\n  b:\n    duration: 1m\n\nevents:\n",
            .removeTimer("b"), "timers:\n  a:\n    duration: 1m\n\nevents:\n"),
        EditCase(
            "the only one leaves its section", "timers: # t\n  # a\n  a: { duration: 1m }\n  # later\nevents:\n",
            .removeTimer("a"), "timers: # t\n  # later\nevents:\n"),
        EditCase(
            "the last line without an end", "timers:\n  a: { duration: 1m }\n  b: { duration: 1m }", .removeTimer("b"),
            "timers:\n  a: { duration: 1m }"),
        EditCase(
            "CR LF", "timers:\r\n  a: { duration: 1m }\r\n  b:\r\n    duration: 1m", .removeTimer("b"),
            "timers:\r\n  a: { duration: 1m }"),
        EditCase(
            "behind a block scalar that keeps its blank lines",
            "timers:\n  a:\n    duration: 1m\n    description: |+\n      text\n\n  b:\n    duration: 1m\n\nevents:\n",
            .removeTimer("b"),
            "timers:\n  a:\n    duration: 1m\n    description: |+\n      text\n\n\nevents:\n"
                .replacing("\n\n\nevents", with: "\n\nevents")),
        EditCase(
            "the first of several, without the blank line behind it",
            "timers:\n  # a\n  a:\n    duration: 1m\n\n  # b\n  b:\n    duration: 1m\n", .removeTimer("a"),
            "timers:\n  # b\n  b:\n    duration: 1m\n"),
        EditCase(
            "without a value", "stopwatches:\n  run:   # fast\n  swim:\n",
            DefinitionEdit(.remove, id: "run", section: "stopwatches"), "stopwatches:\n  swim:\n"),
        EditCase(
            "quoted ids", "timers:\n  \"a\":\n    duration: 1m\n  'b': { duration: 1m }\n", .removeTimer("a"),
            "timers:\n  'b': { duration: 1m }\n"),
    ]

    static let flowCases = [
        EditCase(
            "in braces", "timers: { tea: { duration: 4m } } # hot\n", .addEgg,
            "timers: { tea: { duration: 4m }, egg: { duration: 6m } } # hot\n"),
        EditCase(
            "in braces without blanks, with a comma at the end", "timers: {tea: {duration: 4m},}\n", .addEgg,
            "timers: {tea: {duration: 4m}, egg: {duration: 6m},}\n"),
        EditCase(
            "in braces over lines, with comments", "timers: {\n    tea: { duration: 4m }  # green\n    # more\n  }\n",
            .addEgg,
            "timers: {\n    tea: { duration: 4m },  # green\n    egg: { duration: 6m }\n    # more\n  }\n"),
        EditCase(
            "a document in braces", "{ events: { a: { at: 2026-12-01 } } }\n", .addEgg,
            "{ events: { a: { at: 2026-12-01 } }, timers: { egg: { duration: 6m } } }\n"),
        EditCase(
            "the first in braces", "timers: { a: { duration: 1m }, b: { duration: 1m } }\n", .removeTimer("a"),
            "timers: { b: { duration: 1m } }\n"),
        EditCase(
            "the last in braces", "timers: { a: { duration: 1m }, b: { duration: 1m } }\n", .removeTimer("b"),
            "timers: { a: { duration: 1m } }\n"),
        EditCase(
            "the only one in braces", "timers: { a: { duration: 1m } } # t\n", .removeTimer("a"), "timers: {} # t\n"),
        EditCase(
            "a line in braces with its comments",
            "timers: {\n    # a, b\n    a: { duration: 1m }, # a\n    # b\n    b: { duration: 1m } # , b\n  }\n",
            .removeTimer("b"), "timers: {\n    # a, b\n    a: { duration: 1m } # a\n  }\n"),
    ]

    static let jsonCases = [
        EditCase(
            "JSON over lines", path: "a.json",
            """
            {
                "timers": {
                    "tea": {
                        "duration": "4m"
                    }
                }
            }
            """, .addEgg,
            """
            {
                "timers": {
                    "tea": {
                        "duration": "4m"
                    },
                    "egg": {
                        "duration": "6m"
                    }
                }
            }
            """),
        EditCase(
            "JSON with a line for each, and tabs", path: "a.json",
            "{\n\t\"timers\": {\n\t\t\"tea\": {\"duration\": \"4m\"}\n\t}\n}\n", .addEgg,
            "{\n\t\"timers\": {\n\t\t\"tea\": {\"duration\": \"4m\"},\n\t\t\"egg\": {\"duration\": \"6m\"}\n\t}\n}\n"),
        EditCase(
            "JSON in one line", path: "a.json", #"{"timers":{"tea":{"duration":"4m"}}}"#, .addEgg,
            #"{"timers":{"tea":{"duration":"4m"},"egg":{"duration":"6m"}}}"#),
        EditCase(
            "JSON in one line with blanks", path: "a.json", #"{ "timers": { "tea": { "duration": "4m" } } }"#, .addEgg,
            #"{ "timers": { "tea": { "duration": "4m" }, "egg": { "duration": "6m" } } }"#),
        EditCase(
            "JSON without anything", path: "a.json", "{}\n", .addEgg,
            "{\n  \"timers\": {\n    \"egg\": {\n      \"duration\": \"6m\"\n    }\n  }\n}\n"),
        EditCase(
            "JSON without the section", path: "a.json", "{\r\n  \"events\": {}\r\n}\r\n", .addEgg,
            "{\r\n  \"events\": {},\r\n  \"timers\": {\r\n    \"egg\": {\r\n      \"duration\": \"6m\"\r\n    }\r\n  }\r\n}\r\n"
        ),
        EditCase(
            "JSON with an empty section", path: "a.json", "{\n  \"timers\": {}\n}\n", .addEgg,
            "{\n  \"timers\": {\n    \"egg\": {\n      \"duration\": \"6m\"\n    }\n  }\n}\n"),
        EditCase(
            "JSON with null for a section", path: "a.json", #"{"timers": null}"#, .addEgg,
            #"{"timers": {"egg": {"duration": "6m"}}}"#),
        EditCase(
            "the last of a JSON object", path: "a.json",
            "{\n  \"timers\": {\n    \"a\": { \"duration\": \"1m\" },\n    \"b\": {\n      \"duration\": \"1m\"\n    }\n  }\n}\n",
            .removeTimer("b"), "{\n  \"timers\": {\n    \"a\": { \"duration\": \"1m\" }\n  }\n}\n"),
        EditCase(
            "the first of a JSON object in one line", path: "a.json",
            #"{"timers":{"a":{"duration":"1m"},"b":{"duration":"1m"}}}"#, .removeTimer("a"),
            #"{"timers":{"b":{"duration":"1m"}}}"#),
        EditCase(
            "the only one of a JSON object", path: "a.json",
            "{\n  \"timers\": {\n    \"a\": { \"duration\": \"1m\" }\n  }\n}\n", .removeTimer("a"),
            "{\n  \"timers\": {}\n}\n"),
    ]

    @Test("an impossible edit is refused with a reason")
    func refusals() {
        func message(_ text: String, _ edit: DefinitionEdit, path: String = "a.yaml") -> String? {
            do throws(DefinitionEdit.Problem) {
                let result = try edit.apply(to: Array(text.utf8), path: path)
                return "written: \(String(decoding: result.bytes, as: UTF8.self))"
            } catch {
                return error.message
            }
        }
        #expect(message("timers: { egg: { duration: 1m } }\n", .addEgg) == "a.yaml:1: 'egg' is there already")
        #expect(message("timers: { a: 1 }\n", .removeTimer("b")) == "a.yaml: there is no 'b' under 'timers'")
        #expect(message("timers: [\n", .addEgg) == "a.yaml: has an error; correct it first")
        #expect(message("[]", .addEgg, path: "a.json") == "a.json: is not a mapping of sections; correct it first")
        let unfit =
            "the file is written in a way in which 'egg' cannot be changed without touching the rest; edit it by hand"
        #expect(
            message("timers:\n  ? a\n  : duration: 1m\n  ? b\n  : duration: 1m", .addEgg) == "a.yaml: \(unfit)")
        #expect(message(#"{"timers":5}"#, .addEgg, path: "a.json") == "a.json: \(unfit)")
        #expect(message("{ timers: x }\n", .addEgg) == "a.yaml: \(unfit)")
    }

    @Test("the result has the line of the definition")
    func line() throws {
        let text = Array("# one\ntimers:\n  a: { duration: 1m }\n".utf8)
        #expect(try DefinitionEdit.addEgg.apply(to: text, path: "a.yaml").line == 4)
        #expect(try DefinitionEdit.removeTimer("a").apply(to: text, path: "a.yaml").line == 3)
    }
}
