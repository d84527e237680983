import Foundation
import Testing
import TminusCore
import TminusTestKit

@testable import TminusSinks

@Suite("Templates")
struct TemplateTests {
    private func render(
        _ text: String, _ escaping: TemplateEscaping = .text, _ delivery: Delivery = Deliveries.one()
    ) throws -> String {
        try TextTemplate(text, escaping: escaping).render(delivery)
    }

    @Test("a template names what the payload's data has, and under 'event' what is around it")
    func names() throws {
        let delivery = Deliveries.one()
        #expect(
            try render(
                "{{name}}|{{before.seconds}}|{{before.text}}|{{remaining.seconds}}|{{attempt}}|{{catch-up}}|{{labels.team}}"
            ) == "Product launch|86400|1 day|86399.998468|1|false|Product launch")
        #expect(
            try render("{{event.id}} {{event.type}} {{event.subject}}")
                == "\(delivery.id.rawValue) tminus.reminder launch")
        #expect(
            try render("{{#before}}{{text}} before {{name}}{{/before}}{{^before}}now{{/before}}")
                == "1 day before Product launch")
        #expect(try render("a\r\nb {{name}}\n") == "a\r\nb Product launch\n")
        #expect(try render("{{#before}}\nyes\n{{/before}}\nend") == "yes\nend")
    }

    @Test("a template can tell a test from a real firing")
    func test() throws {
        let text = "{{#test}}try{{/test}}{{^test}}real{{/test}}: {{test}}"
        var delivery = Deliveries.one()
        #expect(try render(text, .text, delivery) == "real: ")
        delivery.payload.isTest = true
        #expect(try render(text, .text, delivery) == "try: true")
    }

    @Test("no value can break a JSON body, a form or HTML", arguments: TemplateEscaping.allCases)
    func escaping(escaping: TemplateEscaping) throws {
        let odd = Deliveries.oddText
        let text = try render(escaping == .json ? "{\"a\": \"{{name}}\"}" : "{{name}}", escaping, .init(named: odd))
        switch escaping {
        case .json:
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
            #expect(object == ["a": odd])
        case .form:
            #expect(text.utf8.allSatisfy { $0 < 0x7F && $0 > 0x20 && $0 != 0x26 && $0 != 0x3D })
            #expect(text.replacing("+", with: " ").removingPercentEncoding == odd)
        case .html:
            #expect(!text.contains { "<>\"'".contains($0) } && text.contains("&quot;") && text.contains("&#39;"))
        case .text:
            #expect(text == odd)
        }
    }

    @Test("three braces, and another content type, leave a value as it is")
    func unescaped() throws {
        let delivery = Delivery(named: "\"<&")
        #expect(try render("{{{name}}} {{&name}}", .json, delivery) == "\"<& \"<&")
        #expect(try render("{{% CONTENT_TYPE: TEXT}}{{name}}", .json, delivery) == "\"<&")
    }

    @Test(
        "the escaping follows the media type",
        arguments: [
            ("application/json", .json), ("Application/JSON; charset=utf-8", .json),
            ("application/cloudevents+json", .json), ("application/x-www-form-urlencoded", .form),
            ("text/plain", .text), ("text/markdown; charset=utf-8", .text), ("text/html", .html),
            ("application/atom+xml", .html), ("", .text), ("application/jsonish", .text),
        ] as [(String, TemplateEscaping)])
    func mediaTypes(type: String, escaping: TemplateEscaping) {
        #expect(TemplateEscaping(mediaType: type) == escaping)
    }

    @Test(
        "what is wrong with a template is said, with its place",
        arguments: [
            ("{{name", "line 1, column"), ("one\n  {{#before}}\n", "has no end"), ("{{/before}}", "is not open"),
            ("{{#before}}{{/after}}", "is not open"), ("{{=x}}", "delimiters"), ("{{na me}}", "not finished"),
            ("{{> other}}", "cannot include"), ("{{nmae}}", "did you mean 'name'?"),
            ("{{before.secods}}", "did you mean 'seconds'?"),
            ("{{^before}}{{nmae}}{{/before}}", "did you mean 'name'?"),
            ("{{#before}}{{nmae}}{{/before}}", "names 'nmae'"), ("{{% CONTENT_TYPE: PDF}}", "CONTENT_TYPE"),
            (String(repeating: "{{#before}}", count: 65), "more than 64 sections"),
            ("{{=< >=}}" + String(repeating: "<#a>", count: 65), "more than 64 sections"),
        ])
    func problems(text: String, part: String) throws {
        let problem = #expect(throws: TextTemplate.Problem.self) { try TextTemplate(text, escaping: .json) }
        #expect(problem?.message.contains(part) == true, "\(problem?.message ?? "")")
    }

    @Test("a template of more than 8 KiB is refused")
    func tooLong() throws {
        try problems(text: String(repeating: "x", count: 8_193), part: "more than 8 KiB")
    }

    @Test("a name that is there in a section or around it is no problem")
    func noProblem() throws {
        for text in [
            "{{#before}}{{name}} {{seconds}}{{/before}}", "{{#labels}}{{anything}}{{/labels}}", "{{labels.x}}", "",
            "{{#failure}}{{reason}} {{message}} {{sink}}{{/failure}}{{#missed}}{{count}}{{/missed}}",
        ] {
            _ = try TextTemplate(text, escaping: .json)
        }
    }

    @Test("no text crashes the parser")
    func anyText() {
        let words = [
            "{{", "}}", "{{{", "}}}", "#", "^", "/", "name", "before", ".", "{{=", "=}}", "<", ">", "$", "%", "!", "&",
            "\n",
            "\r\n", " ", "(", ")", "|", "CONTENT_TYPE", ":", "JSON", "\"", "🎉", "{{#before}}", "{{/before}}", "\0",
        ]
        var random = SeededRandom(42)
        var good = 0
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            if (try? TextTemplate(text.joined(), escaping: .json)) != nil { good += 1 }
        }
        #expect(good > 0)
    }

    @Test("every standard kind of sink has the option 'message'", arguments: StandardSinks.kinds.map { $0.kind })
    func messages(kind: String) throws {
        #expect(SinkRegistry(StandardSinks.kinds)[kind]?.options["message"] != nil)
    }
}

extension Delivery {
    /// A sample with that name.
    init(named name: String) {
        self = Deliveries.one(text: name)
    }
}
