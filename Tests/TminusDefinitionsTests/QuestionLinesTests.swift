import Testing
import TminusCore

@testable import TminusDefinitions

/// Lines of JSON and their answers.
struct QuestionLinesTests {
    private func answer(_ line: String, bytes: [UInt8] = []) -> String? {
        var lines = QuestionLines(zones: TestZones.shared)
        return lines.answer(Array(line.utf8) + bytes, now: june).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "each question has its answer",
        arguments: [
            (
                #"{"id":1,"cron":"30 9 * * *","tz":"Europe/Berlin","from":"2026-12-01T08:30:00Z","n":2}"#,
                #"{"id":1,"next":["2026-12-02T08:30:00Z","2026-12-03T08:30:00Z"]}"#
            ),
            // Without 'from', cron and every search from now, the other two from their start.
            (#"{"cron":"@yearly","n":1}"#, #"{"next":["2027-01-01T00:00:00Z"]}"#),
            (#"{"every":"36h","n":"1"}"#, #"{"next":["2026-06-02T12:00:00Z"]}"#),
            (#"{"every":"1 day","start":"2026-01-01 09:00","n":1}"#, #"{"next":["2026-06-01T09:00:00Z"]}"#),
            (#"{"every":"1 day","from":"2026-07-01T09:00:00Z","n":1}"#, #"{"next":["2026-07-02T09:00:00Z"]}"#),
            (
                #"{"rrule":"FREQ=YEARLY;COUNT=2","start":"2001-01-01 09:00","tz":"Asia/Tokyo"}"#,
                #"{"next":["2001-01-01T00:00:00Z","2002-01-01T00:00:00Z"]}"#
            ),
            (#"{"at":"2026-01-31T09:00:00.25Z","before":"1 month"}"#, #"{"next":["2025-12-31T09:00:00.250Z"]}"#),
            (#"{"at":["2026-02-02","2026-02-01"]}"#, #"{"next":["2026-02-01T00:00:00Z","2026-02-02T00:00:00Z"]}"#),
            (#"{"at":"2026-03-29 02:30","tz":"Europe/Berlin","dst":"skip"}"#, #"{"next":[]}"#),
            (#"{"duration":"1:30:00.5"}"#, #"{"seconds":5400.5}"#),
            // The id is returned as written.
            (#"{"duration":"1s", "id": "\u00e9ß\"" }"#, #"{"id":"\u00e9ß\"","seconds":1}"#),
            (
                #"{"ß":1,"id":-1.50e3,"duration":"1s"}"#,
                ##"{"id":-1.50e3,"error":"unknown key 'ß', did you mean 'n'?"}"##
            ),
            (#"{"id":null,"duration":"1s"}"#, #"{"id":null,"seconds":1}"#),
            (#"{"id":[1],"duration":"1s"}"#, #"{"id":null,"error":"'id' must be a single value, not a list"}"#),
            // Errors.
            (
                #"{"id":7}"#,
                #"{"id":7,"error":"a question needs one of the keys 'cron', 'rrule', 'at', 'every', 'duration'"}"#
            ),
            (
                #"{"id":7,"cron":"@daily","duration":"1s"}"#,
                #"{"id":7,"error":"a question has 'cron' or 'duration', not both"}"#
            ),
            (
                #"{"id":7,"at":"2026-01-01","tz":"../etc/passwd"}"#,
                #"{"id":7,"error":"unknown time zone '../etc/passwd', write a name such as Europe/Berlin"}"#
            ),
            (
                #"{"id":7,"at":"2026-01-01","n":0}"#,
                #"{"id":7,"error":"'n' must be a whole number from 1 to 100000, not '0'"}"#
            ),
            (
                #"{"id":7,"at":"2026-01-01","before":["1d","2d"]}"#,
                #"{"id":7,"error":"'before' must be a single value, not a list"}"#
            ),
            (#"{"id":7"#, #"{"id":null,"error":"not JSON: the line ends, but the '{' in line 1 is not closed"}"#),
            (
                #"7"#,
                #"{"id":null,"error":"a question must be a mapping of keys to values, such as { cron: 30 9 * * MON-FRI }, not a single value"}"#
            ),
        ])
    func answers(line: String, expected: String) {
        #expect(answer(line) == expected)
    }

    @Test("a blank line has no answer, a line that is not text has one")
    func odd() {
        #expect(answer("") == nil)
        #expect(answer(" \t\r") == nil)
        #expect(answer("{", bytes: [0xFF, 0x00])?.hasPrefix(#"{"id":null,"error":"not JSON: "#) == true)
    }

    @Test("a line of the maximum length is answered, a longer one is an error")
    func long() {
        let question = #"{"id":1,"duration":"1s"}"#
        let padding = String(repeating: " ", count: QuestionLines.longestLine - question.utf8.count)
        #expect(answer(question + padding) == #"{"id":1,"seconds":1}"#)
        #expect(answer(question + padding + " ")?.hasPrefix(#"{"id":null,"#) == true)
    }

    @Test("unknown zones stay cheap: suggestions are limited, errors are not")
    func unknownZones() {
        var lines = QuestionLines(zones: TestZones.shared)
        for index in 0..<200 {
            let line = #"{"at":"2026-01-01","tz":"Europe/Berlim"}"#
            let text = lines.answer(Array(line.utf8), now: june).map { String(decoding: $0, as: UTF8.self) }
            #expect(text?.contains("unknown time zone 'Europe/Berlim'") == true)
            if index == 0 { #expect(text?.contains("did you mean 'Europe/Berlin'?") == true) }
            if index == 199 { #expect(text?.contains("did you mean") == false) }
        }
    }
}
