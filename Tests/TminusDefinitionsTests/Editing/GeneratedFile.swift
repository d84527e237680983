import TminusCore

/// A definition file with much insignificant text: comments, blank lines, odd indentation. The same seed gives the same
/// file.
struct GeneratedFile {
    /// A line, and the definition that owns it.
    struct Line {
        var text: String
        var owner: String?
    }

    /// Whether it is JSON.
    let isJSON: Bool
    /// The line break.
    let lineEnd: String
    private(set) var lines: [Line] = []
    /// The timers of the file.
    private(set) var timers: [String] = []
    private let hasMark: Bool
    private let hasLastEnd: Bool
    private var random: Random

    /// The path, which selects the format.
    var path: String { isJSON ? "a.json" : "a.yaml" }
    /// The text.
    var bytes: [UInt8] { bytes(without: nil) }

    init(seed: Int) {
        var random = Random(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        isJSON = random.chance(1, 3)
        lineEnd = random.chance(1, 4) ? "\r\n" : "\n"
        hasMark = random.chance(1, 8)
        hasLastEnd = random.chance(3, 4)
        self.random = random
        timers = (0..<self.random.number(5)).map { "timer\($0)" }
        if isJSON { writeJSON() } else { writeYAML() }
    }

    /// The text without the lines of a definition.
    func bytes(without owner: String?) -> [UInt8] {
        let text = lines.filter { owner == nil || $0.owner != owner }.map(\.text).joined(separator: lineEnd)
        return (hasMark ? [0xEF, 0xBB, 0xBF] : []) + Array((text + (hasLastEnd ? lineEnd : "")).utf8)
    }

    private mutating func put(_ text: String, _ owner: String? = nil) { lines.append(Line(text: text, owner: owner)) }

    private mutating func noise(_ indentation: Int) {
        let blanks = String(repeating: " ", count: indentation)
        if random.chance(1, 3) { put(random.chance(1, 3) ? "   " : "") }
        if random.chance(1, 4) {
            put("\(blanks)# not about a timer: { [ '\u{E9}")
            put("")
        }
    }

    // MARK: YAML

    private mutating func writeYAML() {
        if random.chance(1, 5) { put("---") }
        noise(0)
        let outer = random.chance(1, 6) ? 2 : 0
        let blanks = String(repeating: " ", count: outer)
        put("\(blanks)defaults: { timezone: UTC }  # zone")
        noise(outer)
        if random.chance(1, 2) { writeEvents(outer) }
        put("\(blanks)timers:\(random.chance(1, 3) ? "   # those that count" : "")")
        let inner = outer + 1 + random.number(5)
        let deep = inner + 1 + random.number(6)
        for id in timers { writeYAMLTimer(id, inner, deep) }
        if random.chance(1, 2) {
            put("")
            put("\(blanks)# behind the timers")
            if random.chance(1, 2) { writeEvents(outer) }
        }
    }

    private mutating func writeEvents(_ outer: Int) {
        guard !lines.contains(where: { $0.text.contains("events:") }) else { return }
        let blanks = String(repeating: " ", count: outer)
        put("\(blanks)events:")
        put("\(blanks) launch: {at: \"2027-12-01 09:00\"}  # , }")
    }

    private mutating func writeYAMLTimer(_ id: String, _ inner: Int, _ deep: Int) {
        let (blanks, more) = (String(repeating: " ", count: inner), String(repeating: " ", count: deep))
        if random.chance(1, 3) {
            noise(inner)
            for number in 0..<random.number(3) { put("\(blanks)#\(number) above \(id)", id) }
        }
        let name = random.chance(1, 5) ? "\"\(id)\"" : id
        guard random.chance(2, 3) else {
            put("\(blanks)\(name):  { duration: 4m, name: 'it''s # {' } # behind \(id)", id)
            return
        }
        put("\(blanks)\(name):\(random.chance(1, 3) ? " # on \(id)" : "")", id)
        if random.chance(1, 4) { put("\(blanks)# within \(id)", id) }
        put("\(more)duration: 1:30:00\(random.chance(1, 3) ? "   # long" : "")", id)
        if random.chance(1, 4) {
            put("", id)
            put("\(more)clock: elapsed", id)
        }
        if random.chance(1, 4) { put("\(more)remind: [1m,\(lineEnd)\(more)  2m] # two lines", id) }
        if random.chance(1, 4) { put("\(more)name: \"\u{1F375} tea: # no comment\"", id) }
        if random.chance(1, 4) {
            put("\(more)description: >-", id)
            put("\(more)   # text", id)
            put("", id)
            put("\(more)   more text", id)
        }
        if random.chance(1, 4) { put("\(blanks)  # deep below \(id)", id) }
    }

    // MARK: JSON

    private mutating func writeJSON() {
        let unit = ["  ", "    ", "\t", " "][random.number(4)]
        let colon = random.chance(1, 4) ? ":" : ": "
        put("{")
        if random.chance(1, 2) { put("\(unit)\"events\"\(colon){\"launch\"\(colon){\"at\"\(colon)\"2027-12-01\"}},") }
        put("\(unit)\"timers\"\(colon){")
        let isTall = random.chance(1, 2)
        for (index, id) in timers.enumerated() {
            let comma = index + 1 < timers.count ? "," : ""
            let blanks = unit + unit
            if isTall {
                put("\(blanks)\"\(id)\"\(colon){", id)
                put("\(blanks)\(unit)\"name\"\(colon)\"a, } \\\" b\",", id)
                put("\(blanks)\(unit)\"duration\"\(colon)\"4m\"", id)
                put("\(blanks)}\(comma)", id)
            } else {
                put("\(blanks)\"\(id)\"\(colon){\"duration\"\(colon)\"4m\"}\(comma)", id)
            }
        }
        put("\(unit)}\(random.chance(1, 2) ? "  " : "")")
        put("}")
    }
}

/// Random numbers from a seed (a linear congruential generator with Knuth's constants).
struct Random {
    var state: UInt64

    mutating func number(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    mutating func chance(_ part: Int, _ whole: Int) -> Bool { number(whole) < part }
}
